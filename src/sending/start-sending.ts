// Starts the worker thread that sends webhooks: wakes it, restarts it if it exits, and adds the outcomes it reports to
// the metrics.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { changesChannel } from '../changes/log.ts'
import type { Metrics } from '../metrics.ts'
import { hasEndpoints } from '../webhooks/endpoints/endpoints.ts'
import { webhooksChannel } from '../webhooks/wake.ts'
import type { SenderNeeds } from './open-sender.ts'
import type { FromSender, ToSender } from './sender-worker.ts'

interface SendingParts extends Pick<SenderNeeds, 'config' | 'database' | 'clock' | 'log' | 'resolve'> {
  readonly metrics: Metrics
}

interface Sending {
  stop(): Promise<void>
}

const youngMaxMb = 16
const restartMs = 5_000
/** How often to check whether another process has created the first webhook. */
const lookMs = 5_000
/** A worker that takes longer to stop is terminated: without a database it cannot record what it sent. */
const stopMaxMs = 10_000

/** Sends in this thread if a test moves the clock, because a worker thread has its own. */
export async function startSending(parts: SendingParts): Promise<Sending> {
  if (!parts.config.webhookSending) return { stop: async () => {} }
  return parts.clock.isReal === true ? sendInWorker(parts) : sendHere(parts)
}

async function sendHere({ metrics, ...parts }: SendingParts): Promise<Sending> {
  const { openSender } = await import('./open-sender.ts')
  const onOutcome = (outcome: keyof FromSender) => metrics.webhookDeliveries.inc({ outcome })
  const { sender, close } = await openSender({ ...parts, onOutcome })
  sender.start()
  return { stop: close }
}

/** Starts the worker only once there is a webhook: most installations never have one. */
async function sendInWorker({ config, database, metrics, log }: SendingParts): Promise<Sending> {
  let isStopping = false
  let restarting: NodeJS.Timeout | undefined
  let thread: Worker | undefined
  const quiet = [
    database.listen(changesChannel, () => tell('wake')),
    database.listen(webhooksChannel, () => void look()),
  ]
  const looking = setInterval(() => void look(), lookMs)
  await look()

  return {
    async stop() {
      isStopping = true
      clearTimeout(restarting)
      clearInterval(looking)
      for (const unlisten of quiet) unlisten()
      if (thread === undefined) return
      const ending = thread
      const cut = setTimeout(() => void ending.terminate(), stopMaxMs)
      const ended = once(ending, 'exit')
      tell('stop')
      await ended
      clearTimeout(cut)
    },
  }

  async function look(): Promise<void> {
    const isNeeded = await hasEndpoints(database.reader).catch(() => false)
    if (!isNeeded || isStopping) return
    clearInterval(looking)
    if (restarting === undefined) thread ??= begin()
    tell('wake')
  }

  function tell(message: ToSender): void {
    thread?.postMessage(message)
  }

  function begin(): Worker {
    const started = new Worker(new URL('./sender-worker.ts', import.meta.url), {
      workerData: config,
      resourceLimits: { maxYoungGenerationSizeMb: youngMaxMb },
    })
    started.on('message', (counts: FromSender) => {
      for (const [outcome, count] of Object.entries(counts)) metrics.webhookDeliveries.inc({ outcome }, count)
    })
    started.on('error', (error) => log.error({ err: error }, 'the worker thread that sends webhooks failed'))
    started.on('exit', () => {
      thread = undefined
      if (isStopping) return
      restarting = setTimeout(() => {
        restarting = undefined
        thread = begin()
      }, restartMs)
    })
    return started
  }
}
