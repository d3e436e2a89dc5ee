// The messages between the main thread, which serves requests, and the worker thread that sends webhooks.
import type { Outcome } from '../webhooks/delivery/endpoint-run.ts'

export type ToSender = 'wake' | 'stop'

/** The number of attempts per outcome since the last message. */
export type FromSender = Partial<Record<Outcome, number>>
