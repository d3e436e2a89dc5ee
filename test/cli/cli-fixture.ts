// In charge of an operator's desk for a test: a database of its own, the command run on it, and its answers read.
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
  /** The result of a command that succeeds, as data. */
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>
  /** What a command says that fails: one plain sentence. */
  refusal(...args: string[]): Promise<string>
  /** Writes what no command does. */
  execute(sql: string): void
}

/** With tables, and an account for each e-mail. */
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
