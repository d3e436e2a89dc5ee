// `watchdata listen --forward-to URL`: prints or forwards the events of a service on a machine without a public
// address. It uses only the service's API, with a customer's key.
import type { Command } from 'commander'
import { systemClock } from '../../clock.ts'
import { eventBody, messageIdOf } from '../../webhooks/fan-out/event-body.ts'
import { visible } from '../catalogue-texts.ts'
import { WrongCall } from '../connection-options.ts'
import { print, tell } from '../output.ts'
import type { FeedChange } from './ask-changes.ts'
import { type Batch, followChanges } from './follow-changes.ts'
import { type Forwarded, forwardEvent } from './forward-event.ts'
import { type ListenOptions, type ListenPlan, parseListenOptions } from './listen-options.ts'
import { closingText, eventLine, openingText, secretHint } from './listen-texts.ts'

export async function listenCommand(options: ListenOptions, command: Command): Promise<void> {
  const plan = planFor(options, command)
  const ending = endOnSignal()
  const listener = new Listener(plan, ending)
  try {
    const parts = { clock: systemClock, tell, signal: ending }
    for await (const batch of followChanges(plan.feed, plan.since, parts)) await listener.take(batch)
  } catch (error) {
    if (!ending.aborted) throw error
  }
  // The terminal has printed ^C on the current line.
  tell(`${process.stderr.isTTY ? '\n' : ''}${closingText(plan, listener)}`)
}

function planFor(options: ListenOptions, command: Command): ListenPlan {
  try {
    return parseListenOptions(options)
  } catch (error) {
    if (error instanceof WrongCall) return command.error(`watchdata: ${visible(error.message)}`)
    throw error
  }
}

function endOnSignal(): AbortSignal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  return ending.signal
}

/** Prints or forwards events, and counts them. */
class Listener {
  taken = 0
  failed = 0
  /** Where another run can continue: before the first event that failed, so that it is sent again. */
  cursor: string | undefined
  #previous: number | null
  #hasHinted = false
  readonly #plan: ListenPlan
  readonly #ending: AbortSignal

  constructor(plan: ListenPlan, ending: AbortSignal) {
    this.#plan = plan
    this.#ending = ending
    this.#previous = findPlace(plan.since)?.sequence ?? null
  }

  async take({ changes, cursor }: Batch): Promise<void> {
    if (this.cursor === undefined) tell(openingText(this.#plan))
    const { epoch = cursor, sequence = null } = findPlace(cursor) ?? {}
    if (changes.length === 0) this.#previous ??= sequence
    for (const change of changes) {
      this.#goTo(`${epoch}-${this.#previous ?? change.sequence - 1}`)
      await this.#pass(change, messageIdOf(epoch, change))
      this.#goTo(`${epoch}-${change.sequence}`)
    }
    this.#goTo(cursor)
  }

  #goTo(cursor: string): void {
    if (this.failed === 0) this.cursor = cursor
  }

  async #pass(change: FeedChange, messageId: string): Promise<void> {
    const { sequence, type, at, ...members } = change
    const event = { type, at, sequence, body: JSON.stringify(members).slice(1, -1) }
    const body = eventBody(event, this.#previous)
    const { receiver, isJson } = this.#plan
    const parts = { clock: systemClock, signal: this.#ending, tell }
    const forwarded = receiver && (await forwardEvent({ ...receiver, ...parts }, messageId, body))
    // Also set for a failed event: the next event then shows that this one was missed.
    this.#previous = sequence
    if (forwarded?.isTaken === false) this.failed++
    else this.taken++
    if (isJson) print(body)
    const line = eventLine(systemClock.now(), change, forwarded)
    if (!isJson) print(line)
    else if (forwarded?.isTaken === false) tell(line)
    this.#hint(forwarded)
  }

  /** Hints once at the usual cause of 400 and 401: the program does not have the secret of this run. */
  #hint(forwarded: Forwarded | undefined): void {
    if (this.#hasHinted || !unverifiedStatuses.includes(forwarded?.status)) return
    this.#hasHinted = true
    tell(secretHint(this.#plan))
  }
}

/** The statuses that receivers return if the signature check fails. */
const unverifiedStatuses: readonly (number | undefined)[] = [400, 401]

/** A cursor is the start of the epoch and a sequence number in it. The sequence number alone is accepted, too. */
function findPlace(cursor: string): { epoch?: string; sequence: number } | undefined {
  const [isPlace, epoch, sequence] = /^(?:([0-9a-f]+)-)?(\d+)(?:-[0-9a-f]+)?$/.exec(cursor) ?? []
  if (isPlace === undefined) return undefined
  return { ...(epoch !== undefined && { epoch }), sequence: Number(sequence) }
}
