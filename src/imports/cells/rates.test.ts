import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRate, MoneyCounter, ratesOn } from './rates.ts'

const day = fc.integer({ min: 10, max: 28 }).map((number) => `2024-01-${number}`)
const dated = fc
  .uniqueArray(fc.record({ day, usd: fc.integer({ min: 1, max: 9 }) }), {
    selector: (rate) => rate.day,
    minLength: 1,
  })
  .map((rates) => rates.toSorted((one, other) => (one.day < other.day ? -1 : 1)))

test('the rate of a day is the newest of that day or before, and the newest of all without a day', () => {
  fc.assert(
    fc.property(dated, day, (own, asked) => {
      const rates = new Map([['EUR', own]])
      const wanted = own.findLast((rate) => rate.day <= asked)
      expect(findRate(rates, 'EUR', asked)).toEqual(wanted)
      expect(findRate(rates, 'EUR')).toEqual(own.at(-1))
      expect(findRate(ratesOn(rates, asked), 'EUR')).toEqual(wanted)
      expect(findRate(rates, 'CHF', asked)).toBeUndefined()
    }),
  )
  const fixed = new Map([['EUR', 1.5]])
  expect(findRate(ratesOn(fixed, '2024-01-01'), 'EUR', '2020-01-01')).toEqual({ usd: 1.5, day: undefined })
})

test('the rates used are told by their first and last day, in any order', () => {
  fc.assert(
    fc.property(dated, fc.nat(), (own, cut) => {
      const [one, other] = [new MoneyCounter(), new MoneyCounter()]
      for (const [at, rate] of own.entries())
        (((at >> (cut % 3)) & 1) === 0 ? one : other).addRate('EUR', rate)
      one.add(other.use)
      const [first, last] = [own[0], own.at(-1)]
      expect(one.use.rates).toEqual([{ currency: 'EUR', usd: last?.usd, first: first?.day, last: last?.day }])
    }),
  )
})
