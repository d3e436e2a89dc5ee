// Tests that the sample catalogue is what its README says: real references, enough of them, in the format the loader
// reads.
import { expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'

const commonKeys = [
  'movement_type',
  'case_material',
  'dial_color',
  'water_resistance',
  'crystal',
  'power_reserve',
  'case_shape',
  'bracelet_material',
]
const { brands, watches } = await readSample()

test('the sample has at least 300 references of at least 40 brands', () => {
  expect(watches.length).toBeGreaterThanOrEqual(300)
  expect(new Set(watches.map(({ brand }) => brand)).size).toBeGreaterThanOrEqual(40)
})

test('every watch belongs to a brand of the sample, and every brand has a watch', () => {
  const names = new Set(brands.map(({ name }) => name))
  expect(new Set(watches.map(({ brand }) => brand))).toEqual(names)
  expect(names.size).toBe(brands.length)
})

test('no reference of a brand appears twice in any spelling', () => {
  const seen = watches.map(
    ({ brand, reference_number }) => `${brand} ${reference_number.replace(/[\s./-]/g, '').toLowerCase()}`,
  )
  expect(new Set(seen).size).toBe(seen.length)
})

test('brands have a country, founding year, website and unique slug', () => {
  for (const { name, slug, country, founded_year, website } of brands) {
    expect(slug, name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(country, name).toBeTruthy()
    expect(founded_year, name).toBeGreaterThan(1700)
    expect(website, name).toMatch(/^https:\/\//)
  }
  expect(new Set(brands.map(({ slug }) => slug)).size).toBe(brands.length)
})

test('prices are positive or absent, and have a year', () => {
  for (const { reference_number, retail_price_usd, current_market_price, as_of } of watches) {
    for (const price of [retail_price_usd, current_market_price]) {
      expect(price === null || price > 0, reference_number).toBe(true)
    }
    expect(as_of, reference_number).toBeGreaterThanOrEqual(2020)
  }
})

test('most watches have the eight common keys, and none has an empty value', () => {
  const complete = watches.filter(({ specs }) => commonKeys.every((key) => key in specs))
  expect(complete.length / watches.length).toBeGreaterThan(0.8)
  for (const { reference_number, specs } of watches) {
    for (const [key, value] of Object.entries(specs)) {
      expect(key, reference_number).toMatch(/^[a-z][a-z0-9_]*$/)
      expect([null, ''], `${reference_number} ${key}`).not.toContain(value)
    }
  }
})

test('spellings and units are mixed, as in real data', () => {
  const values = (key: string) =>
    new Set(watches.map(({ specs }) => specs[key]).filter((value) => value !== undefined))
  const written = [...values('water_resistance')].map(String)
  for (const unit of [/\d ?m$/, /bar/i, /atm/i, /ft/])
    expect(written.some((text) => unit.test(text))).toBe(true)
  const reserves = [...values('power_reserve')].map(String)
  for (const unit of [/\d ?h$/, /days/, /hours/]) expect(reserves.some((text) => unit.test(text))).toBe(true)
  expect(watches.some(({ specs }) => Array.isArray(specs.functions))).toBe(true)
})
