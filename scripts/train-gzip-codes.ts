// Writes src/http/responses/gzip-codes.ts: the prefix codes of quick-gzip, fitted to pages of the sample
// catalogue. Run it when the JSON of a watch has changed so much that responses compress badly.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
/** The order in which a deflate block sends the lengths of the codes that its code lengths are sent with (RFC 1951). */
const metaOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const [literalSymbols, distanceSymbols, metaSymbols] = [286, 30, 19]
const [endOfBlock, repeat] = [256, 16]
const farthest = 32_768
/** Each symbol is counted as if at least one in so many were this one, so that any body can be encoded. */
const rarest = 4_096
/** The same for the codes of code lengths, which are limited to 7 bits. */
const rarestMeta = 64

interface Symbols {
  readonly literals: number[]
  readonly distances: number[]
}

const counts: Symbols = { literals: zeros(literalSymbols), distances: zeros(distanceSymbols) }
for (const page of samplePages()) countSymbols(page, counts)
const literalLengths = codeLengths(counts.literals, rarest)
const distanceLengths = codeLengths(counts.distances, rarest)
const header = blockHeader([...literalLengths, ...distanceLengths])
writeFileSync(
  path.join(root, 'src/http/responses/gzip-codes.ts'),
  `// The prefix codes of quick-gzip. Written by scripts/train-gzip-codes.ts; do not edit.

/** The number of bits of each literal or length symbol, in hexadecimal. */
export const literalLengths =
${quoted(hex(literalLengths))}

/** The number of bits of each distance symbol. */
export const distanceLengths = '${hex(distanceLengths)}'

/** The header of the deflate block, which declares these codes, in hexadecimal, and the number of its bits. */
export const blockHeader =
${quoted(header.bytes.toString('hex'))}
export const blockHeaderBits = ${header.bits}
`,
)

/** Pages of 1 to 128 watches. */
function samplePages(): Buffer[] {
  const lines = readFileSync(path.join(root, 'catalogue/watches.ndjson'), 'utf8').trimEnd().split('\n')
  const watches = lines.map((line, at) => {
    const { as_of: _, ...watch } = JSON.parse(line)
    return { id: at * 37, ...watch, updated_at: new Date(1.7e12 + at * 123_456_789).toISOString() }
  })
  return [1, 2, 4, 8, 16, 32, 64, 128].flatMap((limit) =>
    Array.from({ length: Math.floor(watches.length / limit) }, (_, page) => {
      // Watches that stand far apart, as in the result of a filter: neighbours have more in common.
      const apart = Math.floor(watches.length / limit)
      const data = watches.filter((_, at) => at % apart === page).slice(0, limit)
      return Buffer.from(
        JSON.stringify({ data, meta: { total: watches.length, limit, offset: page * limit } }),
      )
    }),
  )
}

/** Finds the matches that quick-deflate.wat finds, save for collisions in its hash table. */
function countSymbols(body: Buffer, { literals, distances }: Symbols): void {
  const seen = new Map<string, number>()
  const key = (at: number) => body.toString('latin1', at, at + 6)
  let at = 0
  while (at < body.length) {
    const earlier = at > body.length - 8 ? undefined : seen.get(key(at))
    seen.set(key(at), at)
    if (earlier === undefined || at - earlier > farthest) {
      increment(literals, body[at++] as number)
      continue
    }
    let same = 6
    while (same < 258 && at + same < body.length && body[at + same] === body[earlier + same]) same++
    increment(literals, endOfBlock + 1 + lengthSymbol(same))
    increment(distances, distanceSymbol(at - earlier))
    seen.set(key(at + 1), at + 1)
    at += same
    seen.set(key(at - 2), at - 2)
  }
  increment(literals, endOfBlock)
}

function lengthSymbol(length: number): number {
  if (length === 258) return 28
  const extraBits = Math.max(0, 29 - Math.clz32(length - 3))
  return 4 * extraBits + ((length - 3) >> extraBits)
}

function distanceSymbol(distance: number): number {
  const extraBits = Math.max(0, 30 - Math.clz32(distance - 1))
  return 2 * extraBits + ((distance - 1) >> extraBits)
}

/** Huffman's algorithm. Of symbols with equal counts the first get the shorter codes: equal lengths stand together. */
function codeLengths(symbolCounts: readonly number[], rarestOf: number): number[] {
  const total = symbolCounts.reduce((sum, count) => sum + count)
  const weights = symbolCounts.map((count) => Math.max(count, total / rarestOf))
  const depths = zeros(weights.length)
  const trees = weights.map((weight, symbol) => ({ weight, symbols: [symbol] }))
  while (trees.length > 1) {
    trees.sort((one, other) => one.weight - other.weight)
    const lightest = trees.splice(0, 2)
    const symbols = lightest.flatMap((tree) => tree.symbols)
    for (const symbol of symbols) increment(depths, symbol)
    trees.push({ weight: lightest.reduce((sum, { weight }) => sum + weight, 0), symbols })
  }
  depths.sort((one, other) => one - other)
  const byWeight = [...weights.keys()].sort(
    (one, other) => (weights[other] as number) - (weights[one] as number) || one - other,
  )
  const lengths = zeros(weights.length)
  byWeight.forEach((symbol, rank) => {
    lengths[symbol] = depths[rank] as number
  })
  return lengths
}

function blockHeader(lengths: readonly number[]): { bytes: Buffer; bits: number } {
  const runs = repeated(lengths)
  const metaCounts = zeros(metaSymbols)
  for (const { symbol } of runs) increment(metaCounts, symbol)
  const metaLengths = codeLengths(metaCounts, rarestMeta)
  const metaCodes = canonicalCodes(metaLengths)
  const binary = [
    // The last block, with codes of its own.
    ...[bits(1, 1), bits(2, 2)],
    ...[bits(literalSymbols - 257, 5), bits(distanceSymbols - 1, 5), bits(metaSymbols - 4, 4)],
    ...metaOrder.map((symbol) => bits(metaLengths[symbol] as number, 3)),
    ...runs.map(({ symbol, extra }) => metaCodes[symbol] + extra),
  ].join('')
  const octets = binary.match(/.{1,8}/g) ?? []
  const bytes = Buffer.from(octets.map((octet) => Number.parseInt([...octet].reverse().join(''), 2)))
  return { bytes, bits: binary.length }
}

/** Run-length encoding: symbol 16 repeats the length before it 3 to 6 times. */
function repeated(lengths: readonly number[]): { symbol: number; extra: string }[] {
  const runs: { symbol: number; extra: string }[] = []
  for (let at = 0; at < lengths.length; ) {
    let count = 0
    while (count < 6 && at > 0 && lengths[at + count] === lengths[at - 1]) count++
    if (count >= 3) {
      runs.push({ symbol: repeat, extra: bits(count - 3, 2) })
      at += count
    } else {
      runs.push({ symbol: lengths[at++] as number, extra: '' })
    }
  }
  return runs
}

/** Codes as binary digits, the first digit sent first. */
function canonicalCodes(lengths: readonly number[]): string[] {
  const codes: string[] = []
  let code = 0
  for (let length = 1; length <= 7; length++) {
    lengths.forEach((own, symbol) => {
      if (own === length) codes[symbol] = (code++).toString(2).padStart(length, '0')
    })
    code *= 2
  }
  return codes
}

/** Numbers other than codes are sent with the lowest bit first. */
function bits(value: number, count: number): string {
  return [...value.toString(2).padStart(count, '0')].reverse().join('')
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}

function increment(numbers: number[], at: number): void {
  numbers[at] = (numbers[at] as number) + 1
}

function hex(lengths: readonly number[]): string {
  return lengths.map((length) => length.toString(16)).join('')
}

function quoted(text: string): string {
  return (text.match(/.{1,100}/g) ?? []).map((line) => `  '${line}'`).join(' +\n')
}
