import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import type { Draft } from './draft.ts'
import { fromColumns, toColumns } from './draft-columns.ts'

const text = fc.string({ unit: anyCodePoint })
const price = fc.option(fc.option(fc.double(), { nil: undefined }))
const drafts: fc.Arbitrary<Draft> = fc.record({
  line: fc.nat(),
  id: fc.option(fc.nat(), { nil: undefined }),
  brand: text,
  collection: fc.option(text, { nil: undefined }),
  reference_number: text,
  retail_price_usd: price,
  current_market_price: price,
  specs: fc.json(),
  updated_at: fc.option(text, { nil: undefined }),
  isWhole: fc.boolean(),
  unread: fc.option(fc.array(text), { nil: undefined }),
})

test('any drafts survive the conversion and the copy to another thread', () => {
  fc.assert(
    fc.property(fc.array(drafts), (sent) => {
      expect(fromColumns(structuredClone(toColumns(sent)))).toEqual(sent)
    }),
  )
})
