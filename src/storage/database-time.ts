// The time by the database's clock, which all processes share: their own clocks may differ.
import { sql } from 'kysely'
import type { Engine } from './database.ts'

/** An expression for the current time in milliseconds. */
export function nowMs(engine: Engine) {
  return engine === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
}
