// Provides the fixture of the command tests: a database, functions that run commands on it, and functions that read
// their output.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { Engine } from '../databases/engines.ts'
import type { Contents } from '../databases/template-databases.ts'
import type { Outcome } from './running.ts'
import { warmly } from './warm-command.ts'

export interface Fixture {
  readonly settings: { readonly DATA_DIR: string }
  run(...args: string[]): Promise<Outcome>
  /** Runs a command that must succeed with --json, and returns its parsed output. */
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>
  /** Runs a command that must fail, and returns its error message: one plain sentence. */
  refusal(...args: string[]): Promise<string>
  /** Runs SQL for changes that no command makes. */
  execute(sql: string): void
}

/** A migrated database with one account per e-mail. */
export async function openFixture(sqlite: Engine, ...emails: string[]): Promise<Fixture> {
  const fixture = await fixtureOf(sqlite, 'migrated')
  for (const email of emails) await fixture.json('account', 'create', '--email', email)
  return fixture
}

export async function fixtureOf(engine: Engine, contents: Contents): Promise<Fixture> {
  const settings = { ...(await engine.settings(contents)) }
  const run = (...args: string[]) => warmly(args, settings)
  return {
    settings,
    run,
    async json(...args) {
      const { code, stdout, stderr } = await run(...args, '--json')
      expect([code, stderr]).toEqual([0, ''])
      return JSON.parse(stdout)
    },
    async refusal(...args) {
      const { code, stdout, stderr } = await run(...args)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^watchdata: .*\.\n$/)
      return stderr
    },
    execute(sql) {
      const database = new DatabaseSync(path.join(settings.DATA_DIR, 'watchdata.sqlite'))
      database.exec(sql)
      database.close()
    },
  }
}
