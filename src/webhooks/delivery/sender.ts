// Runs the webhook sender: fans changes out into deliveries, claims endpoints that have deliveries due, and runs them,
// on each notification and at intervals. Any number of processes may do so on one database.
import { setTimeout as delay } from 'node:timers/promises'
import { changesChannel } from '../../changes/log.ts'
import type { Sealer } from '../../seal.ts'
import { Semaphore } from '../../semaphore.ts'
import { type Job, JobRunner } from '../../storage/jobs.ts'
import { Signal } from '../../storage/signal.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'
import { type NoticeParts, notifyOwners } from '../endpoints/notices.ts'
import { FanOut, type FanOutParts } from '../fan-out/fan-out.ts'
import type { Poster } from '../outbound/post.ts'
import { secretsOf } from '../secret.ts'
import { plainHeaders } from '../sign.ts'
import { webhooksChannel } from '../wake.ts'
import { claimDue, hasDue, renewClaims } from './claims.ts'
import { EndpointRun, type RunParts } from './endpoint-run.ts'
import { EventCache } from './event-cache.ts'
import { type FirstPages, readFirstPages } from './queue.ts'
import { Recorder, type RecorderParts } from './recorder.ts'
import { removeOld } from './retention.ts'

export interface SenderParts
  extends FanOutParts,
    NoticeParts,
    RecorderParts,
    Pick<RunParts, 'random' | 'onOutcome'> {
  readonly poster: Poster
  readonly sealer: Sealer
}

/** Endpoints claimed per query, and endpoints run in parallel. */
const claimMax = 256
const runsMax = 512
/** Posts in flight, to all endpoints together. Endpoints that are slow or fail have permits of their own. */
const fastPermits = 320
const slowPermits = 256
/** No limit here: `runsMax` and the concurrency of a run bound how many posts can wait. */
const waitingPostsMax = Number.POSITIVE_INFINITY
/** How many endpoints are remembered as slow. */
const slowMax = 10_000
/** How often the sender looks for due work that no notification announced. */
const pollMs = 1_000
const retryMs = 1_000
/** Deliveries due within this time get a timer, instead of waiting for the next poll. */
const notifyMaxMs = 10_000
/** How often the claims of running endpoints are renewed: often enough that one failed renewal loses none. */
const renewMs = 1_000
/** How often, in the whole service, owners are notified and old rows are removed. */
const noticesMs = 60_000
const retentionMs = 600_000
/** When the service stops, posts in flight get this long to finish, and the whole shutdown a little longer. */
const cutAfterMs = 5_000
const stopMaxMs = 8_000
/** An endpoint whose secret cannot be opened is tried again after this time. */
const lockedMs = 3_600_000

export class Sender {
  readonly #parts: SenderParts
  readonly #fanOut: FanOut
  readonly #recorder: Recorder
  readonly #fast = new Semaphore({ permits: fastPermits, waitingMax: waitingPostsMax })
  readonly #slow = new Semaphore({ permits: slowPermits, waitingMax: waitingPostsMax })
  readonly #slowIds = new Set<number>()
  readonly #dueSignal = new Signal()
  readonly #changesSignal = new Signal()
  readonly #stopping = new AbortController()
  /** Aborted some time after `#stopping`: posts that are still in flight are then cancelled. */
  readonly #cutting = new AbortController()
  /** Aborted when nothing is in flight any more: until then, claims are renewed. */
  readonly #ended = new AbortController()
  readonly #running = new Set<Promise<void>>()
  readonly #runs = new Set<EndpointRun>()
  readonly #runParts: RunParts
  readonly #jobs: JobRunner
  #loops: Promise<unknown> | undefined
  #unlisten: (() => void)[] = []

  constructor(parts: SenderParts) {
    const { clock, random, onOutcome, poster, database } = parts
    const { reader } = database
    this.#parts = parts
    this.#fanOut = new FanOut(parts)
    this.#recorder = new Recorder(parts)
    const { signal } = this.#cutting
    this.#runParts = {
      clock,
      random,
      onOutcome,
      reader,
      events: new EventCache(reader),
      recorder: this.#recorder,
      semaphoreFor: (isSlow) => (isSlow ? this.#slow : this.#fast),
      post: (url, signature, body) => {
        const posted = poster.post(url, { ...plainHeaders, ...signature }, body, signal)
        return posted.then((outcome) => (signal.aborted ? undefined : outcome))
      },
      isChanged: async (endpoint) => (await this.#findChanged([endpoint])).has(endpoint.id),
      isStopping: () => this.#stopping.signal.aborted,
    }
    this.#jobs = new JobRunner(parts, senderJobs(parts))
  }

  /** Runs the loops until `stop` is called. */
  start(): void {
    const { database } = this.#parts
    this.#unlisten = [changesChannel, webhooksChannel].map((channel) =>
      database.listen(channel, () => this.wake()),
    )
    void this.#loop('renew claims', renewMs, new Signal(), () => this.#renew(), this.#ended.signal)
    this.#loops = Promise.all([
      this.#loop('fan out changes', pollMs, this.#changesSignal, async () => {
        if ((await this.#fanOut.run(this.#stopping.signal)) > 0) this.#dueSignal.notify()
      }),
      this.#loop('send due deliveries', pollMs, this.#dueSignal, () => this.#sendDue()),
    ])
    this.#jobs.start()
  }

  /** Looks for work now: something may have changed. */
  wake(): void {
    this.#changesSignal.notify()
    this.#dueSignal.notify()
  }

  /** Sends all that is due now, for callers that do not run the loops. */
  async deliverDue(): Promise<void> {
    await this.#fanOut.run(this.#stopping.signal)
    do {
      await this.#sendDue()
      await Promise.all(this.#running)
    } while (await hasDue(this.#parts))
  }

  /** Waits a while for posts in flight, records their results, and releases the claims. */
  async stop(): Promise<void> {
    for (const unlisten of this.#unlisten) unlisten()
    this.#stopping.abort()
    const cut = setTimeout(() => this.#cutting.abort(), cutAfterMs)
    const given = new AbortController()
    const ended = Promise.all([this.#loops, this.#jobs.stop(), ...this.#running]).then(() => given.abort())
    // Does not wait for a database that does not respond: claims expire, and what was not recorded is sent again.
    await Promise.race([ended, delay(stopMaxMs, undefined, { signal: given.signal }).catch(() => {})])
    clearTimeout(cut)
    this.#ended.abort()
  }

  async #loop(
    what: string,
    everyMs: number,
    wakeUp: Signal,
    work: () => Promise<void>,
    signal = this.#stopping.signal,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        await work()
        await wakeUp.wait(everyMs, signal)
      } catch (error) {
        this.#parts.log.warn({ err: error }, `webhooks: cannot ${what}, will try again`)
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  async #sendDue(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (this.#running.size >= runsMax) await Promise.race(this.#running)
      // After a pause of the process, claims of its own may have expired: it must not take them for those of another.
      if ([...this.#runs].some((run) => !run.isHeld)) await this.#renew()
      const claimed = await claimDue(this.#parts, Math.min(claimMax, runsMax - this.#running.size))
      if (claimed.length === 0) return
      const ids = claimed.map(({ id }) => id)
      const pagesOf = await readFirstPages(this.#parts.database.reader, ids)
      for (const endpoint of claimed) this.#begin(endpoint, pagesOf(endpoint.id))
    }
  }

  #begin(endpoint: EndpointRow, pages: FirstPages): void {
    const running = this.#run(endpoint, pages)
      // The claim expires by itself.
      .catch((error) => this.#parts.log.error({ err: error, webhook: endpoint.id }, 'a webhook was not sent'))
      .finally(() => {
        this.#running.delete(running)
        // The run may have left deliveries that are due.
        this.#dueSignal.notify()
      })
    this.#running.add(running)
  }

  async #run(endpoint: EndpointRow, pages: FirstPages): Promise<void> {
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

  /** Sets a timer for deliveries that are due soon, so that they do not wait for the next poll. */
  #ringAt(dueAt: string | null): void {
    const inMs = dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(dueAt) - this.#parts.clock.nowMs()
    if (inMs > 0 && inMs <= notifyMaxMs) setTimeout(() => this.#dueSignal.notify(), inMs).unref()
  }

  #rememberSpeed({ endpoint: { id }, isSlow }: EndpointRun): void {
    this.#slowIds.delete(id)
    if (!isSlow) return
    if (this.#slowIds.size === slowMax) this.#slowIds.clear()
    this.#slowIds.add(id)
  }

  /** Ends the runs whose claim is lost, and those whose endpoint was changed since it was claimed. */
  async #renew(): Promise<void> {
    const runs = [...this.#runs]
    if (runs.length === 0) return
    const renewed = await renewClaims(
      this.#parts,
      runs.map(({ endpoint }) => endpoint),
    )
    for (const run of runs) {
      const claim = renewed.get(run.endpoint.id)
      if (claim === undefined || claim.claimedBy !== run.endpoint.claimed_by) {
        run.lose()
        continue
      }
      run.hold(claim.untilMs)
      if (claim.updatedAt !== run.endpoint.updated_at) run.end()
    }
  }

  async #findChanged(endpoints: readonly EndpointRow[]): Promise<Set<number>> {
    const ids = endpoints.map(({ id }) => id)
    const rows = await this.#parts.database.reader
      .selectFrom('webhook_endpoints')
      .select(['id', 'updated_at'])
      .where('id', 'in', ids)
      .execute()
    const updatedAt = new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
    return new Set(endpoints.filter((one) => updatedAt.get(one.id) !== one.updated_at).map(({ id }) => id))
  }

  #openSecrets(endpoint: EndpointRow): string[] | undefined {
    const { sealer, clock, log } = this.#parts
    try {
      return secretsOf(endpoint, sealer, clock.now())
    } catch {
      log.error({ webhook: endpoint.id }, 'cannot open the secret of a webhook: was SESSION_SECRET changed?')
      return undefined
    }
  }

  #putOff(endpoint: EndpointRow): Promise<void> {
    const due_at = new Date(this.#parts.clock.nowMs() + lockedMs).toISOString()
    const released = { ...endpoint, due_at, notice: null, hasLeftTests: false }
    return this.#recorder.end({ released, behind: [], outage: undefined })
  }
}

function senderJobs(parts: SenderParts): Job[] {
  return [
    { name: 'notify webhook owners', everyMs: noticesMs, run: () => notifyOwners(parts) },
    {
      name: 'remove old deliveries',
      everyMs: retentionMs,
      run: async (signal) => void (await removeOld(parts, signal)),
    },
  ]
}
