import { describe, expect, test } from 'vitest'
import type { PlanOffer, PlanRequest } from '../../account-api.ts'
import { compare, findDecision, linesOf, priceOf } from './plan-compare.ts'

const free: PlanOffer = {
  id: 'free',
  name: 'Free',
  requestsPerDay: 50,
  usdPerMonth: 0,
  grants: ['catalogue', 'account'],
  priceHistoryDays: null,
  webhooksMax: 0,
}
const pro: PlanOffer = {
  id: 'pro',
  name: 'Pro',
  requestsPerDay: 500,
  usdPerMonth: 59,
  grants: ['catalogue', 'account', 'prices', 'changes', 'webhooks', 'resolve'],
  priceHistoryDays: 365,
  webhooksMax: 3,
}
const platinum: PlanOffer = {
  ...pro,
  id: 'platinum',
  name: 'Platinum',
  requestsPerDay: 1_500,
  usdPerMonth: 79,
  grants: [...pro.grants, 'export'],
  priceHistoryDays: null,
  webhooksMax: 25,
}

describe('the lines of a plan', () => {
  test('are the same for every plan, and show what a plan lacks', () => {
    expect(linesOf(free).map(({ name }) => name)).toEqual(linesOf(platinum).map(({ name }) => name))
    expect(linesOf(free).map(({ extent }) => extent)).toEqual(['50', 'Yes', ...Array(5).fill(undefined)])
    expect(linesOf(pro).map(({ extent }) => extent)).toEqual([
      '500',
      'Yes',
      '365\u00A0days',
      'Yes',
      '3',
      undefined,
      'Yes',
    ])
    expect(linesOf(platinum).map(({ extent }) => extent)).toEqual([
      '1,500',
      'Yes',
      'All',
      'Yes',
      '25',
      'Yes',
      'Yes',
    ])
  })

  test('show the price per month', () => {
    expect([free, pro].map(priceOf)).toEqual(['$0 per month', '$59 per month'])
  })
})

describe('going from one plan to another', () => {
  test('up from Free gains all of Pro and loses nothing', () => {
    expect(compare(free, pro)).toEqual({
      gains: [
        '500 requests per day instead of 50',
        'Change feed',
        '100 texts resolved at once instead of one',
        'Price history: 365\u00A0days',
        '3 webhooks',
      ],
      losses: [],
    })
  })

  test('up from Pro lists only what increases', () => {
    expect(compare(pro, platinum)).toEqual({
      gains: [
        '1,500 requests per day instead of 500',
        'Export of the whole catalogue',
        'Price history: all instead of 365\u00A0days',
        '25 webhooks instead of 3',
      ],
      losses: [],
    })
  })

  test('down lists what is lost, and what happens to webhooks', () => {
    expect(compare(platinum, pro)).toEqual({
      gains: [],
      losses: [
        '500 requests per day instead of 1,500',
        'Export of the whole catalogue',
        'Price history: 365\u00A0days instead of all',
        '3 webhooks instead of 25: the oldest 3 stay active, the others are kept but receive no events',
      ],
    })
    expect(compare(pro, free).losses).toEqual([
      '50 requests per day instead of 500',
      'Change feed',
      '100 texts resolved at once instead of one',
      'Price history',
      'Webhooks: yours are kept but receive no events',
    ])
  })

  test('to the same plan changes nothing', () => {
    expect(compare(pro, pro)).toEqual({ gains: [], losses: [] })
  })
})

describe('a decision', () => {
  const request: PlanRequest = {
    id: 'a',
    plan: 'pro',
    status: 'granted',
    asked_at: '2026-03-01T18:00:00.000Z',
    decided_at: '2026-03-01T19:00:00.000Z',
  }

  test('is reported when the request was pending before', () => {
    expect(findDecision('a', [request])).toBe(request)
    expect(findDecision('a', [{ ...request, status: 'declined' }])?.status).toBe('declined')
  })

  test('is not reported when it was made earlier, is still pending, or the user withdrew the request', () => {
    expect(findDecision(undefined, [request])).toBeUndefined()
    expect(findDecision('b', [request])).toBeUndefined()
    expect(findDecision('a', [{ ...request, status: 'pending' }])).toBeUndefined()
    expect(findDecision('a', [{ ...request, status: 'withdrawn' }])).toBeUndefined()
  })
})
