// Guarantees that processes with wrong clocks agree on the time.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEngine, describeWithPostgres } from '../../test/databases/engines.ts'
import { openFresh } from '../../test/databases/open-database.ts'
import { manualClock } from '../../test/manual-clock.ts'
import type { Log } from '../log.ts'
import { followDatabaseClock } from './database-clock.ts'

const dayMs = 86_400_000

describeWithPostgres('the clock of the database', (url) => {
  test.each([90_000, -dayMs, 0])('is used where that of the machine is off by %i ms', async (offMs) => {
    const { database } = await openFresh(createEngine(url))
    const off = { now: () => new Date(Date.now() + offMs), nowMs: () => Date.now() + offMs, isReal: true }
    const warn = vi.fn()
    const clock = await followDatabaseClock(database, off, { warn } as unknown as Log)
    onTestFinished(() => clock.stop())
    // PostgreSQL runs on this machine.
    expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(500)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(500)
    expect(Math.abs(clock.offsetMs - offMs)).toBeLessThan(500)
    expect(warn).toHaveBeenCalledTimes(offMs === 0 ? 0 : 1)
  })

  test('does not replace a clock that a test moves', async () => {
    const { database } = await openFresh(createEngine(url))
    const own = manualClock('2026-03-01T12:00:00.000Z')
    const clock = await followDatabaseClock(database, own, {} as Log)
    own.moveTo('2026-03-02T00:00:00.000Z')
    expect([clock.now(), clock.offsetMs]).toEqual([new Date('2026-03-02T00:00:00.000Z'), 0])
  })
})
