// Tests `watchdata watch` as an operator runs it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withCatalogueLock } from '../../src/catalogue/catalogue-lock.ts'
import { parseConfig } from '../../src/config.ts'
import { compileCache } from '../compile-cache.ts'
import { createEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { command } from './command.ts'
import { openSampleFixture } from './sample-fixture.ts'
import { hasTerminal, typeInto } from './terminal.ts'

const sqlite = createEngine()
const moonwatch = '310.30.42.50.01.001'

describe('watch show', () => {
  test('prints fields, specs and prices of a watch by id, or by reference in any common spelling', async () => {
    const { run } = await openSampleFixture(sqlite)
    const { code, stdout, stderr } = await run('watch', 'show', '310 30 42-50/01001')
    expect([code, stderr]).toEqual([0, ''])
    for (const line of [
      /^Id {12}186$/m,
      /^Brand {9}Omega$/m,
      /^Reference {5}310\.30\.42\.50\.01\.001$/m,
      /^Retail price {2}\$7,000$/m,
      /^Updated {7}\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/m,
      /^case_diameter {6}42 mm$/m,
      /^functions {10}Hours, Minutes, Small seconds, Chronograph, Tachymeter$/m,
      /^2025-01-01 {2}\$7,000 {2}\$5,700 {2}sample$/m,
    ]) {
      expect(stdout).toMatch(line)
    }
    expect((await run('watch', 'show', '186')).stdout).toBe(stdout)
  })

  test('with --json prints the watch as the API returns it, and the prices', async () => {
    const { json } = await openSampleFixture(sqlite)
    const { watch, prices } = await json('watch', 'show', moonwatch)
    expect(Object.keys(watch)).toEqual([
      'id',
      'brand',
      'collection',
      'reference_number',
      'retail_price_usd',
      'current_market_price',
      'specs',
      'updated_at',
    ])
    expect(watch).toMatchObject({
      id: 186,
      brand: 'Omega',
      reference_number: moonwatch,
      specs: { jewels: 26 },
    })
    expect(prices).toEqual([
      { date: '2025-01-01', retail_price_usd: 7_000, current_market_price: 5_700, source: 'sample' },
    ])
  })

  test('reads a number as an id, with a note if it is also a reference; with --brand as a reference', async () => {
    const { run, execute } = await openSampleFixture(sqlite)
    execute(`UPDATE watches SET reference_number = '5' WHERE id = 186`)
    const byId = await run('watch', 'show', '5')
    expect(byId.stdout).toMatch(/^Id {12}5$/m)
    expect(byId.stderr).toBe(
      '5 is taken as an id. It is also the reference of 186: add --brand for that one.\n',
    )
    const byReference = await run('watch', 'show', '5', '--brand', 'omega')
    expect([byReference.stderr, byReference.stdout.split('\n')[0]]).toEqual(['', 'Id            186'])
  })

  test('lists the watches if several share the reference', async () => {
    const { refusal, execute, json } = await openSampleFixture(sqlite)
    execute(`UPDATE watches SET reference_number = 'X-1', collection = 'One' WHERE id IN (1, 186)`)
    expect(await refusal('watch', 'show', 'x1')).toBe(
      'watchdata: 2 watches have the reference x1: 1 (A. Lange & Söhne One X-1), 186 (Omega One X-1); add --brand or use the id.\n',
    )
    expect(await json('watch', 'show', 'x1', '--brand', 'ALS')).toMatchObject({ watch: { id: 1 } })
    expect(await refusal('watch', 'show', ' ')).toMatch(/No watch is named: give its id or its reference/)
    expect(await refusal('watch', 'show', 'x2')).toMatch(/no watch with the id or reference x2/)
    expect(await refusal('watch', 'show', 'x1', '--brand', 'Tudor')).toMatch(/^watchdata: Tudor has no watch/)
  })

  test('escapes terminal control characters', async () => {
    const { run, execute } = await openSampleFixture(sqlite)
    execute(
      `UPDATE watches SET collection = 'a' || char(27) || '[2Jb', specs = '{"k\\u001b":"\\u202ex"}' WHERE id = 1`,
    )
    const { stdout } = await run('watch', 'show', '1')
    for (const character of ['\u001b', '\u202e']) expect(stdout).not.toContain(character)
    expect(stdout).toContain('a\\u001b[2Jb')
    expect(stdout).toContain('k\\u001b  \\u202ex')
  })
})

describe('watch edit', () => {
  const edits = [
    '--set',
    'collection=Moonwatch',
    '--set',
    'specs.jewels=27',
    '--set',
    'retail_price_usd=7200',
    '--unset',
    'specs.nickname',
  ]

  test('changes the given fields and prints their old values', async () => {
    const { run, json } = await openSampleFixture(sqlite)
    const { code, stdout, stderr } = await run('watch', 'edit', moonwatch, ...edits)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      [
        `Changed Omega Speedmaster ${moonwatch} (186):`,
        '  collection        “Speedmaster” → “Moonwatch”',
        '  specs.jewels      26 → 27',
        '  specs.nickname    “Moonwatch” → –',
        '  retail_price_usd  $7,000 → $7,200',
        '',
      ].join('\n'),
    )
    const { watch, prices } = await json('watch', 'show', '186')
    expect(watch).toMatchObject({ collection: 'Moonwatch', retail_price_usd: 7_200, specs: { jewels: 27 } })
    expect(prices[0]).toMatchObject({ retail_price_usd: 7_200, source: 'operator' })
    expect((await run('watch', 'edit', '186', ...edits)).stdout).toContain(
      'already has these values: nothing changes.',
    )
  })

  test('leaves the arguments after --set and --unset alone', async () => {
    const { json, run } = await openSampleFixture(sqlite)
    expect(await json('watch', 'edit', '--set', 'collection=x', '186')).toMatchObject({ watch: { id: 186 } })
    expect(await json('watch', 'edit', '--unset', 'collection', '186')).toMatchObject({
      watch: { collection: '' },
    })
    expect((await run('watch', 'edit', '186', '--set', 'collection=x', 'specs.jewels=1')).code).toBe(2)
  })

  test('reports other watches of the brand with the same reference', async () => {
    const { run, json } = await openSampleFixture(sqlite)
    const edit = ['watch', 'edit', '187', '--set', 'reference_number=310-30-42-50-01-001']
    expect((await json(...edit, '--dry-run')).also).toEqual([186])
    const { code, stderr } = await run(...edit)
    expect([code, stderr]).toEqual([
      0,
      'Omega 310-30-42-50-01-001 is also the reference of 186; all these watches stay.\n',
    ])
    expect((await json('watch', 'edit', '187', '--set', 'reference_number=new')).also).toEqual([])
  })

  test('with --json prints the watch and the changes', async () => {
    const { json } = await openSampleFixture(sqlite)
    const dry = await json('watch', 'edit', '186', ...edits, '--dry-run')
    const done = await json('watch', 'edit', '186', ...edits)
    const shown = await json('watch', 'show', '186')
    expect(done).toMatchObject({
      dry_run: false,
      changes: {
        collection: { old: 'Speedmaster', new: 'Moonwatch' },
        'specs.jewels': { old: 26, new: 27 },
        'specs.nickname': { old: 'Moonwatch', new: null },
        retail_price_usd: { old: 7_000, new: 7_200 },
      },
    })
    expect(done.watch).toEqual(shown.watch)
    expect(dry).toMatchObject({ dry_run: true, changes: done.changes, watch: { specs: shown.watch.specs } })
  })

  test('with --dry-run changes no byte of the database', async () => {
    const { run, bytes } = await openSampleFixture(sqlite)
    const before = bytes()
    const { stdout } = await run('watch', 'edit', '186', ...edits, '--dry-run')
    expect(stdout).toMatch(/^Would change Omega/)
    expect(bytes().equals(before)).toBe(true)
  })

  test.each([
    ['--set brand=Omgea', /There is no brand "Omgea": write Omega, or see/],
    ['--set retail_price_usd=cheap', /must be a number of dollars/],
    ['--unset reference_number', /must have a reference_number/],
    ['', /Nothing is to be changed/],
  ])('rejects %j and writes nothing', async (args, words) => {
    const { refusal, bytes } = await openSampleFixture(sqlite)
    const before = bytes()
    expect(await refusal('watch', 'edit', '186', ...args.split(' ').filter(Boolean))).toMatch(words)
    expect(bytes().equals(before)).toBe(true)
  })

  test('waits for a running change of the catalogue, and says so', async () => {
    const { settings } = await openSampleFixture(sqlite)
    const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
    const child = spawn(command, ['watch', 'edit', '186', '--set', 'collection=x'], {
      env: { PATH: process.env.PATH, ...compileCache, ...settings },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'close')
    const collection = async () =>
      (
        await database.reader
          .selectFrom('watches')
          .select('collection')
          .where('id', '=', 186)
          .executeTakeFirst()
      )?.collection
    await withCatalogueLock(database, async () => {
      const [told] = await once(child.stderr.setEncoding('utf8'), 'data')
      expect(told).toBe('Another import or edit of the catalogue is under way: waiting for it.\n')
      expect(await collection()).toBe('Speedmaster')
    })
    expect((await ended)[0]).toBe(0)
    expect(await collection()).toBe('x')
  })

  test('with --dry-run does not wait', async () => {
    const { settings, run } = await openSampleFixture(sqlite)
    const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
    await withCatalogueLock(database, async () => {
      const { code, stderr } = await run('watch', 'edit', '186', '--set', 'collection=x', '--dry-run')
      expect([code, stderr]).toEqual([0, ''])
    })
  })
})

describe('watch delete', () => {
  test('deletes the given watches, by id or reference, with their prices', async () => {
    const { run, refusal } = await openSampleFixture(sqlite)
    const { stdout } = await run('watch', 'delete', '1', moonwatch, '1', '--yes')
    expect(stdout).toBe(
      `Deleted 2 watches with all prices:\n    1  A. Lange & Söhne Lange 1 191.032\n  186  Omega Speedmaster ${moonwatch}\n`,
    )
    expect(await refusal('watch', 'show', '186')).toMatch(/no watch/)
  })

  test('names the watch to delete, and requires --yes without a terminal', async () => {
    const { refusal, json } = await openSampleFixture(sqlite)
    expect(await refusal('watch', 'delete', '1')).toMatch(
      /This deletes A\. Lange & Söhne Lange 1 191\.032 \(1\) for good: say --yes/,
    )
    expect(await refusal('watch', 'delete', '1', '2', '3')).toMatch(/This deletes 3 watches for good/)
    expect(await json('watch', 'delete', '2', '--yes')).toEqual({
      dry_run: false,
      deleted: [{ id: 2, brand: 'A. Lange & Söhne', collection: 'Lange 1', reference_number: '101.021' }],
    })
  })

  test('deletes nothing if one of the watches does not exist, or with --dry-run', async () => {
    const { refusal, run, bytes } = await openSampleFixture(sqlite)
    const before = bytes()
    await refusal('watch', 'delete', '1', '9999', '--yes')
    expect((await run('watch', 'delete', '1', '--dry-run')).stdout).toMatch(/^Would delete A\. Lange/)
    expect(bytes().equals(before)).toBe(true)
  })

  test.skipIf(!hasTerminal)('on a terminal requires typing the id', async () => {
    const { json, refusal, settings } = await openSampleFixture(sqlite)
    const type = (input: string) => typeInto(`${command} watch delete 1`, settings, input)
    expect((await type('yes\n')).status).toBe(1)
    expect(await json('watch', 'show', '1')).toMatchObject({ watch: { id: 1 } })
    expect((await type('1\n')).status).toBe(0)
    await refusal('watch', 'show', '1')
  })
})
