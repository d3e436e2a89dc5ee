// Holds the texts of a workbook, which its cells name by number. The texts are bytes in a few large buffers: as strings
// they would take several times the memory.
import { Failure } from '../../errors.ts'
import { sharedTextBytesMax, sharedTextsMax, xmlTokenCharsMax } from '../limits.ts'
import type { ZipEntry, ZipSource } from '../zip/zip-directory.ts'
import { readXml } from './workbook.ts'
import { BadXml } from './xml-tokens.ts'

const blockBytes = 1024 * 1024
/** Decoded texts that are kept, by the lowest bits of their number: most texts occur in many rows. */
const decodedMax = 16_384

export class WorkbookTexts {
  readonly #name: string
  readonly #blocks: Buffer[] = []
  /** How many bytes of each block are used. */
  readonly #used: number[] = []
  /** Where each text begins, counted over all blocks. It ends where the next one begins, or its block. */
  #starts = new Uint32Array(1_024)
  #count = 0
  readonly #decoded: (string | undefined)[] = new Array(decodedMax)
  readonly #decodedNumbers = new Int32Array(decodedMax).fill(-1)

  constructor(name: string) {
    this.#name = name
  }

  get(number: number): string {
    if (!(number >= 0 && number < this.#count)) throw new BadXml('a cell names a text that is missing')
    const slot = number % decodedMax
    const known = this.#decodedNumbers[slot] === number ? this.#decoded[slot] : undefined
    if (known !== undefined) return known
    const text = this.#decode(number)
    this.#decoded[slot] = text
    this.#decodedNumbers[slot] = number
    return text
  }

  /** Bytes cannot hold half a character. A zero character, which no cell may have either, stands for it. */
  add(given: string): void {
    const text = given.isWellFormed() ? given : given.replace(/\p{Cs}/gu, '\0')
    const bytes = Buffer.byteLength(text)
    if (bytes > blockBytes) throw new BadXml('it has a text that is too long')
    if (this.#blocks.length === 0 || (this.#used.at(-1) ?? 0) + bytes > blockBytes) {
      this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes))
      this.#used.push(0)
    }
    const last = this.#blocks.length - 1
    if (this.#blocks.length * blockBytes > sharedTextBytesMax) {
      throw this.#tooMuch(`${sharedTextBytesMax / 1024 / 1024} MB of text`)
    }
    if (this.#count === sharedTextsMax) throw this.#tooMuch(`${sharedTextsMax} different texts`)
    if (this.#count + 1 === this.#starts.length) this.#starts = doubled(this.#starts)
    const used = this.#used[last] ?? 0
    this.#starts[this.#count++] = last * blockBytes + used
    this.#starts[this.#count] = last * blockBytes + used + bytes
    this.#blocks[last]?.write(text, used)
    this.#used[last] = used + bytes
  }

  #tooMuch(limit: string): Failure {
    return new Failure(`${this.#name} has more than ${limit}: save it as CSV.`)
  }

  #decode(number: number): string {
    const start = this.#starts[number] ?? 0
    const block = Math.floor(start / blockBytes)
    const first = block * blockBytes
    const end = Math.min((this.#starts[number + 1] ?? 0) - first, this.#used[block] ?? 0)
    return this.#blocks[block]?.toString('utf8', start - first, end) ?? ''
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}

export async function readTexts(source: ZipSource, part: ZipEntry | undefined): Promise<WorkbookTexts> {
  const texts = new WorkbookTexts(source.name)
  if (part === undefined) return texts
  const reader = new TextReader()
  await readXml(source, part, {
    open: (name) => (name === 'si' ? reader.begin() : reader.open(name)),
    text: (text) => reader.text(text),
    close: (name) => (name === 'si' ? texts.add(reader.end()) : reader.close(name)),
  })
  return texts
}

/** Joins the runs of a text, which may differ in style. Phonetic hints beside them are not part of the text. */
export class TextReader {
  #text = ''
  #isText = false
  #isHint = false

  begin(): void {
    this.#text = ''
  }

  open(name: string): void {
    if (name === 'rPh') this.#isHint = true
    else if (name === 't') this.#isText = !this.#isHint
  }

  text(text: string): void {
    if (this.#isText) this.#text = joined(this.#text, text)
  }

  close(name: string): void {
    if (name === 'rPh') this.#isHint = false
    else if (name === 't') this.#isText = false
  }

  end(): string {
    return unescapeText(this.#text)
  }
}

/** One text of XML may come in pieces. */
export function joined(text: string, more: string): string {
  if (text.length + more.length > xmlTokenCharsMax) throw new BadXml('it has a text that is too long')
  return text + more
}

/** Characters that XML cannot have are written as `_x000D_`. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
