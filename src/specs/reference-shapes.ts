// Reads the table of references: the shapes that the reference numbers of a brand have, the endings that do not tell
// watches apart, and which reference replaced which. It does not know which watches exist.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../config.ts'
import { Failure } from '../errors.ts'
import { foldBrand, foldReference } from './fold.ts'
import { tableLines } from './table-lines.ts'

interface ReferenceShapes {
  /** Returns undefined for a brand whose references have no regular shape. */
  of(brand: string): BrandShapes | undefined
  /** The references that replaced this one, and those that it replaced, as the table writes them. */
  successors(folded: string): readonly string[]
  predecessors(folded: string): readonly string[]
  /** All references that the table links, folded. */
  readonly linked: readonly string[]
}

/** All texts are folded references (`foldReference`). */
export interface BrandShapes {
  /** The first shape that the text has. */
  match(folded: string): ShapeMatch | undefined
  /** The text without an ending that only tells the market, or the dial on the maker's own site. */
  withoutEnding(folded: string): readonly string[]
  /** The letters of the maker that may stand before a reference, such as `m`, `q` and `iw`. */
  readonly leads: readonly string[]
}

export interface ShapeMatch {
  /** What the variants of one model share, without the letters of the maker before it. */
  readonly base: string
  /** The text without the letters of the maker. */
  readonly whole: string
  /** Whether variants exist, but the text names none. */
  readonly isBase: boolean
}

interface Ending {
  readonly pattern: RegExp
  readonly isBehindVariant: boolean
}

interface Shape {
  readonly whole: RegExp
  readonly hasVariants: boolean
  readonly lead: string
}

/** Longer texts are no references: they are not compared. */
const referenceLengthMax = 40
const successorsSection = 'successors'
const endingsSection = 'endings'
const section = /^\[([^[\]]+)\]$/
const leading = /^\(([a-z0-8][a-z0-8 .]*)\)/
const pieces = /\{\d+(?:,\d+)?\}|[A9*()|a-z0-8]|[\s./-]/g

const tableFile = path.join(packageRoot, 'catalogue', 'references.txt')
let table: ReferenceShapes | undefined

/** Reads the table of the package, once. */
export function referenceShapes(): ReferenceShapes {
  table ??= parseReferenceShapes(readFileSync(tableFile, 'utf8'), tableFile)
  return table
}

export function parseReferenceShapes(text: string, file: string): ReferenceShapes {
  const shapes = new Map<string, Shape[]>()
  const endings = new Map<string, Ending[]>()
  const newer = new Map<string, string[]>()
  const older = new Map<string, string[]>()
  const lines = { file, about: 'references', example: '[Rolex]', parseSection }
  for (const { section: name, content, place } of tableLines(text, lines)) {
    if (name === successorsSection) {
      const [before, after] = parsePair(content, place)
      newer.getOrInsertComputed(foldReference(before), () => []).push(after)
      older.getOrInsertComputed(foldReference(after), () => []).push(before)
    } else if (name === endingsSection) {
      const { brand, patterns } = parseEndings(content, place)
      endings.set(foldBrand(brand), patterns)
    } else shapes.getOrInsertComputed(foldBrand(name), () => []).push(parseShape(content, place))
  }
  const brands = new Map<string, BrandShapes>()
  for (const [brand, own] of shapes) brands.set(brand, openShapes(own, endings.get(brand) ?? []))
  return {
    of: (brand) => brands.get(foldBrand(brand)),
    successors: (folded) => newer.get(folded) ?? [],
    predecessors: (folded) => older.get(folded) ?? [],
    linked: [...new Set([...newer.keys(), ...older.keys()])],
  }
}

function parseSection(content: string, place: string): string {
  const [, name = ''] = section.exec(content) ?? []
  if (name.trim() !== '') return name.trim()
  throw new Failure(`${place}: a section is written [Brand], [${successorsSection}] or [${endingsSection}].`)
}

function parsePair(content: string, place: string): [string, string] {
  const [before = '', after = '', ...more] = content.split('=').map((part) => part.trim())
  if (foldReference(before) !== '' && foldReference(after) !== '' && more.length === 0) return [before, after]
  throw new Failure(`${place}: a successor is written older = newer.`)
}

function parseEndings(content: string, place: string): { brand: string; patterns: Ending[] } {
  const at = content.indexOf(':')
  const brand = content.slice(0, at === -1 ? 0 : at).trim()
  const written = content.slice(at + 1).split(',')
  if (brand === '') throw new Failure(`${place}: endings are written Brand: shape, shape.`)
  const patterns = written.map((one) => {
    const shape = one.trim()
    const isBehindVariant = shape.startsWith('|')
    const { source } = compile(isBehindVariant ? shape.slice(1) : shape, place)
    return { pattern: new RegExp(`${source}$`), isBehindVariant }
  })
  return { brand, patterns }
}

function parseShape(content: string, place: string): Shape {
  const [bracket, lead = ''] = leading.exec(content) ?? []
  const { source, hasVariants } = compile(content.slice(bracket?.length ?? 0), place)
  const folded = foldReference(lead)
  const before = folded === '' ? '' : `(?:${folded})?`
  return { whole: new RegExp(`^${before}(${source})$`), hasVariants, lead: folded }
}

/** Returns the source of a regular expression; of a shape with variants, the base is its first group but one. */
function compile(shape: string, place: string): { source: string; hasVariants: boolean } {
  let source = ''
  let open = 0
  let base: string | undefined
  let read = 0
  for (const [piece] of shape.matchAll(pieces)) {
    read += piece.length
    if (piece === '|') {
      if (base !== undefined || open > 0) throw unreadable(shape, place)
      base = source
      source = ''
    } else if (piece === '(') {
      open++
      source += '(?:'
    } else if (piece === ')') {
      if (--open < 0) throw unreadable(shape, place)
      source += ')?'
    } else source += sourceOf(piece)
  }
  if (read !== shape.length || open !== 0 || (base ?? source) === '') throw unreadable(shape, place)
  try {
    new RegExp(source)
  } catch {
    throw unreadable(shape, place)
  }
  return { source: base === undefined ? source : `(${base})${source}`, hasVariants: base !== undefined }
}

function sourceOf(piece: string): string {
  if (piece === '9') return '\\d'
  if (piece === 'A') return '[a-z]'
  if (piece === '*') return '[a-z\\d]'
  return /^[\s./-]$/.test(piece) ? '' : piece
}

function unreadable(shape: string, place: string): Failure {
  return new Failure(
    `${place}: “${shape}” is no shape: it has 9, A, *, the letters a-z, the digits 0-8, {3}, {2,4}, (…) and one | outside of brackets.`,
  )
}

function openShapes(shapes: readonly Shape[], endings: readonly Ending[]): BrandShapes {
  // Most texts have no shape at all: one comparison tells.
  const any = new RegExp(shapes.map(({ whole }) => whole.source.replace(/\((?!\?)/g, '(?:')).join('|'))
  const match = (folded: string): ShapeMatch | undefined => {
    if (folded.length > referenceLengthMax || !any.test(folded)) return undefined
    for (const { whole, hasVariants } of shapes) {
      const [, own, base = own] = whole.exec(folded) ?? []
      if (own === undefined || base === undefined) continue
      return { whole: own, base, isBase: hasVariants && own === base }
    }
    return undefined
  }
  return {
    leads: [...new Set(shapes.map(({ lead }) => lead).filter((lead) => lead !== ''))],
    match,
    withoutEnding: (folded) =>
      endings.flatMap(({ pattern, isBehindVariant }) => {
        const shorter = folded.replace(pattern, '')
        if (shorter === folded || shorter === '') return []
        return isBehindVariant && match(shorter)?.isBase !== false ? [] : [shorter]
      }),
  }
}
