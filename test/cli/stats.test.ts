// Tests `watchdata stats` as an operator runs it: its counts, its findings, and that the commands it proposes fix
// them.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { command, watchdata } from './command.ts'
import { openSampleFixture, type SampleFixture } from './sample-fixture.ts'

const sqlite = createEngine()

/** A catalogue with one problem of each kind. */
async function openMessyFixture(): Promise<SampleFixture> {
  const fixture = await openSampleFixture(sqlite)
  fixture.execute(`
    UPDATE watches SET specs = replace(specs, '"dial_color":"Black"', '"dail_color":"Black"') WHERE id = 186;
    UPDATE watches SET specs = replace(specs, '"Round"', '"Ruond"') WHERE id = 186;
    UPDATE watches SET specs = replace(specs, '"jewels":26', '"jewels":"26 rubies"') WHERE id = 186;
    UPDATE watches SET specs = replace(specs, '"50 m"', '"50 mm (tested)"') WHERE id = 186;
    UPDATE watches SET current_market_price = 570000 WHERE id = 186;
    UPDATE watches SET reference_number = '310-30-42-50-01-001' WHERE id = 187;
    UPDATE watches SET retail_price_usd = NULL, current_market_price = NULL WHERE id = 188`)
  return fixture
}

/** Returns the arguments that a shell passes for each command. */
function wordsOf(commands: readonly string[]): string[][] {
  const echo = `watchdata() { printf '%s\\0' "$@"; printf '\\n\\0'; }`
  const { stdout, status } = spawnSync('/bin/sh', ['-ec', [echo, ...commands].join('\n')], {
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  const words = stdout.split('\n\0').slice(0, -1)
  expect(words).toHaveLength(commands.length)
  return words.map((some) => some.split('\0').slice(0, -1))
}

describe('stats', () => {
  test('prints counts and completeness, common keys first', async () => {
    const { settings, run, json } = await openSampleFixture(sqlite)
    const { stdout, code } = await watchdata(['stats'], settings)
    expect(code).toBe(0)
    for (const line of [
      /^Brands +57$/m,
      /^Watches +338$/m,
      /^With a retail price +297 {2}87\.9 %$/m,
      /^Lines of price history {2}336$/m,
      /^movement_type +338 {2}100\.0 % {2}█{20} +21$/m,
      /^power_reserve +292 +86\.4 % {2}█{17}░{3} +79$/m,
      /^… and 2 more: --all shows them\.$/m,
    ]) {
      expect(stdout).toMatch(line)
    }
    expect((await run('stats', '--all')).stdout).toMatch(/^accuracy +2 +0\.6 %/m)
    const stats = await json('stats')
    expect(stats).toMatchObject({
      brands: 57,
      watches: 338,
      spec_keys: 32,
      prices: { retail: 297, market: 334, none: 2, history_lines: 336 },
    })
    expect(stats.coverage.slice(0, 8).map(({ key }: { key: string }) => key)).toEqual([
      'movement_type',
      'case_material',
      'dial_color',
      'water_resistance',
      'crystal',
      'power_reserve',
      'case_shape',
      'bracelet_material',
    ])
    expect(stats.coverage[5]).toEqual({
      key: 'power_reserve',
      watches: 292,
      percent: 86.4,
      values: 79,
      has_more_values: false,
    })
  })

  test('lists what looks wrong, each with its watches and the command that fixes it', async () => {
    const { json } = await openMessyFixture()
    const { odd } = await json('stats')
    expect(odd.lone_spellings.first).toContainEqual({
      key: 'case_shape',
      value: 'Ruond',
      watches: 1,
      ids: [186],
      near: { value: 'Round', watches: expect.any(Number) },
      command: 'watchdata spec merge-values case_shape Ruond --into Round',
    })
    expect(odd.unreadable_units.first).toContainEqual({
      key: 'water_resistance',
      value: '50 mm (tested)',
      watches: 1,
      ids: [186],
      near: null,
      command: `watchdata spec merge-values water_resistance '50 mm (tested)' --into VALUE`,
    })
    expect(odd.mixed_types.first).toContainEqual({
      key: 'jewels',
      types: [
        { type: 'number', watches: 189, ids: expect.any(Array) },
        { type: 'text', watches: 1, ids: [186] },
      ],
      command: 'watchdata watch edit 186 --set specs.jewels=VALUE',
    })
    expect(odd.lone_keys).toEqual({
      total: 1,
      first: [
        {
          key: 'dail_color',
          ids: [186],
          near: { key: 'dial_color', watches: 333 },
          command: 'watchdata spec rename dail_color dial_color',
        },
      ],
    })
    expect(odd.odd_prices.first).toEqual([
      {
        id: 186,
        retail_price_usd: 7_000,
        current_market_price: 570_000,
        command: 'watchdata watch edit 186 --set current_market_price=VALUE',
      },
    ])
    expect(odd.repeated_references).toEqual({
      total: 1,
      first: [
        {
          brand: 'Omega',
          reference_number: '310.30.42.50.01.001',
          ids: [186, 187],
          command: 'watchdata watch show 186',
        },
      ],
    })
    expect(odd.without_price).toMatchObject({
      total: 3,
      first: expect.arrayContaining([{ id: 188, command: expect.anything() }]),
    })
  })

  test('does not propose renaming a key to one that the watch already has', async () => {
    const { json, execute } = await openSampleFixture(sqlite)
    execute(`UPDATE watches SET specs = json_insert(specs, '$.dail_color', 'x') WHERE id = 186`)
    expect((await json('stats')).odd.lone_keys).toEqual({ total: 0, first: [] })
  })

  test('prints a working command for a key that contains =', async () => {
    const { json, execute, run } = await openSampleFixture(sqlite)
    execute(`UPDATE watches SET specs = json_insert(specs, '$."a=b"', 1) WHERE id < 5;
      UPDATE watches SET specs = json_insert(specs, '$."a=b"', 'x') WHERE id = 5`)
    const { first } = (await json('stats')).odd.mixed_types
    const { command: mend } = first.find(({ key }: { key: string }) => key === 'a=b')
    expect(mend).toBe(`watchdata watch edit 5 --set 'specs.a=b'=VALUE`)
    expect((await run('watch', 'edit', '5', '--set', 'specs.a=b=1')).stdout).toMatch(/specs\.a=b {2}“x” → 1/)
  })

  test('prints commands that fix the finding above them', async () => {
    const { json, run, settings } = await openMessyFixture()
    const { odd } = await json('stats')
    const found = [...odd.lone_spellings.first, ...odd.lone_keys.first]
    expect(found.length).toBeGreaterThan(10)
    const text = (await run('stats', '--all')).stdout
    for (const one of found) expect(text).toContain(`    ${one.command}\n`)
    const env = { PATH: `${path.dirname(command)}:${process.env.PATH}`, ...settings }
    const [first, ...others] = found.map((one) => one.command)
    expect(spawnSync('/bin/sh', ['-c', first], { env, encoding: 'utf8' }).status).toBe(0)
    for (const args of wordsOf(others)) expect((await run(...args)).code).toBe(0)
    const after = await json('stats')
    expect([after.odd.lone_spellings.total, after.odd.lone_keys.total]).toEqual([0, 0])
  })

  test('of an empty catalogue prints zeros, and nothing looks wrong', async () => {
    const { run, execute } = await openSampleFixture(sqlite)
    execute('DELETE FROM watches')
    const { stdout } = await run('stats')
    expect(stdout).toMatch(/^Watches +0$/m)
    expect(stdout).toMatch(/^movement_type +0 +0\.0 % {2}░{20} +0$/m)
    expect(stdout).toMatch(/Nothing looks wrong\.\n$/)
  })
})
