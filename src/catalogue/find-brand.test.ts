// Tests which brand a text refers to, and which slug a new brand gets.
import { describe, expect, test } from 'vitest'
import type { BrandRow } from './brands.ts'
import { BrandFinder, slugFor } from './find-brand.ts'
import { readSample } from './sample.ts'

const free = () => false

function finderOf(...brands: { name: string; slug: string; aliases?: string[] }[]): BrandFinder {
  const finder = new BrandFinder()
  brands.forEach(({ name, slug, aliases = [] }, at) => {
    finder.add({ id: at + 1, name, slug, aliases: JSON.stringify(aliases) } as BrandRow)
  })
  return finder
}

describe('a brand', () => {
  const omega = { name: 'Omega', slug: 'omega', aliases: ['Omega Watches', 'OM'] }
  const lange = { name: 'A. Lange & Söhne', slug: 'a-lange-soehne', aliases: ['ALS'] }

  test.each(['Omega', 'OMEGA', ' omega  watches ', 'om', 'ＯＭＥＧＡ'])('is found by %j', (written) => {
    expect(finderOf(lange, omega).find(written)?.id).toBe(2)
  })

  test('is found by its slug', () => {
    expect(finderOf(omega, lange).find('A-Lange-Soehne')?.id).toBe(2)
  })

  test('is found by its name even if another brand has it as an alias', () => {
    expect(finderOf({ name: 'Other', slug: 'other', aliases: ['OMEGA'] }, omega).find('omega')?.id).toBe(2)
  })

  test('is not guessed if several brands share the alias', () => {
    const finder = finderOf(omega, { name: 'Old Mill', slug: 'old-mill', aliases: ['om'] })
    expect(finder.find('OM')).toBeUndefined()
    expect(finder.findAll('OM').map(({ id }) => id)).toEqual([1, 2])
  })

  test('is the one with the exact spelling if names differ only in case', () => {
    const finder = finderOf({ name: 'Rado', slug: 'rado' }, { name: 'RADO', slug: 'rado-2' })
    expect(finder.find('RADO')?.id).toBe(2)
    expect(finder.find('rado')).toBeUndefined()
  })

  test.each([
    'A. Lange & Sohne',
    'A.Lange & Söhne',
    'A LANGE UND SOHNE',
    'a lange and söhne',
    'A. Lange & Soehne',
    'ALangeSöhne',
  ])('is found without accents and punctuation: %j', (written) => {
    expect(finderOf(omega, lange).find(written)?.id).toBe(2)
  })

  test('whose umlauts are spelled out is found with them', () => {
    const finder = finderOf(omega, { name: 'Glashuette Original', slug: 'glashuette-original' })
    expect(finder.find('Glashütte Original')?.id).toBe(2)
    expect(finder.find('glashutte original')).toBeUndefined()
  })

  test('is the one with the exact spelling if names differ only in accents and punctuation', () => {
    const finder = finderOf({ name: 'Tag-Heuer', slug: 'a' }, { name: 'TAG Heuer', slug: 'b' })
    expect(finder.find('tag heuer')?.id).toBe(2)
    expect(finder.find('TAG·Heuer')).toBeUndefined()
    expect(finder.findAll('TAG·Heuer').map(({ id }) => id)).toEqual([1, 2])
    expect(finder.findSpelled('TAG·Heuer')).toEqual([])
  })

  test.each([
    ['Patek Philippe & Co.', 'Patek Philippe'],
    ['Orient', 'Orient Star'],
    ['ガリレオ', 'カリレオ'],
    ['And', 'Und'],
    ['&', '+'],
  ])('%j is not %j', (name, written) => {
    expect(finderOf({ name, slug: 'x-1' }).findAll(written)).toEqual([])
  })

  test('is not found by its id, because a number in a file may be a name', () => {
    expect(finderOf(omega).find('1')).toBeUndefined()
    expect(finderOf(omega).findById(1)?.name).toBe('Omega')
  })

  test('added later is found too', () => {
    const finder = finderOf(omega)
    finder.add({ id: 9, name: 'Tudor', slug: 'tudor', aliases: '[]' } as BrandRow)
    expect(finder.find('TUDOR')?.id).toBe(9)
    expect(finder.name(9)).toBe('Tudor')
  })
})

describe('the slug of a new brand', () => {
  test('is the slug of the sample for every brand in it', async () => {
    const { brands } = await readSample()
    expect(brands.map(({ name }) => slugFor(name, free))).toEqual(brands.map(({ slug }) => slug))
  })

  test.each([
    ['Ærø & Fils', 'aero-fils'],
    ["L'Epée 1839", 'lepee-1839'],
    ['Łukasz', 'lukasz'],
    ['Große Uhr', 'grosse-uhr'],
    ['ＮＯＭＯＳ', 'nomos'],
    ['Škoda', 'skoda'],
    ['1858', 'brand-1858'],
    ['Слава', 'brand'],
    ['  ', 'brand'],
    ['-&-', 'brand'],
  ])('%j becomes %j', (name, slug) => {
    expect(slugFor(name, free)).toBe(slug)
  })

  test('is short, whatever the name', () => {
    expect(slugFor('Uhr '.repeat(100), free)).toMatch(/^uhr(-uhr){19}$/)
  })

  test('gets the next free number if it is taken', () => {
    const taken = new Set(['tudor', 'tudor-2'])
    expect(slugFor('Tudor', (slug) => taken.has(slug))).toBe('tudor-3')
  })
})
