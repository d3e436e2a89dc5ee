// Tests which texts are cursors, and which position in the change log each means to a process that may lag behind.
import { describe, expect, test } from 'vitest'
import type { Head } from '../../changes/log.ts'
import { Problem } from '../../errors.ts'
import { cursorText, getPlace, parseCursor, placeOf } from './change-cursor.ts'

const commitId = '00ff00ff00ff'
const head = { epoch: '0123abcd-1111-4222-8333-444455556666', sequence: 7, commitId }
const restored = { epoch: 'ffff0000-1111-4222-8333-444455556666', sequence: 3, commitId: '' }
const life = '0123abcd'

describe('a cursor', () => {
  test('parses back to the position it was made of', () => {
    expect(cursorText(placeOf(head))).toBe('0123abcd-7-00ff00ff00ff')
    expect(parseCursor('0123abcd-7-00ff00ff00ff')).toEqual({ life, sequence: 7, commitId })
    expect(parseCursor('0123abcd-7')).toEqual({ life, sequence: 7, commitId: '' })
    expect(parseCursor('0')).toEqual({ life: undefined, sequence: 0, commitId: '' })
    expect(parseCursor('now')).toBe('now')
  })

  test.each([
    '',
    'Now',
    '-1',
    '01',
    '1e3',
    '1.0',
    ' 1',
    '+1',
    '0x1',
    '١',
    '0123abcd-',
    '0123abcd-01',
    '0123ABCD-1',
    '123-1',
    '0123abcd-1-1',
    '1-00ff00ff00ff',
    '0123abcd-1-00ff00ff00f',
    '0123abcd-1-00FF00FF00FF',
    '1'.repeat(16),
    '0123abcd-1\n',
  ])('is not %j', (raw) => {
    expect(parseCursor(raw)).toBeUndefined()
  })
})

describe('the position of a cursor', () => {
  const at = (sequence: number, id = '') => ({ life, sequence, commitId: id })
  const never = () => Promise.reject(new Error('the database should not be queried'))
  const unread = { readHead: never, readMarks: never }
  const log = (end: Head, commitIds: [number, string][] = []) => ({
    readHead: async () => end,
    readMarks: async () => ({ epoch: end.epoch, commitIds: new Map(commitIds) }),
  })

  test('is the start, the end or the sequence, up to the head of this process', async () => {
    expect(await getPlace(undefined, head, unread)).toEqual(at(0))
    expect(await getPlace('now', head, unread)).toEqual(at(7, commitId))
    expect(await getPlace({ ...at(7), life: undefined }, head, unread)).toEqual(at(7))
    expect(await getPlace(at(7, commitId), head, unread)).toEqual(at(7, commitId))
    expect(await getPlace(at(3), head, unread)).toEqual(at(3))
  })

  test('may be ahead of this process, but not beyond the end of the log', async () => {
    const longer = log({ ...head, sequence: 9 })
    expect(await getPlace(at(9), head, longer)).toEqual(at(9))
    const beyond = await refusalOf(getPlace(at(10), head, longer))
    expect(beyond).toEqual(['The since is beyond the end of the change log.'])
  })

  test('of another epoch of the database is refused, unless this process has not noticed that epoch yet', async () => {
    const cursor = { life: 'ffff0000', sequence: 3, commitId: '' }
    expect(await getPlace(cursor, head, log(restored))).toEqual(cursor)
    const other = await refusalOf(getPlace(cursor, head, log(head)))
    expect(other).toEqual([expect.stringContaining('export anew')])
  })

  test('of a change that the log has lost is refused, however long the log is by now', async () => {
    const kept = at(5, 'aaaaaaaaaaaa')
    for (const sequence of [5, 7, 9]) {
      const lost = at(sequence, 'bbbbbbbbbbbb')
      const longer = log({ ...head, sequence: 12 }, [
        [5, kept.commitId],
        [7, commitId],
        [9, 'cccccccccccc'],
      ])
      expect(await getPlace(kept, head, longer)).toEqual(kept)
      expect(await refusalOf(getPlace(lost, head, longer))).toEqual([
        'The since is of a change that the database lost in a failover: export anew.',
      ])
    }
  })

  test('may be just before the first change that is kept', async () => {
    const pruned = at(5, 'aaaaaaaaaaaa')
    expect(await getPlace(pruned, head, log(head, []))).toEqual(pruned)
  })
})

async function refusalOf(place: Promise<unknown>): Promise<unknown> {
  const error = await place.catch((caught: unknown) => caught)
  return error instanceof Problem ? error.details.errors?.since : error
}
