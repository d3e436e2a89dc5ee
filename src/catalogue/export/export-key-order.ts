// In charge of which spec keys become columns of a CSV, and in which order: one that agrees with the documents' own orders as
// far as any can, so that most of them can be put together again from their cells.
import { orderByVotes, type Votes } from './export-precedence.ts'

interface Key {
  readonly name: string
  /** Place among all keys, by first appearance. */
  readonly first: number
  count: number
  /** What came right behind it in some document, and how often. */
  readonly followers: Map<string, Follower>
}

interface Follower {
  readonly key: Key
  count: number
}

/** Beyond these a key, or what follows what, is not counted any more: the documents that have it need no columns. */
const keysMax = 20_000
const followersMax = 500_000

export class KeyOrder {
  readonly #keys = new Map<string, Key>()
  readonly #start: Key = { name: '', first: -1, count: 0, followers: new Map() }
  #followers = 0

  /** Takes note of the keys of a document, in their order. */
  add(names: readonly string[]): void {
    let before = this.#start
    for (const name of names) {
      const follower = before.followers.get(name) ?? this.#follow(before, name)
      const key = follower?.key ?? this.#keys.get(name)
      if (follower !== undefined) follower.count++
      if (key === undefined) return
      key.count++
      before = key
    }
  }

  /** The most frequent keys, in order. */
  columns(max: number): string[] {
    const kept = [...this.#keys.values()]
      .filter(({ name }) => isPlain(name))
      .sort((one, other) => other.count - one.count || one.first - other.first)
      .slice(0, max)
    return inOrder(kept).map(({ name }) => name)
  }

  #follow(before: Key, name: string): Follower | undefined {
    let key = this.#keys.get(name)
    if (key === undefined) {
      if (this.#keys.size === keysMax) return undefined
      key = { name, first: this.#keys.size, count: 0, followers: new Map() }
      this.#keys.set(name, key)
    }
    if (this.#followers === followersMax) return undefined
    this.#followers++
    const follower = { key, count: 0 }
    before.followers.set(name, follower)
    return follower
  }
}

const nameMax = 128
/** Whole numbers come before all other keys of an object; all else might be trimmed, escaped or taken for a delimiter. */
const risky = /^\d+$|^ | $| {2}|[^\S ]|[",;|^~¦\\\p{Cc}\p{Cs}\ufeff]/u

/** Whether it comes back as it is from the head of a column. */
function isPlain(name: string): boolean {
  return name !== '' && name.length <= nameMax && !risky.test(name)
}

function inOrder(keys: readonly Key[]): Key[] {
  const sorted = [...keys].sort((one, other) => one.first - other.first)
  const numbers = new Map(sorted.map((key, number) => [key, number]))
  const votes: Votes = new Int32Array(sorted.length ** 2)
  for (const [key, number] of numbers) {
    for (const follower of key.followers.values()) {
      const other = numbers.get(follower.key)
      if (other !== undefined && other !== number) votes[number * sorted.length + other] = follower.count
    }
  }
  return orderByVotes(sorted.length, votes).map((number) => sorted[number] as Key)
}
