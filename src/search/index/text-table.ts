// A hash map for strings that are new with every request. V8 internalises a new string before it looks it up in a Map,
// which takes several times as long as hashing and comparing it here.
import { hashQuickly } from './quick-hash.ts'

interface Entry<Value> {
  readonly text: string
  value: Value
  /** The next entry with the same hash. */
  next: Entry<Value> | undefined
}

/** Of one hash: whoever finds texts with the same hash must not make every lookup slow. */
const alikeMax = 16

export class TextTable<Value> {
  readonly #byHash = new Map<number, Entry<Value>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(text: string): Value | undefined {
    return findIn(this.#byHash.get(hashQuickly(text)), text)?.value
  }

  /** Returns false if there are so many texts with the same hash that this one is not added. */
  set(text: string, value: Value): boolean {
    const hash = hashQuickly(text)
    const first = this.#byHash.get(hash)
    const known = findIn(first, text)
    if (known !== undefined) known.value = value
    else if (lengthOf(first) === alikeMax) return false
    else {
      this.#byHash.set(hash, { text, value, next: first })
      this.#size++
    }
    return true
  }

  delete(text: string): void {
    const hash = hashQuickly(text)
    let kept: Entry<Value> | undefined
    for (let entry = this.#byHash.get(hash); entry !== undefined; entry = entry.next) {
      if (entry.text === text) this.#size--
      else kept = { ...entry, next: kept }
    }
    if (kept === undefined) this.#byHash.delete(hash)
    else this.#byHash.set(hash, kept)
  }

  clear(): void {
    this.#byHash.clear()
    this.#size = 0
  }
}

function findIn<Value>(first: Entry<Value> | undefined, text: string): Entry<Value> | undefined {
  let entry = first
  while (entry !== undefined && entry.text !== text) entry = entry.next
  return entry
}

function lengthOf(first: Entry<unknown> | undefined): number {
  let length = 0
  for (let entry = first; entry !== undefined; entry = entry.next) length++
  return length
}

/** Returns a copy of a well-formed text. A slice would keep all of the text that it was cut from. */
export function detached(text: string): string {
  return Buffer.from(text).toString()
}
