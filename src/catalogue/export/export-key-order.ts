// Chooses which spec keys become columns of a CSV, and in which order. The order agrees with that of the documents as
// far as possible, so that few documents need their order in a cell of its own.
import { isIndexKey } from '../index-key.ts'
import { orderByVotes, type Votes } from './export-precedence.ts'

interface Key {
  readonly name: string
  /** The position among all keys, by first appearance. */
  readonly first: number
  count: number
  /** The keys that came right after this one in some document, and how often. */
  readonly followers: Map<string, Follower>
}

interface Follower {
  readonly key: Key
  count: number
}

/** Keys, and pairs of successive keys, beyond these limits are not counted: they get no columns. */
const keysMax = 20_000
const followersMax = 500_000

export class KeyOrder {
  readonly #keys = new Map<string, Key>()
  readonly #start: Key = { name: '', first: -1, count: 0, followers: new Map() }
  #followers = 0

  /** Counts the keys of a document, in their order. */
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

  /** Returns the most frequent keys, in the order of the columns: integers first, as in every object. */
  columns(max: number): string[] {
    const kept = [...this.#keys.values()]
      .filter(({ name }) => isPlain(name))
      .sort((one, other) => other.count - one.count || one.first - other.first)
      .slice(0, max)
    const { indexes = [], others = [] } = Object.groupBy(
      inOrder(kept).map(({ name }) => name),
      (name) => (isIndexKey(name) ? 'indexes' : 'others'),
    )
    return [...indexes.sort((one, other) => Number(one) - Number(other)), ...others]
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
/** Keys that might be trimmed, escaped or taken for a delimiter. */
const risky = /^ | $| {2}|[^\S ]|[",;|^~¦\\\p{Cc}\p{Cs}\ufeff]/u

/** Whether the name is read back unchanged from the header of a column. */
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
