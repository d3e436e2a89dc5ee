// Posts an event to a program on this machine as the service posts it to a webhook: with the same body, id, signature
// and timeout, and without following redirects.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { plainHeaders, signatureHeaders } from '../../webhooks/sign.ts'
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
  /** Undefined if there was no response. */
  readonly status: number | undefined
}

const answerMaxMs = 15_000
/** Long enough for a program that restarts when its code changes. Later events wait meanwhile. */
const retryDelaysMs: readonly number[] = [1_000, 2_000, 4_000]
const reasonMaxBytes = 4_096
const reasonMaxLength = 160

/** Retries only if the connection failed. Any response is final. */
export async function forwardEvent(receiver: Receiver, messageId: string, body: string): Promise<Forwarded> {
  const { signal, tell, url } = receiver
  for (let tries = 0; ; tries++) {
    try {
      return await post(receiver, messageId, body)
    } catch (error) {
      if (signal.aborted) throw error
      const delayMs = isUnconnected(error) ? retryDelaysMs[tries] : undefined
      if (delayMs === undefined) return { isTaken: false, text: faultText(error), status: undefined }
      if (tries === 0) tell(`Nothing accepts events at ${url} (${faultText(error)}): trying again.`)
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

/** Returns the first line of the response, which usually says what was wrong with the request. */
async function readStart(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    // Leaving the loop cancels the rest of the response.
    for await (const piece of response.body ?? []) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= reasonMaxBytes) break
    }
  } catch {
    // The status was received; a broken body does not matter.
  }
  const [line = ''] = Buffer.concat(pieces).toString().trim().split('\n')
  return line.slice(0, reasonMaxLength)
}
