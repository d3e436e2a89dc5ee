// Guarantees about the change log on both engines: every change once, in order, without a gap, soon.
import { expect, test, vi } from 'vitest'
import { follow, LogReplaced } from '../../src/changes/follow.ts'
import { type Change, getHead, type NewChange, readAfter, recordChanges } from '../../src/changes/log.ts'
import { systemClock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'
import { beginEpoch } from '../../src/storage/migrate.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'

const clock = manualClock()
const created = (subjectId: number): NewChange => ({ type: 'watch.created', subjectId })

function record(database: Database, ...changes: NewChange[]): Promise<void> {
  return recordChanges(database, clock, async (_tx, add) => changes.forEach(add))
}

/** Follows the log until `count` changes have arrived. */
async function see(database: Database, count: number, options: { pollMs: number }): Promise<Change[]> {
  const stopping = new AbortController()
  const seen: Change[] = []
  const head = { ...(await getHead(database.reader)), sequence: 0 }
  for await (const batch of follow(database, head, {
    read: readAfter,
    ...options,
    signal: stopping.signal,
    batchMax: 3,
  })) {
    expect(batch.length).toBeLessThanOrEqual(3)
    seen.push(...batch)
    if (seen.length >= count) stopping.abort()
  }
  return seen
}

const sequences = (changes: readonly Change[]) => changes.map(({ sequence }) => sequence)

describeEachEngine('the change log', (engine) => {
  test('numbers changes from 1, without a gap, in the order they were recorded', async () => {
    const { database } = await openFresh(engine)
    await record(database, created(10), created(11))
    await record(database, { type: 'watch.price_changed', subjectId: 10, data: { old: 1, new: 2 } })
    const changes = await readAfter(database.reader, 0, 100)
    const at = clock.now().toISOString()
    const [first, , last] = changes.map(({ commitId }) => commitId)
    expect(first).not.toBe(last)
    expect(changes).toEqual([
      { sequence: 1, type: 'watch.created', subjectId: 10, at, commitId: first },
      { sequence: 2, type: 'watch.created', subjectId: 11, at, commitId: first },
      {
        sequence: 3,
        type: 'watch.price_changed',
        subjectId: 10,
        at,
        commitId: last,
        data: { old: 1, new: 2 },
      },
    ])
    expect(await getHead(database.reader)).toMatchObject({ sequence: 3, commitId: last })
  })

  test('has no gap after a failed write, and no entry if nothing changed', async () => {
    const { database } = await openFresh(engine)
    await record(database, created(1))
    const failing = recordChanges(database, clock, async (_tx, add) => {
      add(created(2))
      throw new Error('halfway')
    })
    await expect(failing).rejects.toThrow('halfway')
    await record(database)
    await record(database, created(3))
    expect(
      (await readAfter(database.reader, 0, 100)).map((change) => [change.sequence, change.subjectId]),
    ).toEqual([
      [1, 1],
      [2, 3],
    ])
  })

  test('accepts thousands of changes in one write', async () => {
    const { database } = await openFresh(engine)
    await record(database, ...Array.from({ length: 2_500 }, (_, id) => created(id)))
    expect(sequences(await readAfter(database.reader, 1_990, 20))).toEqual(
      Array.from({ length: 20 }, (_, index) => 1_991 + index),
    )
    expect((await getHead(database.reader)).sequence).toBe(2_500)
  })

  test('a follower sees existing and new changes, notified without waiting for the poll', async () => {
    const { database, config } = await openFresh(engine)
    // On PostgreSQL the notification comes from another connection; SQLite notifies within the process.
    const writer = engine.name === 'postgres' ? await openUnmigrated(config) : database
    await record(database, created(1), created(2))
    const seeing = see(database, 8, { pollMs: 600_000 })
    for (const id of [3, 4, 5, 6, 7, 8]) await record(writer, created(id))
    expect(sequences(await seeing)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('a follower without notifications still sees everything by polling', async () => {
    const { database } = await openFresh(engine)
    const deaf: Database = { ...database, listen: () => () => {} }
    const seeing = see(deaf, 5, { pollMs: 5 })
    for (const id of [1, 2, 3, 4, 5]) await record(database, created(id))
    expect(sequences(await seeing)).toEqual([1, 2, 3, 4, 5])
  })

  test('a follower survives a database that cannot be read for a while', async () => {
    const { database } = await openFresh(engine)
    await record(database, created(1))
    const head = { ...(await getHead(database.reader)), sequence: 0 }
    let failuresLeft = 3
    const flaky = Object.defineProperty({ ...database }, 'reader', {
      get() {
        if (failuresLeft-- > 0) throw new Error('gone')
        return database.reader
      },
    })
    const onFailure = vi.fn()
    const signal = AbortSignal.timeout(10_000)
    for await (const batch of follow(flaky, head, { read: readAfter, signal, pollMs: 5, onFailure })) {
      expect(sequences(batch)).toEqual([1])
      break
    }
    expect(onFailure).toHaveBeenCalledTimes(3)
  })

  test('timestamps increase with the sequence, however long a writer waited', async () => {
    const { database } = await openFresh(engine)
    const slow = recordChanges(database, systemClock, async (_tx, add) => {
      add(created(1))
      await new Promise((resolve) => setImmediate(resolve))
    })
    const others = [2, 3, 4, 5].map((id) =>
      recordChanges(database, systemClock, async (_tx, add) => add(created(id))),
    )
    await Promise.all([slow, ...others])
    const times = (await readAfter(database.reader, 0, 10)).map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
  })

  test('a follower gets an error if the log has become shorter', async () => {
    const { database } = await openFresh(engine)
    await record(database, created(1), created(2))
    const head = await getHead(database.reader)
    await database.write(async (tx) => {
      await tx.deleteFrom('changes').where('sequence', '=', 2).execute()
      await tx.updateTable('sequence').set({ value: 1 }).execute()
    })
    const next = follow(database, head, {
      read: readAfter,
      signal: AbortSignal.timeout(10_000),
      pollMs: 5,
    }).next()
    await expect(next).rejects.toThrow(LogReplaced)
  })

  test('a follower gets an error if a failover lost changes, however many others were written since', async () => {
    const { database } = await openFresh(engine)
    await record(database, created(1), created(2))
    const kept = await getHead(database.reader)
    await record(database, created(3))
    await record(database, created(4))
    const head = await getHead(database.reader)
    await database.write(async (tx) => {
      await tx.deleteFrom('changes').where('sequence', '>', 2).execute()
      await tx.updateTable('sequence').set({ value: 2 }).execute()
    })
    for (const id of [5, 6, 7, 8]) await record(database, created(id))
    const options = { read: readAfter, signal: AbortSignal.timeout(10_000), pollMs: 5 }
    await expect(follow(database, head, options).next()).rejects.toThrow(LogReplaced)
    const followed = await follow(database, kept, options).next()
    expect(sequences(followed.value ?? [])).toEqual([3, 4, 5, 6])
  })

  test('a follower stops on its abort signal, even while it waits', async () => {
    const { database } = await openFresh(engine)
    const stopping = new AbortController()
    const head = await getHead(database.reader)
    const next = follow(database, head, { read: readAfter, signal: stopping.signal, pollMs: 600_000 }).next()
    stopping.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  test('a follower that waits often leaves no listeners on the signal', async () => {
    const { database } = await openFresh(engine)
    const stopping = new AbortController()
    const head = await getHead(database.reader)
    const added = vi.spyOn(stopping.signal, 'addEventListener')
    const removed = vi.spyOn(stopping.signal, 'removeEventListener')
    const next = follow(database, head, { read: readAfter, signal: stopping.signal, pollMs: 1 }).next()
    await vi.waitFor(() => expect(added.mock.calls.length).toBeGreaterThan(20), patience)
    stopping.abort()
    await next
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length)
  })

  test('a follower gets an error if the database was replaced', async () => {
    const { database } = await openFresh(engine)
    await record(database, created(1))
    const head = await getHead(database.reader)
    await database.write((tx) => beginEpoch(tx, clock))
    const next = follow(database, head, {
      read: readAfter,
      signal: AbortSignal.timeout(10_000),
      pollMs: 5,
    }).next()
    await expect(next).rejects.toThrow(LogReplaced)
  })
})
