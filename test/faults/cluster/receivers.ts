// Runs the three webhook receivers of the drill: one answers at once, one slowly, one rejects some events or cuts the
// connection, each event at most once: the service repeats an event after 5 s, but only after 5 minutes the next time.
// Compares what each has accepted with the change log.
import { setTimeout as delay } from 'node:timers/promises'
import { openReceiver, type Received, type Receiver } from '../../webhooks/webhook-receiver.ts'

/** A change of a price, by which the drill recognises an event. Each price is written once. */
export interface PriceChange {
  readonly watchId: number
  readonly price: number
}

export interface Delivered {
  readonly name: string
  /** Changes of the log that the receiver has not accepted. */
  readonly lost: number
  /** Events that the receiver accepted more than once. */
  readonly doubled: number
  /** Events that arrived after a later one of the same watch. */
  readonly disordered: number
  /** Events that are not in the log: of writes that a promoted replica did not have. */
  readonly phantoms: number
}

const slowMs = 400
/** The flapping receiver rejects the next few events every other second; five failures in a row would mean that it is down. */
const flapEveryMs = 2_000
const flapMax = 3

export class Receivers {
  readonly #receivers: ReadonlyMap<string, Receiver>

  constructor(receivers: ReadonlyMap<string, Receiver>) {
    this.#receivers = receivers
  }

  get urls(): string[] {
    return [...this.#receivers.values()].map(({ url }) => url)
  }

  compare(log: readonly PriceChange[]): Delivered[] {
    return [...this.#receivers].map(([name, receiver]) => compareOne(name, receiver.taken(), log))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#receivers.values()].map((one) => one.close()))
  }
}

export async function openReceivers(): Promise<Receivers> {
  const [fast, slow, flapping] = [await openReceiver(), await openReceiver(), await openReceiver()]
  slow.answer = async () => {
    await delay(slowMs)
    return 204
  }
  flapping.answer = flap()
  return new Receivers(new Map(Object.entries({ fast, slow, flapping })))
}

function flap(): () => number {
  const rejected = new Set<string>()
  let [flapAtMs, left] = [performance.now(), 0]
  return ((event: Received['body']) => {
    const nowMs = performance.now()
    if (nowMs >= flapAtMs) [flapAtMs, left] = [nowMs + flapEveryMs, flapMax]
    const key = JSON.stringify([event.data.watch_id, event.data.sequence])
    if (left === 0 || rejected.has(key)) return 204
    left--
    rejected.add(key)
    return left % 2 === 0 ? 500 : 503
  }) as () => number
}

function compareOne(name: string, taken: readonly Received[], log: readonly PriceChange[]): Delivered {
  const seen = new Set<string>()
  const lastPrices = new Map<number, number>()
  let [doubled, disordered] = [0, 0]
  for (const { body } of taken) {
    if (body.type !== 'watch.price_changed') continue
    const change = { watchId: Number(body.data.watch_id), price: Number(body.data.watch?.retail_price_usd) }
    const key = keyOf(change)
    if (seen.has(key)) {
      doubled++
      continue
    }
    seen.add(key)
    const last = lastPrices.get(change.watchId) ?? 0
    if (change.price < last) disordered++
    lastPrices.set(change.watchId, Math.max(last, change.price))
  }
  const logged = new Set(log.map(keyOf))
  const lost = logged.difference(seen).size
  return { name, lost, doubled, disordered, phantoms: seen.difference(logged).size }
}

function keyOf({ watchId, price }: PriceChange): string {
  return `${watchId} ${price}`
}
