// Tests `watchdata spec` as an operator runs it.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { openSampleFixture } from './sample-fixture.ts'

const sqlite = createEngine()

describe('spec list', () => {
  test('prints the keys by frequency, with values, unit and examples', async () => {
    const { run, json } = await openSampleFixture(sqlite)
    const { stdout } = await run('spec', 'list')
    expect(stdout).toMatch(/^key +watches {2}values {2}unit +examples$/m)
    expect(stdout).toMatch(/^case_diameter +336 +96 {2}mm +40 mm · 42 mm · 41 mm$/m)
    const specs = await json('spec', 'list')
    expect(specs.find(({ key }: { key: string }) => key === 'limited_edition')).toEqual({
      key: 'limited_edition',
      watches_count: 14,
      values_count: 2,
      has_more_values: false,
      types: ['boolean'],
      unit: null,
      examples: [true, false],
    })
  })
})

describe('spec rename', () => {
  test('renames in every watch; --dry-run writes nothing', async () => {
    const { run, json, bytes } = await openSampleFixture(sqlite)
    const before = bytes()
    expect((await run('spec', 'rename', 'jewels', 'rubies', '--dry-run')).stdout).toBe(
      'Would rename jewels to rubies in 190 watches.\n',
    )
    expect(bytes().equals(before)).toBe(true)
    expect((await run('spec', 'rename', 'jewels', 'rubies')).stdout).toBe(
      'Renamed jewels to rubies in 190 watches.\n',
    )
    expect((await run('spec', 'rename', 'jewels', 'rubies')).stdout).toBe(
      'No watch has jewels: nothing changes.\n',
    )
    const { watch } = await json('watch', 'show', '186')
    expect(watch.specs).toMatchObject({ rubies: 26 })
    expect(Object.keys(watch.specs).indexOf('rubies')).toBe(13)
  })

  test('is rejected if watches have both keys, until --keep says which value stays', async () => {
    const { run, refusal, json } = await openSampleFixture(sqlite)
    expect(await refusal('spec', 'rename', 'bezel', 'crown')).toMatch(
      /^watchdata: \d+ watches have both bezel and crown: say --keep old or --keep new/,
    )
    expect((await run('spec', 'rename', 'bezel', 'crown', '--keep', 'neither')).code).toBe(2)
    const { watches, with_both } = await json('spec', 'rename', 'bezel', 'crown', '--keep', 'new')
    expect([watches, with_both]).toEqual([115, expect.any(Number)])
    expect(with_both).toBeGreaterThan(0)
  })
})

describe('spec merge-values', () => {
  test('replaces the other values with the given one, in lists too; --dry-run writes nothing', async () => {
    const { run, json, bytes } = await openSampleFixture(sqlite)
    const merge = ['spec', 'merge-values', 'functions', 'small SECONDS', 'Seconds', '--into', 'Small seconds']
    const before = bytes()
    const dry = await run(...merge, '--dry-run')
    expect(dry.stdout).toMatch(
      /^Would write “Small seconds” for “small SECONDS”, “Seconds” as functions in \d+ watch/,
    )
    expect(bytes().equals(before)).toBe(true)
    expect((await run(...merge)).stdout).toBe(dry.stdout.replace('Would write', 'Wrote'))
    expect((await run(...merge)).stdout).toMatch(/: nothing changes\.$/m)
    const specs = await json('spec', 'list')
    expect(JSON.stringify(specs)).not.toContain('"Seconds"')
  })

  test('stores a number as a number, and a text in quotation marks as a text', async () => {
    const { json } = await openSampleFixture(sqlite)
    await json('spec', 'merge-values', 'jewels', '26', '--into', '"26 jewels"')
    expect((await json('watch', 'show', '186')).watch.specs.jewels).toBe('26 jewels')
    await json('spec', 'merge-values', 'jewels', '26 JEWELS', '--into', '26')
    expect((await json('watch', 'show', '186')).watch.specs.jewels).toBe(26)
  })

  test('rejects a list or an empty text as the value', async () => {
    const { refusal } = await openSampleFixture(sqlite)
    expect(await refusal('spec', 'merge-values', 'jewels', '26', '--into', '')).toMatch(
      /say what is to be stored/,
    )
    expect(await refusal('spec', 'merge-values', 'jewels', '26', '--into', '[1]')).toMatch(
      /list or an object/,
    )
  })
})
