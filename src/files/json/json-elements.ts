// Finds the records in JSON of any length: the elements of its list, which may be the whole file or be wrapped in an
// object (`{"data": […]}`), or objects one after the other. Each record is cut out as text; the scanner looks only at
// brackets, commas and strings.
import { Failure } from '../../errors.ts'
import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  newline,
  openBrace,
  openBracket,
  quote,
  space,
} from '../ascii.ts'
import { jsonTableBytesMax, recordBytesMax } from '../limits.ts'
import { JsonBrackets } from './json-brackets.ts'
import {
  isOtherList,
  pathBehind,
  tellBeside,
  valuesOf,
  wrapperBefore,
  wrapperBehind,
} from './json-envelope.ts'
import { listDepthMax, pathOfWatches } from './list-of-watches.ts'
import { parseJson } from './parse-json.ts'

/**
 * `line` is where the element begins; in a list on one line, it is the number of the element. `text` is empty if there
 * is nothing between two commas.
 */
type OnElement = (line: number, text: string) => void

export interface JsonListeners {
  readonly onElement: OnElement
  /** Called for an outermost object that wraps no list. Returns false if it is too long for what it is. */
  readonly onObject: (line: number, text: string) => boolean
  /** Called before the elements, with what the file says of the currency of all of them. */
  readonly onCurrency: (text: string) => void
  /** Called after elements, with what the file says of the currency of all of them. */
  readonly onLateCurrency: (text: string) => void
  /** Called for values beside the list, which are not read. */
  readonly onBeside: (line: number, reason: string) => void
  /** Called for lists beside the list, which are not read. */
  readonly onUnread: (line: number, reason: string) => void
}

/** An object with at least this many plain values before its list is a record; with fewer it wraps the list. */
const recordValuesMin = 2
/** Lists of one object whose paths are read. */
const pathsMax = 16
const shownCharsMax = 60
const outside = -1
const noList = 'there is no list of objects'

const isPlain = new Uint8Array(256).fill(1)
for (const byte of [newline, quote, openBracket, closeBracket, openBrace, closeBrace]) isPlain[byte] = 0

export class JsonElements {
  readonly #name: string
  readonly #listeners: JsonListeners

  #block: Buffer = Buffer.alloc(0)
  /** The offset up to which the block has been scanned. */
  #at = 0
  #line = 1
  #isString = false
  #isEscaped = false
  readonly #brackets = new JsonBrackets()

  /** The bracket depth of the list's elements; `outside` if no list is open. */
  #listDepth = outside
  /** A bracket was just opened; it begins the list if an object follows. */
  #mayBeList = false
  #hadList = false
  /** The path of the list, as far as it is known. */
  #listPath: readonly string[] = []
  /** The path of the first list that was passed over because of its name. */
  #passedPath: readonly string[] | undefined
  /** Which lists count: those of records, of any name, or the one at this path. */
  readonly #takes: 'records' | 'any' | readonly string[]
  #paths = 0
  /** Whether the outermost object is a record, so that its lists are values. */
  #isRecord = false
  /** The names of plain values beside the list. */
  #beside: string[] = []
  /** How many wrapping objects are still open after the list. Their text is kept from `#start` on. */
  #restDepth = 0
  #outermostLine = 0
  #isAfterComma = false

  /** The offset of the current element; outside of a list, of the outermost object. */
  #start = outside
  #startLine = 0
  #lastLine = 0
  #count = 0
  #isOnOneLine = false

  constructor(
    name: string,
    listeners: JsonListeners,
    takes: 'records' | 'any' | readonly string[] = 'records',
  ) {
    this.#name = name
    this.#listeners = listeners
    this.#takes = takes
  }

  read(chunk: Buffer, end: boolean): void {
    this.#block = this.#block.length === 0 ? chunk : Buffer.concat([this.#block, chunk])
    while (this.#at < this.#block.length) {
      if (this.#isString) this.#skipString()
      else if (this.#skipPlain()) this.#look(this.#block[this.#at++] as number)
    }
    if (end && (this.#brackets.depth > 0 || this.#isString))
      this.#fail('the file ends before its brackets are closed')
    const keep = this.#start === outside ? this.#block.length : this.#start
    this.#block = this.#block.subarray(keep)
    this.#at -= keep
    if (this.#start !== outside) this.#start = 0
    if (this.#block.length > (this.#isInList ? recordBytesMax : jsonTableBytesMax)) this.#leaveLong()
  }

  get #isInList(): boolean {
    return this.#hadList && this.#restDepth === 0
  }

  #skipString(): void {
    const block = this.#block
    let at = this.#isEscaped ? this.#at + 1 : this.#at
    for (; at < block.length; at++) {
      const byte = block[at]
      if (byte === quote) break
      if (byte === backslash) at++
      else if (byte === newline) this.#line++
    }
    this.#isString = at >= block.length
    // The character after a backslash may be the first of the next block.
    this.#isEscaped = at > block.length
    this.#at = Math.min(at + 1, block.length)
  }

  /** Inside other brackets than the list's, only brackets and strings matter. Returns whether there is more to scan. */
  #skipPlain(): boolean {
    if (this.#brackets.depth === 0 || this.#brackets.depth === this.#listDepth || this.#mayBeList) return true
    const block = this.#block
    while (this.#at < block.length) {
      let at = this.#at
      while (at < block.length && isPlain[block[at] as number] === 1) at++
      this.#at = at
      if (block[at] !== quote) break
      this.#at++
      this.#skipString()
    }
    return this.#at < block.length && !this.#isString
  }

  #look(byte: number): void {
    if (byte === newline) this.#line++
    if (byte <= space) return
    if (this.#mayBeList) this.#decideList(byte)
    if (this.#brackets.depth === this.#listDepth) this.#lookBetween(byte)
    else this.#lookWithin(byte)
  }

  #decideList(byte: number): void {
    this.#mayBeList = false
    if (byte !== openBrace || this.#isRecord) return
    if (this.#hadList) this.#passFurther()
    else if (this.#start === outside || this.#isListOfRecords()) {
      this.#hadList = true
      this.#listDepth = this.#brackets.depth
      this.#start = outside
    }
  }

  /** The text before a list is parsed again for each list that is passed over, so these are limited. */
  #isListOfRecords(): boolean {
    const before = this.#block.toString('utf8', this.#start, this.#at - 1)
    const { path, values, currency } = wrapperBefore(before, this.#brackets.depth - 1)
    const takes = this.#takes
    if (typeof takes === 'object') {
      if (takes.join('\n') !== path.join('\n')) return false
    } else {
      this.#isRecord = values.length >= recordValuesMin
      if (this.#isRecord) return false
      if (isOtherList(path) && takes === 'records' && this.#paths++ < pathsMax) {
        this.#passedPath ??= path
        return false
      }
    }
    this.#listPath = path
    this.#beside = [...values]
    if (currency !== undefined) this.#listeners.onCurrency(currency)
    return true
  }

  #passFurther(): void {
    let path: readonly string[] = []
    if (this.#start !== outside && this.#paths++ < pathsMax) {
      const between = this.#block.toString('utf8', this.#start, this.#at - 1)
      path = pathBehind(between, this.#listPath.slice(0, this.#restDepth), this.#brackets.depth - 1)
    }
    if (isOtherList(path) && !isOtherList(this.#listPath)) return
    const names = [this.#listPath, path].map((one) => `"${one.join('.').slice(0, shownCharsMax)}"`)
    const reason = [this.#listPath, path].every((one) => one.length > 0)
      ? `${names[0]} is read as the list of records; ${names[1]} is a second list and is not read`
      : 'a second list in the same file is not read'
    this.#listeners.onUnread(this.#line, `${reason}: put it in a file of its own`)
  }

  #lookBetween(byte: number): void {
    if (byte === comma) {
      this.#finish(this.#at - 1)
      this.#isAfterComma = true
    } else if (byte === closeBracket) {
      if (this.#start !== outside || this.#isAfterComma) this.#finish(this.#at - 1)
      this.#isAfterComma = false
      this.#listDepth = outside
      this.#nest(byte)
      this.#restDepth = this.#brackets.depth
      if (this.#restDepth > 0) this.#start = this.#at
    } else {
      if (this.#start === outside) this.#begin()
      this.#nest(byte)
    }
  }

  #lookWithin(byte: number): void {
    if (this.#brackets.depth > 0) {
      this.#mayBeList =
        byte === openBracket &&
        this.#listDepth === outside &&
        this.#brackets.depth <= listDepthMax &&
        !this.#brackets.isInArray
      this.#nest(byte)
      if (this.#brackets.depth === 0) this.#finishOutermost()
    } else if (byte === openBrace || byte === openBracket) {
      this.#hadList = byte === openBracket
      this.#listDepth = this.#hadList ? 1 : outside
      this.#isRecord = false
      this.#beside = []
      this.#listPath = []
      this.#passedPath = undefined
      this.#paths = 0
      this.#outermostLine = this.#line
      this.#begin()
      if (this.#hadList) this.#start = outside
      this.#nest(byte)
    } else this.#fail('this is not JSON')
  }

  #begin(): void {
    this.#start = this.#at - 1
    this.#startLine = this.#line
  }

  #nest(byte: number): void {
    if (byte === quote) this.#isString = true
    const fault = this.#brackets.pass(byte)
    if (fault !== undefined) this.#fail(fault)
  }

  /** An outermost object without a list is itself a record, or a table. */
  #finishOutermost(): void {
    if (this.#restDepth > 0) this.#finishRest()
    else if (this.#start !== outside) this.#finishObject()
    else if (!this.#hadList) this.#failWithoutList()
  }

  #finishObject(): void {
    const text = this.#block.toString('utf8', this.#start, this.#at)
    this.#start = outside
    const isWrapper = this.#passedPath !== undefined && valuesOf(text).length < recordValuesMin
    const path = this.#isRecord ? pathOfWatches(parseJson(text)) : undefined
    if (path !== undefined) this.#readAgain(text, path)
    // No list has a better name, so the first one counts.
    else if (isWrapper) this.#readAgain(text, 'any')
    else if (!this.#listeners.onObject(this.#numbered(this.#outermostLine), text)) {
      if (this.#isRecord) this.#failLong()
      this.#failWithoutList()
    }
  }

  #readAgain(text: string, takes: 'any' | readonly string[]): void {
    const again = new JsonElements(this.#name, this.#listeners, takes)
    again.#line = this.#outermostLine
    again.read(Buffer.from(text), true)
  }

  #finishRest(): void {
    if (this.#start !== outside) {
      const behind = this.#block.toString('utf8', this.#start, this.#at)
      const { values, currency } = wrapperBehind(behind, this.#restDepth)
      this.#beside.push(...values)
      if (currency !== undefined) this.#listeners.onLateCurrency(currency)
    }
    this.#start = outside
    this.#restDepth = 0
    const told = tellBeside(this.#beside)
    if (told !== undefined) this.#listeners.onBeside(this.#outermostLine, told)
  }

  #finish(stop: number): void {
    const start = this.#start === outside ? stop : this.#start
    if (this.#start === outside) this.#startLine = this.#line
    if (stop - start > recordBytesMax) this.#failLong()
    const text = this.#block.toString('utf8', start, stop).trimEnd()
    this.#start = outside
    this.#isAfterComma = false
    this.#listeners.onElement(this.#numbered(this.#startLine), text)
  }

  /** Returns the number of the element if they stand on one line, else its line. */
  #numbered(line: number): number {
    this.#count++
    if (line === this.#lastLine) this.#isOnOneLine = true
    this.#lastLine = line
    return this.#isOnOneLine ? this.#count : line
  }

  /** An object that may still have a list may have any length: if it is too long, it is kept as no record and no table. */
  #leaveLong(): void {
    if (this.#isRecord || this.#isInList) this.#failLong()
    this.#start = outside
    this.#block = Buffer.alloc(0)
    this.#at = 0
  }

  #failLong(): never {
    this.#line = this.#startLine
    return this.#fail(`the record has more than ${recordBytesMax / 1024 / 1024} MiB`)
  }

  #failWithoutList(): never {
    const passed = this.#passedPath?.join('.').slice(0, shownCharsMax)
    return this.#fail(
      passed === undefined ? noList : `the only list of objects is "${passed}", which is not read`,
    )
  }

  #fail(what: string): never {
    throw new Failure(`${this.#name}:${this.#line}: ${what}: check that it is a whole list of JSON objects.`)
  }
}
