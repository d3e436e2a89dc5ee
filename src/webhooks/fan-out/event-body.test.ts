import { describe, expect, it } from 'vitest'
import { eventBody, messageIdOf } from './event-body.ts'

const at = '2026-03-01T18:00:00.000Z'

describe('eventBody', () => {
  it('puts the two sequences before the other members of data', () => {
    const event = { type: 'watch.deleted', at, sequence: 5, body: '"watch_id":42,"watch":null' }
    expect(eventBody(event, 4)).toBe(
      `{"type":"watch.deleted","timestamp":"${at}","data":{"sequence":5,"previous_sequence":4,"watch_id":42,"watch":null}}`,
    )
  })

  it('has no sequences for a test, which is not a change', () => {
    const event = { type: 'webhook.test', at, sequence: null, body: '"webhook_id":7' }
    expect(JSON.parse(eventBody(event, 4))).toEqual({
      type: 'webhook.test',
      timestamp: at,
      data: { webhook_id: 7 },
    })
    expect(JSON.parse(eventBody({ ...event, body: '' }, null)).data).toEqual({})
  })
})

describe('messageIdOf', () => {
  it('differs for the same sequence of a restored database', () => {
    const change = { sequence: 5, at: '2026-03-01T00:00:00.000Z' }
    const id = messageIdOf('0198c2f4-7a00-7000-8000-000000000000', change)
    expect(id).toBe('evt_0198c2f4_5_mm6zh1c0')
    expect(messageIdOf('5e1c2f4a-7a00-4000-8000-000000000000', change)).not.toBe(id)
    const other = { ...change, at: '2026-03-01T00:00:00.001Z' }
    expect(messageIdOf('0198c2f4-7a00-7000-8000-000000000000', other)).not.toBe(id)
  })
})
