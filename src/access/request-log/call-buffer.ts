// Holds calls as bytes, oldest first. As objects they would live just long enough to be moved to the old generation of
// the heap, and under load the garbage collector would take a tenth of the processor to remove them again.

/** What the buffer holds of a call besides its texts. */
export interface CallNumbers {
  /** The account, and the how-manieth of its calls this is. */
  readonly account: number
  readonly call: number
  readonly key: number
  readonly sequence: number
  readonly status: number
  readonly atMs: number
  readonly durationMs: number
}

export interface CallTexts {
  readonly method: string
  readonly requestId: string
  readonly url: string
}

/** Decides which calls stay. */
interface Owner {
  /** Whether a call is still wanted; the others are overwritten. */
  readonly isPending: (account: number, call: number) => boolean
  /** Called with a call that is still wanted and does not fit. */
  readonly drop: (account: number, call: number) => void
}

/** The words of a record, 8 bytes each, before its texts. */
const at = {
  length: 0,
  account: 1,
  call: 2,
  key: 3,
  sequence: 4,
  status: 5,
  atMs: 6,
  durationMs: 7,
  method: 8,
  requestId: 9,
  url: 10,
} as const
const headWords = 11
const wordBytes = 8
const firstWords = 8_192
/** 32 MB. If it is full, at least the newest 16 MB of the calls stay. */
const wordsMax = 4_194_304

export class CallBuffer {
  readonly #owner: Owner
  #words = new Float64Array(firstWords)
  #bytes = bytesOf(this.#words)
  #start = 0
  #end = 0

  constructor(owner: Owner) {
    this.#owner = owner
  }

  /** The texts must be in Latin-1, as HTTP has them. */
  add(numbers: CallNumbers, { method, requestId, url }: CallTexts): void {
    const textLength = method.length + requestId.length + url.length
    const length = headWords + Math.ceil(textLength / wordBytes)
    if (this.#end + length > this.#words.length) this.#makeRoom(length)
    const words = this.#words
    const record = this.#end
    words[record + at.length] = length
    words[record + at.account] = numbers.account
    words[record + at.call] = numbers.call
    words[record + at.key] = numbers.key
    words[record + at.sequence] = numbers.sequence
    words[record + at.status] = numbers.status
    words[record + at.atMs] = numbers.atMs
    words[record + at.durationMs] = numbers.durationMs
    words[record + at.method] = method.length
    words[record + at.requestId] = requestId.length
    words[record + at.url] = url.length
    // In one write: each takes longer than to join such short texts.
    this.#bytes.write(method + requestId + url, (record + headWords) * wordBytes, 'latin1')
    this.#end = record + length
  }

  /** Returns the oldest pending call; undefined if there is none. */
  first(): (CallNumbers & CallTexts) | undefined {
    while (this.#start < this.#end && !this.#isPending(this.#start))
      this.#start += this.#lengthAt(this.#start)
    if (this.#start < this.#end) return this.#read(this.#start)
    this.#start = 0
    this.#end = 0
    if (this.#words.length > firstWords) this.#replace(new Float64Array(firstWords))
    return undefined
  }

  /** Moves the pending calls to the front; of more than half of the largest buffer, the oldest are dropped. */
  #makeRoom(length: number): void {
    let pending = 0
    for (let record = this.#start; record < this.#end; record += this.#lengthAt(record)) {
      if (this.#isPending(record)) pending += this.#lengthAt(record)
    }
    let size = this.#words.length
    while (size < wordsMax && pending + length > size / 2) size *= 2
    const into = size === this.#words.length ? this.#words : new Float64Array(size)
    let end = 0
    for (let record = this.#start; record < this.#end; ) {
      const next = record + this.#lengthAt(record)
      if (this.#isPending(record)) {
        if (pending + length > size / 2) {
          this.#owner.drop(this.#accountAt(record), this.#callAt(record))
          pending -= next - record
        } else {
          into.set(this.#words.subarray(record, next), end)
          end += next - record
        }
      }
      record = next
    }
    if (into !== this.#words) this.#replace(into)
    this.#start = 0
    this.#end = end
  }

  #replace(words: Float64Array<ArrayBuffer>): void {
    this.#words = words
    this.#bytes = bytesOf(words)
  }

  #isPending(record: number): boolean {
    return this.#owner.isPending(this.#accountAt(record), this.#callAt(record))
  }

  #lengthAt(record: number): number {
    return this.#words[record + at.length] as number
  }

  #accountAt(record: number): number {
    return this.#words[record + at.account] as number
  }

  #callAt(record: number): number {
    return this.#words[record + at.call] as number
  }

  #read(record: number): CallNumbers & CallTexts {
    const number = (of: keyof typeof at) => this.#words[record + at[of]] as number
    let text = (record + headWords) * wordBytes
    const read = (length: number) => {
      const from = text
      text += length
      return this.#bytes.toString('latin1', from, text)
    }
    return {
      account: number('account'),
      call: number('call'),
      key: number('key'),
      sequence: number('sequence'),
      status: number('status'),
      atMs: number('atMs'),
      durationMs: number('durationMs'),
      method: read(number('method')),
      requestId: read(number('requestId')),
      url: read(number('url')),
    }
  }
}

function bytesOf(words: Float64Array<ArrayBuffer>): Buffer {
  return Buffer.from(words.buffer)
}
