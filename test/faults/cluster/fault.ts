// Describes a fault: what it breaks, which rig it needs, and what is allowed to go wrong meanwhile.
import type { PriceWriter } from './price-writer.ts'
import type { Rig, RigPlan } from './rig.ts'

export interface Fault {
  readonly name: string
  readonly description: string
  /** What differs from the usual rig. */
  readonly rig?: Partial<Pick<RigPlan, 'postgres' | 'redis' | 'hasPgbouncer' | 'clocks'>>
  /** About how long it lasts, by which quotas are chosen that run out meanwhile. */
  readonly seconds: number
  /** Which requests may fail: none, those that a killed process was answering, or some while the fault lasts. */
  readonly mayFail: 'none' | 'in flight' | 'some'
  /** Whether acknowledged writes are lost by the fault itself. */
  readonly losesWrites?: boolean
  /** How long the webhooks may take to arrive after the load; the default is for no lost sender. */
  readonly settleMaxMs?: number
  /** Breaks something and mends it again. Returns when the fault is over. */
  strike(course: Course): Promise<void>
}

export interface Course {
  readonly rig: Rig
  readonly writer: PriceWriter
  /** Notes that a process is killed now, with the requests that it was answering. */
  markKill(): void
}
