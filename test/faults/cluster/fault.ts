// Describes a fault: what it breaks, which rig it needs, and what is allowed to go wrong meanwhile.
import type { PriceWriter } from './price-writer.ts'
import type { Rig, RigPlan } from './rig/rig.ts'

/** This machine lacks a program that a row needs. */
export class RowSkipped extends Error {}

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
  /** Breaks something and mends it again. Returns when the fault is over. */
  strike(course: Course): Promise<void>
}

/** A moment of a row. A process that is killed takes the requests with it that it was answering. */
export interface Note {
  readonly what: 'struck' | 'stopping' | 'killed' | 'starting' | 'ready' | 'mended'
  readonly atMs: number
}

export interface Course {
  readonly rig: Rig
  readonly writer: PriceWriter
  /** Notes what happens now, so that failures can be told by when they happened. */
  note(what: Note['what']): void
}
