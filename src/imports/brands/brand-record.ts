// Reads a record of a file as a brand: finds the columns of its fields and parses their cells.
import { type BrandEdit, parseBrandEdit, type RawBrandEdit } from '../../catalogue/edit/brand-rules.ts'
import { readExportText } from '../../catalogue/export/export-text.ts'
import { Failure } from '../../errors.ts'
import type { FileRecord, RecordsFile } from '../../files/records.ts'
import { cellText, cleanText } from '../cells/clean-text.ts'
import { findJson, parseListLiteral } from '../cells/list-literal.ts'
import { snakeCase, wordsOf } from '../mapping/header-words.ts'
import type { Reject } from '../rejects.ts'

/** What a record says about a brand. A missing field: the record says nothing about it. */
export interface ToldBrand extends Pick<BrandEdit, 'slug' | 'country' | 'founded_year' | 'website'> {
  readonly line: number
  readonly name: string
  readonly aliases?: readonly string[] | undefined
  /** Only in an export: the brand's id and time in the catalogue that it was exported from. */
  readonly id?: number | undefined
  readonly updated_at?: string | undefined
}

/** Reads the records of one file. */
export interface BrandReader {
  /** Whether this service exported the file. It has the complete brands, so an empty cell clears its field. */
  readonly isExport: boolean
  /** Columns that are no field of a brand. */
  readonly ignored: readonly string[]
  read(record: FileRecord): ToldBrand | Reject
}

/** Field → column names, the best first. The first is the name of the field itself. */
const columnNames = {
  name: ['name', 'brand', 'brand_name', 'title', 'manufacturer', 'maker'],
  slug: ['slug', 'handle'],
  aliases: ['aliases', 'alias', 'also_known_as', 'aka', 'other_names', 'synonyms'],
  country: ['country', 'country_of_origin', 'origin'],
  founded_year: ['founded_year', 'founded', 'year_founded', 'founding_year', 'established', 'since'],
  website: ['website', 'web_site', 'url', 'homepage', 'site', 'link'],
  id: ['id'],
  updated_at: ['updated_at'],
} as const

type Field = keyof typeof columnNames
type Cells = Partial<Record<Field, unknown>>

const fields = Object.keys(columnNames) as Field[]
const idMax = 2 ** 31 - 1
const aliasesMax = 100

/** Throws a Failure if no column can be the name. */
export function brandReader(
  file: Pick<RecordsFile, 'name' | 'format'>,
  columns: readonly string[],
): BrandReader {
  const isExport = columns.length === fields.length && fields.every((field) => columns.includes(field))
  const found = new Map(fields.map((field) => [field, findColumn(columns, columnNames[field])]))
  if (found.get('name') === undefined) {
    throw new Failure(`${file.name} has no column with the names of brands: call it name.`)
  }
  const used = new Set(found.values())
  const isText = file.format === 'csv' || file.format === 'xlsx'
  return {
    isExport,
    ignored: columns.filter((_, column) => !used.has(column)),
    read(record) {
      const cells: Cells = {}
      for (const [field, column] of found) {
        const at = column === undefined ? -1 : record.columns.indexOf(column)
        if (at !== -1) cells[field] = record.cells[at]
      }
      try {
        return isExport ? readExported(record.line, cells, isText) : readForeign(record.line, cells)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return { line: record.line, value: JSON.stringify(cells.name) ?? '', reason: error.message }
      }
    },
  }
}

function findColumn(columns: readonly string[], names: readonly string[]): number | undefined {
  const words = columns.map((column) => snakeCase(wordsOf(column)))
  return names.map((name) => words.indexOf(name)).find((column) => column !== -1)
}

/** Cells are taken verbatim, and empty cells clear their fields. */
function readExported(line: number, cells: Cells, isText: boolean): ToldBrand {
  const text = (field: Field) => {
    const cell = textOf(field, cells[field])
    return isText ? readExportText(cell) : cell
  }
  const aliases = isText ? findJson(String(cells.aliases)) : cells.aliases
  if (!Array.isArray(aliases) || !aliases.every((alias) => typeof alias === 'string')) {
    throw new Failure('The aliases must be a list of texts.')
  }
  const edit = parseNamed(text('name'), {
    slug: text('slug'),
    country: text('country'),
    founded: text('founded_year'),
    website: text('website'),
  })
  return { line, ...edit, aliases, id: findId(text('id')), updated_at: findMoment(text('updated_at')) }
}

/** Empty cells leave their fields as they are. */
function readForeign(line: number, cells: Cells): ToldBrand {
  const told = (field: Field) => cleanText(textOf(field, cells[field]))
  const aliases = findAliases(cells.aliases)
  if (aliases.length > aliasesMax) throw new Failure(`A brand has at most ${aliasesMax} aliases.`)
  const { addAliases, ...edit } = parseNamed(told('name'), {
    alias: aliases,
    ...filled('slug', told('slug')),
    ...filled('country', told('country')),
    // Spreadsheets write years as 1905.0.
    ...filled('founded', told('founded_year').replace(/\.0+$/, '')),
    ...filled('website', withScheme(told('website'))),
  })
  return { line, ...edit, aliases: aliases.length === 0 ? undefined : addAliases }
}

function parseNamed(name: string, others: RawBrandEdit): BrandEdit & { readonly name: string } {
  const edit = parseBrandEdit({ name, ...others })
  return { ...edit, name: edit.name ?? name }
}

function filled(field: keyof RawBrandEdit, text: string): RawBrandEdit {
  return text === '' ? {} : { [field]: text }
}

function textOf(field: Field, cell: unknown): string {
  if (cell === undefined || cell === null) return ''
  if (typeof cell === 'object') throw new Failure(`The ${field} must be a text.`)
  return String(cell)
}

/** A list, or text separated by semicolons, bars or line breaks, or else by commas. */
function findAliases(cell: unknown): string[] {
  const list = Array.isArray(cell) ? cell : parseListLiteral(cellText(cell).trim())
  const text = cellText(cell)
  const parts = list ?? text.split(/[;|\n]/.test(text) ? /[;|\n]/ : ',')
  return parts.map((part) => cleanText(cellText(part))).filter((part) => part !== '')
}

const bareAddress = /^[a-z\d-]+(\.[a-z\d-]+)+(\/\S*)?$/i

function withScheme(website: string): string {
  return bareAddress.test(website) ? `https://${website}` : website
}

function findId(text: string): number | undefined {
  const id = /^[1-9]\d*$/.test(text) ? Number(text) : undefined
  return id !== undefined && id <= idMax ? id : undefined
}

/** Accepts only the format that this service writes. */
function findMoment(text: string): string | undefined {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : text
}
