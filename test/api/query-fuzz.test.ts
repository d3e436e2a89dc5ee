// Tests queries made of the grammar's own pieces in any order: always JSON, never a server error.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../any-code-point.ts'
import { createEngine } from '../databases/engines.ts'
import { startTestServer } from './running-server.ts'

const engine = createEngine()

test('any query gets a JSON response, and never a server error', async () => {
  const server = await startTestServer(engine, { LOG_LEVEL: 'warn' })
  const piece = fc.oneof(
    fc.constantFrom(
      'spec',
      'page',
      'per_page',
      'q',
      'sort',
      'fields',
      'facets',
      'ids',
      'brand',
      'explain',
      'retail_price_usd',
    ),
    fc.constantFrom(
      '[',
      ']',
      '[]',
      '[not]',
      '[gt]',
      '[exists]',
      '[dial_color]',
      '[__proto__]',
      '[water_resistance][lte]',
      '=',
      '&',
      '+',
      ',',
      '#',
      '?',
      ';',
    ),
    fc.constantFrom(
      '%',
      '%00',
      '%ff',
      '%C0%80',
      '%ED%A0%80',
      '%5B',
      '%5D',
      '%26',
      '%3D',
      '%E2%80%AE',
      '%F0%9F%98%80',
    ),
    fc.constantFrom(
      '1',
      '0',
      '-1',
      '1e9',
      'NaN',
      '330 ft',
      'Black',
      'true',
      'specs.jewels',
      'id',
      '1,2',
      '10 bar',
      'rolex',
    ),
    fc.string({ unit: anyCodePoint, maxLength: 4 }).map((text) => encodeURI(text.toWellFormed())),
  )
  const parameter = fc
    .tuple(
      fc.constantFrom(
        'spec',
        'spec[dial_color]',
        'q',
        'sort',
        'fields',
        'facets',
        'ids',
        'brand',
        'x',
        'page',
      ),
      fc.array(piece, { maxLength: 4 }),
    )
    .map(([name, pieces]) => `${name}${pieces.join('')}`)
  const query = fc
    .array(fc.oneof(parameter, piece), { maxLength: 8 })
    .map((parts) => parts.join('&').replaceAll(' ', '+'))
  const path = fc.constantFrom(
    '/watches',
    '/brands',
    '/brands/rolex/watches',
    '/specs',
    '/specs/dial_color',
    '/suggest',
    '/watches/1',
  )
  await fc.assert(
    fc.asyncProperty(path, query, async (where, written) => {
      const response = await server.get(`/api/v1${where}?${written}`)
      expect([200, 422]).toContain(response.status)
      const body = JSON.parse(await response.text())
      expect(Object.keys(body)[0]).toBe(response.status === 200 ? 'data' : 'message')
    }),
    { numRuns: 300 },
  )
  // The log has only warnings and errors, so it must be empty.
  expect(server.logText()).toBe('')
})
