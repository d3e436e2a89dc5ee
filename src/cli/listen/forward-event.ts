// In charge of posting an event to a program on this machine, as the service would post it to a webhook: the same body,
// id and signature, no redirects, the same time to answer.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { plainHeaders } from '../../webhooks/delivery/plain-headers.ts'
import { signatureHeaders } from '../../webhooks/sign.ts'
import { faultText, isUnconnected } from './fetch-faults.ts'

export interface Receiver {
  readonly url: string
  readonly secret: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
}

export interface Forwarded {
  readonly isTaken: boolean
  /** `200 in 12 ms`, `connection refused`. */
  readonly text: string
  /** Undefined where nothing answered. */
  readonly status: number | undefined
}

const answerMaxMs = 15_000
/** A program that loads itself anew when its code changes is away for so long. The events behind this one wait. */
const retryDelaysMs: readonly number[] = [1_000, 2_000, 4_000]
const reasonMaxBytes = 4_096
const reasonMaxLength = 160

/** Tried again where nothing took it; whoever answers has been heard. */
export async function forwardEvent(receiver: Receiver, messageId: string, body: string): Promise<Forwarded> {
  const { signal, tell, url } = receiver
  for (let tries = 0; ; tries++) {
    try {
      return await post(receiver, messageId, body)
    } catch (error) {
      if (signal.aborted) throw error
      const delayMs = isUnconnected(error) ? retryDelaysMs[tries] : undefined
      if (delayMs === undefined) return { isTaken: false, text: faultText(error), status: undefined }
      if (tries === 0) tell(`Nothing takes events at ${url} (${faultText(error)}): trying again.`)
      await sleep(delayMs, undefined, { signal })
    }
  }
}

async function post(receiver: Receiver, messageId: string, body: string): Promise<Forwarded> {
  const { url, secret, clock, signal } = receiver
  const startMs = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...plainHeaders, ...signatureHeaders(messageId, clock.now(), body, [secret]) },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMaxMs)]),
  })
  const said = await readStart(response)
  const { status, ok: isTaken } = response
  const text = `${status} in ${Math.round(performance.now() - startMs)} ms`
  return { isTaken, text: isTaken || said === '' ? text : `${text}: ${said}`, status }
}

/** The first line of the answer, which most often says what was wrong with the request. */
async function readStart(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    // Leaving the loop ends the rest of the answer.
    for await (const piece of response.body ?? []) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= reasonMaxBytes) break
    }
  } catch {
    // The status has come, and counts, whatever became of the rest.
  }
  const [line = ''] = Buffer.concat(pieces).toString().trim().split('\n')
  return line.slice(0, reasonMaxLength)
}
