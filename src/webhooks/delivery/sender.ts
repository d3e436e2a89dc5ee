// In charge of sending: fans changes out, claims endpoints that have something due, runs them, and does it again when
// something new is told, or when it is time. Any number of processes may do so on one database.
import { setTimeout as delay } from 'node:timers/promises'
import { changesChannel } from '../../changes/log.ts'
import type { Log } from '../../log.ts'
import type { Sealer } from '../../seal.ts'
import { Semaphore } from '../../semaphore.ts'
import { Signal } from '../../storage/signal.ts'
import { type NoticeParts, tellOwners } from '../endpoints/notices.ts'
import { FanOut, type FanOutParts } from '../fan-out/fan-out.ts'
import type { Poster } from '../outbound/post.ts'
import type { Random } from '../retry-schedule.ts'
import { secretsOf } from '../secret.ts'
import { webhooksChannel } from '../wake.ts'
import { type ClaimedEndpoint, Claims } from './claims.ts'
import { EndpointRun, type Outcome, type RunParts } from './endpoint-run.ts'
import { EventCache } from './event-cache.ts'
import { plainHeaders } from './plain-headers.ts'
import { type FirstPages, readFirstPages, readPage } from './queue.ts'
import { Recorder } from './recorder.ts'
import { removeOld } from './retention.ts'

export interface SenderParts extends FanOutParts, NoticeParts {
  readonly log: Log
  readonly poster: Poster
  readonly sealer: Sealer
  readonly random?: Random
  /** How long results are gathered before they are written down. */
  readonly gatherMs?: number | undefined
  readonly onOutcome?: (outcome: Outcome) => void
}

/** Endpoints claimed at once, and run at a time. */
const claimMax = 256
const runsMax = 512
/** Posts under way at a time, to all endpoints together: those that are slow or fail have permits of their own. */
const fastPermits = 320
const slowPermits = 256
/** Endpoints that were slow are remembered as such, up to so many. */
const slowMax = 10_000
/** How often it is looked whether something is due that nobody told of. */
const pollMs = 1_000
const retryMs = 1_000
/** What is due within so long is looked for at its time. */
const ringsMaxMs = 10_000
/** How often it is looked whether an owner has changed what is being sent to. */
const reviewMs = 1_000
/** How often owners are told, and what is old is removed. */
const noticesMs = 60_000
const retentionMs = 600_000
/** When the service stops, posts that are under way are given so long, and all of it a little longer. */
const cutAfterMs = 5_000
const stopMaxMs = 8_000
/** An endpoint whose secret cannot be opened is looked at again after so long. */
const lockedMs = 3_600_000

export class Sender {
  readonly #parts: SenderParts
  readonly #fanOut: FanOut
  readonly #claims: Claims
  readonly #recorder: Recorder
  readonly #fast = new Semaphore({ permits: fastPermits, waitingMax: Number.POSITIVE_INFINITY })
  readonly #slow = new Semaphore({ permits: slowPermits, waitingMax: Number.POSITIVE_INFINITY })
  readonly #slowIds = new Set<number>()
  readonly #bell = new Signal()
  readonly #changesBell = new Signal()
  readonly #stopping = new AbortController()
  /** Aborted a while later: what is still under way then is given up. */
  readonly #cutting = new AbortController()
  readonly #running = new Set<Promise<void>>()
  readonly #runs = new Set<EndpointRun>()
  readonly #runParts: RunParts
  #loops: Promise<unknown> | undefined
  #unlisten = () => {}

  constructor(parts: SenderParts) {
    const { database, clock, log, poster, random = Math.random, onOutcome = () => {} } = parts
    this.#parts = parts
    this.#fanOut = new FanOut(parts)
    this.#claims = new Claims(database, clock)
    this.#recorder = new Recorder(database, this.#claims, log, parts.gatherMs)
    const events = new EventCache(database.reader)
    const { signal } = this.#cutting
    this.#runParts = {
      clock,
      random,
      onOutcome,
      semaphoreFor: (isSlow) => (isSlow ? this.#slow : this.#fast),
      post: (url, signature, body) => {
        const posted = poster.post(url, { ...plainHeaders, ...signature }, body, signal)
        return posted.then((outcome) => (signal.aborted ? undefined : outcome))
      },
      nextPage: (id, after) => readPage(database.reader, id, after),
      findEvent: (id) => events.find(id),
      readEvent: (id, ahead) =>
        events.read(
          id,
          ahead.map(({ event_id }) => event_id),
        ),
      isChanged: async (endpoint) => (await this.#findChanged([endpoint])).has(endpoint.id),
      record: (result) => this.#recorder.add(result),
      isStopping: () => this.#stopping.signal.aborted,
    }
  }

  /** Goes on until it is stopped. */
  start(): void {
    const { database } = this.#parts
    const quiet = [changesChannel, webhooksChannel].map((channel) =>
      database.listen(channel, () => this.wake()),
    )
    this.#unlisten = () => {
      for (const unlisten of quiet) unlisten()
    }
    this.#loops = Promise.all([
      this.#loop('make deliveries', pollMs, this.#changesBell, async () => {
        if ((await this.#fanOut.run(this.#stopping.signal)) > 0) this.#bell.ring()
      }),
      this.#loop('send what is due', pollMs, this.#bell, () => this.#sendDue()),
      this.#loop('look after those that run', reviewMs, new Signal(), () => this.#review()),
      this.#loop('tell owners', noticesMs, new Signal(), () => tellOwners(this.#parts)),
      this.#loop('remove what is old', retentionMs, new Signal(), async () => {
        await removeOld(this.#parts, this.#stopping.signal)
      }),
    ])
  }

  /** Something may have changed: look now. */
  wake(): void {
    this.#changesBell.ring()
    this.#bell.ring()
  }

  /** All that is due now, for those who have no loops running. */
  async deliverDue(): Promise<void> {
    await this.#fanOut.run(this.#stopping.signal)
    do {
      await this.#sendDue()
      await Promise.all(this.#running)
    } while (await this.#claims.hasDue())
  }

  /** What is under way is awaited for a while, and written down; claims are given back. */
  async stop(): Promise<void> {
    this.#unlisten()
    this.#stopping.abort()
    const cut = setTimeout(() => this.#cutting.abort(), cutAfterMs)
    const given = new AbortController()
    const ended = Promise.all([this.#loops, ...this.#running]).then(() => given.abort())
    // A database that says nothing is not waited for: claims end by themselves, and what was not written is sent again.
    await Promise.race([ended, delay(stopMaxMs, undefined, { signal: given.signal }).catch(() => {})])
    clearTimeout(cut)
  }

  async #loop(what: string, everyMs: number, bell: Signal, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await work()
        await bell.rung(everyMs, signal)
      } catch (error) {
        this.#parts.log.warn({ err: error }, `webhooks: cannot ${what}, will try again`)
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  async #sendDue(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (this.#running.size >= runsMax) await Promise.race(this.#running)
      const claimed = await this.#claims.take(Math.min(claimMax, runsMax - this.#running.size))
      if (claimed.length === 0) return
      const ids = claimed.map(({ id }) => id)
      const pagesOf = await readFirstPages(this.#parts.database.reader, ids)
      for (const endpoint of claimed) this.#begin(endpoint, pagesOf(endpoint.id))
    }
  }

  #begin(endpoint: ClaimedEndpoint, pages: FirstPages): void {
    const running = this.#run(endpoint, pages)
      // Its claim ends by itself.
      .catch((error) => this.#parts.log.error({ err: error, webhook: endpoint.id }, 'a webhook was not sent'))
      .finally(() => {
        this.#running.delete(running)
        // It may have found more to do at its end.
        this.#bell.ring()
      })
    this.#running.add(running)
  }

  async #run(endpoint: ClaimedEndpoint, pages: FirstPages): Promise<void> {
    const secrets = this.#openSecrets(endpoint)
    if (secrets === undefined) return this.#putOff(endpoint)
    const run = new EndpointRun(this.#runParts, endpoint, secrets, this.#slowIds.has(endpoint.id))
    this.#runs.add(run)
    try {
      const end = await run.run(pages)
      await this.#recorder.end(end)
      this.#ringAt(end.released.due_at)
    } finally {
      this.#runs.delete(run)
      this.#rememberSpeed(run)
    }
  }

  /** What is due before the next look is not kept waiting for it. */
  #ringAt(dueAt: string | null): void {
    const inMs = dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(dueAt) - this.#parts.clock.nowMs()
    if (inMs > 0 && inMs <= ringsMaxMs) setTimeout(() => this.#bell.ring(), inMs).unref()
  }

  #rememberSpeed({ endpoint: { id }, isSlow }: EndpointRun): void {
    this.#slowIds.delete(id)
    if (!isSlow) return
    if (this.#slowIds.size === slowMax) this.#slowIds.clear()
    this.#slowIds.add(id)
  }

  /** A run whose endpoint was changed or deleted since it was claimed begins nothing more. */
  async #review(): Promise<void> {
    const runs = [...this.#runs]
    if (runs.length === 0) return
    const changed = await this.#findChanged(runs.map(({ endpoint }) => endpoint))
    for (const run of runs) if (changed.has(run.endpoint.id)) run.end()
  }

  async #findChanged(endpoints: readonly ClaimedEndpoint[]): Promise<Set<number>> {
    const ids = endpoints.map(({ id }) => id)
    const rows = await this.#parts.database.reader
      .selectFrom('webhook_endpoints')
      .select(['id', 'updated_at'])
      .where('id', 'in', ids)
      .execute()
    const updatedAt = new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
    return new Set(endpoints.filter((one) => updatedAt.get(one.id) !== one.updated_at).map(({ id }) => id))
  }

  #openSecrets(endpoint: ClaimedEndpoint): string[] | undefined {
    const { sealer, clock, log } = this.#parts
    try {
      return secretsOf(endpoint, sealer, clock.now())
    } catch {
      log.error({ webhook: endpoint.id }, 'cannot open the secret of a webhook: was SESSION_SECRET changed?')
      return undefined
    }
  }

  #putOff(endpoint: ClaimedEndpoint): Promise<void> {
    const due_at = new Date(this.#parts.clock.nowMs() + lockedMs).toISOString()
    const released = { ...endpoint, due_at, notice: null, hasLeftTests: false }
    return this.#recorder.end({
      claim: endpoint.claimed_by ?? '',
      released,
      behind: [],
      upSince: undefined,
    })
  }
}
