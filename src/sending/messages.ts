// What the thread that answers and the thread that sends say to each other.
import type { Outcome } from '../webhooks/delivery/endpoint-run.ts'

export type ToSender = 'wake' | 'stop'

/** How many attempts ended how, since it was last told. */
export type FromSender = Partial<Record<Outcome, number>>
