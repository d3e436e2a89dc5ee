// Tests that an export of many watches uses as little memory as one of a few, on either engine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/config.ts'
import type { Database } from '../../src/storage/database.ts'
import { compileCache } from '../compile-cache.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { isNightly, runs } from '../depth.ts'

const root = path.resolve(import.meta.dirname, '../..')
const manyRows = runs(60_000, 300_000)
/** Less than half of the size of the rows. */
const heapMib = 48
/** An export uses 135, 140 and 175 MiB. One that kept its output in memory would use 225 MiB and more. */
const rssMaxMib = { 'ndjson.gz': 190, csv: 190, parquet: 240 }

/** Twenty specs per watch, 1,800 bytes, in SQL that both engines accept. */
async function fillCatalogue(database: Database): Promise<void> {
  const specs = Array.from(
    { length: 20 },
    (_, at) => `"spec_${at}":"Value '||(i % ${at + 7})||'${' of many'.repeat(9)}"`,
  ).join()
  await database.write(async (tx) => {
    await sql`insert into brands (id, name, slug, updated_at) values (1, 'A', 'a', '2026-03-01T00:00:00.000Z')`.execute(
      tx,
    )
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(manyRows)})
      insert into watches (id, brand_id, collection, reference_number, retail_price_usd, specs, updated_at)
      select i, 1, 'C', 'R'||i, i, ${sql.raw(`'{${specs}}'`)}, '2026-03-01T00:00:00.000Z' from n`.execute(tx)
  })
}

/**
 * Prints the peak memory in KiB. On Linux from /proc, because maxRSS includes the forked copy of the test process
 * before exec.
 */
const tellMostMemory = `
  import { existsSync, readFileSync } from 'node:fs'
  const status = '/proc/self/status'
  process.on('exit', () => {
    const most = existsSync(status)
      ? /VmHWM:\\s*(\\d+)/.exec(readFileSync(status, 'utf8'))[1]
      : process.resourceUsage().maxRSS
    process.stderr.write('rss=' + most)
  })`

/** Runs the command with a small heap; returns its exit code and its peak memory. */
async function exportInChild({ dataDir, databaseUrl }: Config, file: string) {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${heapMib}`,
      '--max-semi-space-size=8',
      `--import=data:text/javascript,${encodeURIComponent(tellMostMemory)}`,
      path.join(root, 'src/cli/main.js'),
      'export',
      file,
    ],
    {
      env: {
        ...compileCache,
        DATA_DIR: dataDir,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      },
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, said, rssMib: Number(/rss=(\d+)/.exec(said)?.[1]) / 1_024 }
}

/** Each engine with another format, and all of them at night: an export takes several seconds of processor time. */
function endingsOf({ name }: Engine): readonly (keyof typeof rssMaxMib)[] {
  if (isNightly) return ['ndjson.gz', 'csv', 'parquet']
  return name === 'postgres' ? ['parquet'] : ['csv']
}

describeEachEngine('an export of many watches', (engine) => {
  const endings = endingsOf(engine)

  test(`uses the memory of a few, as ${endings.join(', ')} (at night in every format)`, async () => {
    const { database, config } = await openFresh(engine)
    await fillCatalogue(database)
    const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-export-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    for (const ending of endings) {
      const { code, said, rssMib } = await exportInChild(config, path.join(directory, `a.${ending}`))
      expect([code, said]).toEqual([
        0,
        expect.stringContaining(`Exported ${manyRows.toLocaleString('en-US')} watches`),
      ])
      expect(rssMib).toBeLessThan(rssMaxMib[ending])
    }
  })
})
