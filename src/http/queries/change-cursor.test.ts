// Tests which texts are cursors, and which position in the change log each means to a process that may lag behind.
import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { cursorText, getPlace, parseCursor, placeOf } from './change-cursor.ts'

const head = { epoch: '0123abcd-1111-4222-8333-444455556666', sequence: 7 }
const restored = { epoch: 'ffff0000-1111-4222-8333-444455556666', sequence: 3 }
const life = '0123abcd'

describe('a cursor', () => {
  test('parses back to the position it was made of', () => {
    expect(cursorText(placeOf(head))).toBe('0123abcd-7')
    expect(parseCursor('0123abcd-7')).toEqual({ life, sequence: 7 })
    expect(parseCursor('0')).toEqual({ life: undefined, sequence: 0 })
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
    '1'.repeat(16),
    '0123abcd-1\n',
  ])('is not %j', (raw) => {
    expect(parseCursor(raw)).toBeUndefined()
  })
})

describe('the position of a cursor', () => {
  const at = (sequence: number) => ({ life, sequence })
  const never = () => Promise.reject(new Error('the database should not be queried'))

  test('is the start, the end or the sequence, up to the head of this process', async () => {
    expect(await getPlace(undefined, head, never)).toEqual(at(0))
    expect(await getPlace('now', head, never)).toEqual(at(7))
    expect(await getPlace({ life: undefined, sequence: 7 }, head, never)).toEqual(at(7))
    expect(await getPlace({ life, sequence: 3 }, head, never)).toEqual(at(3))
  })

  test('may be ahead of this process, but not beyond the end of the log', async () => {
    const readHead = async () => ({ ...head, sequence: 9 })
    expect(await getPlace({ life, sequence: 9 }, head, readHead)).toEqual(at(9))
    const beyond = await refusalOf(getPlace({ life, sequence: 10 }, head, readHead))
    expect(beyond).toEqual(['The since is beyond the end of the change log.'])
  })

  test('of another epoch of the database is refused, unless this process has not noticed that epoch yet', async () => {
    const cursor = { life: 'ffff0000', sequence: 3 }
    expect(await getPlace(cursor, head, async () => restored)).toEqual(cursor)
    const other = await refusalOf(getPlace(cursor, head, async () => head))
    expect(other).toEqual([expect.stringContaining('export anew')])
  })
})

async function refusalOf(place: Promise<unknown>): Promise<unknown> {
  const error = await place.catch((caught: unknown) => caught)
  return error instanceof Problem ? error.details.errors?.since : error
}
