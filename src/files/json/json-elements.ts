// In charge of finding the records in JSON of any length: the elements of its list, which may be the whole file or lie in
// an object (`{"data": […]}`), or objects one after the other. Each is cut out as text; only brackets, commas and strings
// are looked at.
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
import { recordBytesMax } from '../limits.ts'
import { JsonBrackets } from './json-brackets.ts'
import { valuesBefore, valuesBehind } from './json-envelope.ts'

export interface JsonElement {
  /** Where the list has lines; in a list on one line, the number of the element. */
  readonly line: number
  /** Empty where nothing stands between two commas. */
  readonly text: string
}

/** How deep in objects the list may lie. */
const listDepthMax = 4
/** Of plain values beside a list, which tell a record that has one from a list that has a title. */
const recordValuesMin = 2
/** Of those that are told as not read. */
const besideNamesMax = 5
const outside = -1

const isPlain = new Uint8Array(256).fill(1)
for (const byte of [newline, quote, openBracket, closeBracket, openBrace, closeBrace]) isPlain[byte] = 0

export class JsonElements {
  readonly #name: string
  readonly #onElement: (element: JsonElement) => void
  readonly #onUnread: (line: number, reason: string) => void

  #block: Buffer = Buffer.alloc(0)
  /** How far the block has been looked at. */
  #at = 0
  #line = 1
  #isString = false
  #isEscaped = false
  readonly #brackets = new JsonBrackets()

  /** How much is open where the elements of the list stand. */
  #listDepth = outside
  /** A bracket has opened that is the list's if an object comes next. */
  #mayBeList = false
  #hadList = false
  /** The outermost object is a record, and its lists are values. */
  #isRecord = false
  /** Names of plain values beside the list. */
  #beside: string[] = []
  /** How many objects are open behind the list, whose rest is kept from `#start` on. */
  #restDepth = 0
  #outermostLine = 0
  #isAfterComma = false

  /** Where the element begins that is being read; outside of a list, the outermost object. */
  #start = outside
  #startLine = 0
  #lastLine = 0
  #count = 0
  #isOnOneLine = false

  /** `onUnread` is told of what stands beside the list and is not read. */
  constructor(
    name: string,
    onElement: (element: JsonElement) => void,
    onUnread: (line: number, reason: string) => void,
  ) {
    this.#name = name
    this.#onElement = onElement
    this.#onUnread = onUnread
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
    if (this.#block.length > recordBytesMax) this.#leaveLong()
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
    // The character that a backslash takes its meaning from may be the first of the next block.
    this.#isEscaped = at > block.length
    this.#at = Math.min(at + 1, block.length)
  }

  /** Within brackets other than the list's, only brackets and strings matter. Returns whether there is more to look at. */
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
    if (this.#hadList) {
      this.#onUnread(this.#line, 'a second list in the same file is not read: put it in a file of its own')
      return
    }
    if (this.#start !== outside) {
      const before = this.#block.toString('utf8', this.#start, this.#at - 1)
      this.#beside = valuesBefore(before, this.#brackets.depth - 1)
      this.#isRecord = this.#beside.length >= recordValuesMin
      if (this.#isRecord) return
    }
    this.#hadList = true
    this.#listDepth = this.#brackets.depth
    this.#start = outside
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

  /** An object without a list is a record itself. */
  #finishOutermost(): void {
    if (this.#restDepth > 0) this.#finishRest()
    else if (this.#start !== outside) this.#finish(this.#at)
    else if (!this.#hadList) this.#fail('there is no list of objects')
  }

  #finishRest(): void {
    if (this.#start !== outside) {
      const behind = this.#block.toString('utf8', this.#start, this.#at)
      this.#beside.push(...valuesBehind(behind, this.#restDepth))
    }
    this.#start = outside
    this.#restDepth = 0
    if (this.#beside.length === 0) return
    const names = this.#beside.slice(0, besideNamesMax).map((name) => `"${name}"`)
    if (this.#beside.length > besideNamesMax) names.push('more')
    const reason = `it has ${names.join(', ')} beside the list, which is not read: move it into the records`
    this.#onUnread(this.#outermostLine, reason)
  }

  #finish(stop: number): void {
    const start = this.#start === outside ? stop : this.#start
    if (this.#start === outside) this.#startLine = this.#line
    if (stop - start > recordBytesMax) this.#failLong()
    this.#count++
    if (this.#startLine === this.#lastLine) this.#isOnOneLine = true
    this.#lastLine = this.#startLine
    const text = this.#block.toString('utf8', start, stop).trimEnd()
    this.#start = outside
    this.#isAfterComma = false
    this.#onElement({ line: this.#isOnOneLine ? this.#count : this.#startLine, text })
  }

  /** Where a list may still come, an object may be as long as it is: it is no record then. */
  #leaveLong(): void {
    if (this.#isRecord || (this.#hadList && this.#restDepth === 0)) this.#failLong()
    this.#start = outside
    this.#block = Buffer.alloc(0)
    this.#at = 0
  }

  #failLong(): never {
    this.#line = this.#startLine
    return this.#fail(`the record has more than ${recordBytesMax / 1024 / 1024} MiB`)
  }

  #fail(what: string): never {
    throw new Failure(`${this.#name}:${this.#line}: ${what}: check that it is a whole list of JSON objects.`)
  }
}
