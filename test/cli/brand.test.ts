// Tests `watchdata brand` as an operator runs it, alone and beside a running service.
import { describe, expect, test, vi } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { patience } from '../patience.ts'
import { openSampleFixture, openServedFixture } from './sample-fixture.ts'

const sqlite = createEngine()
const eventually = { ...patience, interval: 100 }

describe('brand list', () => {
  test('prints the brands sorted by name, with numbers right-aligned', async () => {
    const { run, json } = await openSampleFixture(sqlite)
    const { stdout } = await run('brand', 'list')
    const [head, first, ...others] = stdout.split('\n')
    expect(head).toMatch(/^id {2}name +slug +watches {2}collections {2}country +aliases$/)
    expect(first).toMatch(/^ 1 {2}A\. Lange & Söhne +a-lange-soehne +8 +6 {2}Germany +Lange, ALS,/)
    expect(others).toHaveLength(57)
    const brands = await json('brand', 'list')
    expect(brands).toHaveLength(57)
    expect(brands[0]).toMatchObject({
      id: 1,
      name: 'A. Lange & Söhne',
      slug: 'a-lange-soehne',
      country: 'Germany',
      founded_year: 1845,
      watches_count: 8,
      collections_count: 6,
    })
    expect(brands[0].aliases).toContain('ALS')
  })
})

describe('brand edit', () => {
  test('prints what changes and in how many watches; --dry-run writes nothing', async () => {
    const { run, bytes, json } = await openSampleFixture(sqlite)
    const edit = ['brand', 'edit', 'OMEGA', '--name', 'Omega SA', '--alias', 'Ω', '--website', '']
    const before = bytes()
    const changes = [
      '  name     Omega → Omega SA',
      '  website  https://www.omegawatches.com → –',
      '  aliases  Omega Watches → Omega Watches, Omega, Ω',
    ].join('\n')
    expect((await run(...edit, '--dry-run')).stdout).toBe(
      `Would change Omega (38):\n${changes}\n18 watches would have the new name.\n`,
    )
    expect(bytes().equals(before)).toBe(true)
    expect((await run(...edit)).stdout).toBe(
      `Changed Omega (38):\n${changes}\n18 watches have the new name.\n`,
    )
    expect((await run(...edit)).stdout).toBe('Omega SA (38) already has these values: nothing changes.\n')
    expect(await json('watch', 'show', '186')).toMatchObject({ watch: { brand: 'Omega SA' } })
    expect(await json('brand', 'edit', '38', '--remove-alias', 'Ω')).toMatchObject({
      brand: { name: 'Omega SA', aliases: ['Omega Watches', 'Omega'] },
      changes: { aliases: { new: ['Omega Watches', 'Omega'] } },
      watches: 0,
    })
  })

  test('after an interruption prints with --dry-run what would still be done', async () => {
    const { run, execute } = await openSampleFixture(sqlite)
    await run('brand', 'edit', 'Omega', '--name', 'Omega SA')
    execute(`DELETE FROM changes WHERE type = 'watch.updated' AND subject_id > 190`)
    const edit = ['brand', 'edit', 'Omega SA', '--name', 'Omega SA']
    const dry = await run(...edit, '--dry-run')
    expect(dry.stdout).toMatch(
      /^Omega SA \(38\) already has these values; \d+ watches would have the new name too\.\n$/,
    )
    const done = dry.stdout.replace('would have', 'have').replace('too', 'now too')
    expect((await run(...edit)).stdout).toBe(done)
  })

  test('accepts --alias several times, and leaves the argument after it alone', async () => {
    const { json } = await openSampleFixture(sqlite)
    const { brand } = await json('brand', 'edit', '--alias', 'Ω', '--alias', 'OM', 'Omega')
    expect(brand.aliases).toEqual(['Omega Watches', 'Ω', 'OM'])
    const removed = await json('brand', 'edit', '--remove-alias', 'Ω', '--remove-alias', 'OM', 'Omega')
    expect(removed.brand.aliases).toEqual(['Omega Watches'])
  })

  test.each([
    ['Omgea --name x', /There is no brand "Omgea": write Omega, or see/],
    ['Omega --name TUDOR', /TUDOR is already used by Tudor \(54\)/],
    ['Omega --slug 12', /The slug "12" cannot be used in a URL/],
    ['Omega', /Nothing is to be changed: say .* --alias or --remove-alias\./],
  ])('refuses %s', async (args, words) => {
    const { refusal } = await openSampleFixture(sqlite)
    expect(await refusal('brand', 'edit', ...args.split(' '))).toMatch(words)
  })
})

describe('brand merge', () => {
  test('prints what happens to names, watches and duplicate references; a second run changes nothing', async () => {
    const { run, execute, bytes } = await openSampleFixture(sqlite)
    execute(`UPDATE watches SET reference_number = '310-30-42-50-01-001' WHERE id = 10`)
    const merge = ['brand', 'merge', 'Alpina', 'Tudor', '--into', 'omega']
    const before = bytes()
    expect((await run(...merge, '--dry-run')).stdout).toMatch(
      /^Would merge Alpina, Tudor into Omega: 14 watches\./,
    )
    expect(bytes().equals(before)).toBe(true)
    expect((await run(...merge)).stdout).toBe(
      [
        'Merged Alpina, Tudor into Omega: 14 watches.',
        'Omega is also called Omega Watches, Alpina, Tudor, Tudor Watch.',
        '1 reference is in both; all these watches stay:',
        '  310-30-42-50-01-001  10, 186',
        '',
      ].join('\n'),
    )
    expect((await run(...merge)).stdout).toBe('All of these are Omega already: nothing changes.\n')
  })

  test('while the service runs takes effect there without a restart', async () => {
    const { api, json } = await openServedFixture(sqlite)
    const { key } = await json('account', 'create', '--email', 'anna@example.com', '--plan', 'platinum')
    const get = async (path: string) => {
      const answer = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${key}` } })
      return { status: answer.status, body: JSON.parse(await answer.text()) }
    }
    expect((await get('/brands/tudor')).status).toBe(200)
    const merged = await json('brand', 'merge', 'tudor', '--into', 'omega')
    expect(merged).toMatchObject({ brand: { name: 'Omega' }, merged: [{ name: 'Tudor' }] })
    await vi.waitFor(async () => expect((await get('/brands/tudor')).status).toBe(404), eventually)
    const { body } = await get('/watches?brand=tudor&per_page=100&fields=brand')
    expect(body.meta.total).toBe(18 + merged.watches)
    expect(new Set(body.data.map(({ brand }: { brand: string }) => brand))).toEqual(new Set(['Omega']))
    await json('brand', 'edit', 'omega', '--name', 'Omega SA')
    await vi.waitFor(
      async () => expect((await get('/brands/omega')).body).toMatchObject({ data: { name: 'Omega SA' } }),
      eventually,
    )
    expect((await get('/watches?brand=omega%20sa')).body.meta.total).toBe(18 + merged.watches)
  })
})
