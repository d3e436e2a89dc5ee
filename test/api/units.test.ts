// Tests quantities in the filters of GET /watches with the sample: equivalent units find the same watches.
import { describe, expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { serveSample } from './sample-server.ts'

const sample = await readSample()
type Specs = (typeof sample.watches)[number]['specs']

const server = serveSample()

/** Feet as printed on dials, with the metres they stand for. */
const marked: Record<string, number> = { '330 ft': 100, '660 ft': 200, '666 ft': 200, '1000 ft': 300 }

function metres({ water_resistance: stored }: Specs): number {
  const [, digits, unit = ''] = /^(\d+) ?(m|metres|bar|ATM)( \/|$)/.exec(String(stored)) ?? []
  return marked[String(stored)] ?? Number(digits) * (/^(bar|ATM)$/.test(unit) ? 10 : 1)
}

function hours({ power_reserve: stored }: Specs): number {
  const [, digits, unit = ''] =
    /^(?:approx\. |up to )?(\d+) ?(h|hours|days|months)$/.exec(String(stored)) ?? []
  return Number(digits) * (unit === 'days' ? 24 : unit === 'months' ? 730 : 1)
}

function hertz({ frequency: stored }: Specs): number {
  const [, digits = '', unit = ''] = /^([\d.,']+) (vph|A\/h|Hz|kHz|MHz)$/.exec(String(stored)) ?? []
  const number = digits === '' ? Number.NaN : Number(digits.replace(/[,']/g, ''))
  return { vph: number / 7200, 'A/h': number / 7200, kHz: number * 1e3, MHz: number * 1e6 }[unit] ?? number
}

function millimetres({ case_diameter: stored }: Specs): number {
  // Of two sides, as of a rectangular case, the first counts.
  const [, digits, unit = ''] = /^([\d.]+)(?: ?[x×] ?[\d.]+)* ?(mm|cm)?$/.exec(String(stored)) ?? []
  return Number(digits) * (unit === 'cm' ? 10 : 1)
}

describe('the same quantity in other units', () => {
  test.each<[string, string[], (specs: Specs) => boolean]>([
    [
      'water_resistance',
      [
        '10 bar',
        '10 ATM',
        '100 m',
        '330 ft',
        '100',
        '100m',
        '10bar',
        '100 metres',
        '100 m / 330 ft',
        '10 BAR',
      ],
      (specs) => metres(specs) === 100,
    ],
    ['water_resistance', ['30 bar', '300 m', '1000 ft', '1,000 ft'], (specs) => metres(specs) === 300],
    [
      'power_reserve',
      ['3 days', '72 h', '72 hours', '72', '72h', 'approx. 72 hours'],
      (specs) => hours(specs) === 72,
    ],
    ['power_reserve', ['7 days', '168 h', '1 week'], (specs) => hours(specs) === 168],
    ['case_diameter', ['42 mm', '4.2 cm', '42', '42.0', '42mm'], (specs) => millimetres(specs) === 42],
    [
      'frequency',
      ['4 Hz', '28,800 vph', '28800 A/h', "28'800 vph", '28800 bph', '4'],
      (specs) => hertz(specs) === 4,
    ],
  ])('%s=%j finds the same watches', async (key, spellings, isMeant) => {
    for (const value of spellings) await expectToFind(`spec[${key}]`, value, isMeant)
  })

  test.each<[string, string[], (specs: Specs) => boolean]>([
    ['water_resistance][gte', ['300 m', '30 bar', '1000 ft'], (specs) => metres(specs) >= 300],
    ['water_resistance][lt', ['50 m', '5 ATM', '50'], (specs) => metres(specs) < 50],
    ['power_reserve][gt', ['3 days', '72 h'], (specs) => hours(specs) > 72],
    ['case_diameter][lte', ['3.6 cm', '36 mm', '36'], (specs) => millimetres(specs) <= 36],
    ['case_diameter][gt', ['44 mm', '4.4 cm'], (specs) => millimetres(specs) > 44],
    ['frequency][gte', ['36,000 vph', '5 Hz', '0.005 kHz'], (specs) => hertz(specs) >= 5],
    [
      'water_resistance][not',
      ['10 bar', '330 ft'],
      (specs) => 'water_resistance' in specs && metres(specs) !== 100,
    ],
  ])('spec[%s]=%j finds the same watches', async (key, spellings, isMeant) => {
    for (const value of spellings) await expectToFind(`spec[${key}]`, value, isMeant)
  })
})

test('a value that is not a quantity is still compared as text', async () => {
  await expectToFind('spec[power_reserve]', '35-45 HOURS', (specs) => specs.power_reserve === '35-45 hours')
  await expectToFind('spec[case_diameter]', '28.45 X 36.5 mm', (specs) =>
    /^28\.45 x/.test(String(specs.case_diameter)),
  )
  await expectToFind('spec[antimagnetic]', 'soft-iron inner case', (specs) =>
    /^Soft-iron/.test(String(specs.antimagnetic)),
  )
})

test('stored values are returned unchanged', async () => {
  const stored = sample.watches.map(({ specs }) => specs)
  const sent: object[] = []
  for (let page = 1; sent.length < stored.length; page++) {
    const { data } = await ask(`page=${page}&per_page=100`)
    expect(data.length).toBeGreaterThan(0)
    sent.push(...data.map(({ specs }) => specs))
  }
  expect(JSON.stringify(sent)).toBe(JSON.stringify(stored))
})

test('any returned value, sent back as the filter for its key, finds the watches it came from', async () => {
  const holders = new Map<string, number[]>()
  sample.watches.forEach(({ specs }, at) => {
    for (const [key, value] of Object.entries(specs)) {
      for (const one of [value].flat()) {
        const filter = `spec[${encodeURIComponent(key)}]=${encodeURIComponent(String(one))}`
        holders.set(filter, [...(holders.get(filter) ?? []), at + 1])
      }
    }
  })
  expect(holders.size).toBeGreaterThan(1_000)
  for (const [filter, ids] of holders) {
    // Also filtered by id, because watches with a frequent value would be pages away.
    const asked = ids.slice(0, 100)
    const { data } = await ask(`${filter}&ids=${asked.join(',')}&per_page=100&fields=id`)
    expect([filter, ...data.map(({ id }) => id)]).toEqual([filter, ...asked])
  }
})

async function expectToFind(name: string, value: string, isMeant: (specs: Specs) => boolean): Promise<void> {
  const ids = sample.watches.flatMap(({ specs }, at) => (isMeant(specs) ? [at + 1] : []))
  const { data, meta } = await ask(`${name}=${encodeURIComponent(value)}&per_page=100`)
  expect([value, meta.total]).toEqual([value, ids.length])
  expect([value, ...data.map(({ id }) => id)]).toEqual([value, ...ids.slice(0, 100)])
  expect(ids.length).toBeGreaterThan(0)
}

async function ask(
  query: string,
): Promise<{ data: { id: number; specs: object }[]; meta: { total: number } }> {
  const response = await server.get(`/api/v1/watches?${query}`)
  expect([query, response.status]).toEqual([query, 200])
  return (await response.json()) as Awaited<ReturnType<typeof ask>>
}
