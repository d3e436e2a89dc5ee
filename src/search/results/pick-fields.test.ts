import { expect, test } from 'vitest'
import { pickFields } from './pick-fields.ts'

const row =
  '{"id":1,"brand":"Omega","specs":{"dial_color":"Black","__proto__":[1],"a.b":{"c":2}},"updated_at":"x"}'

test.each([
  [['id'], '{"id":1}'],
  [['updated_at', 'id'], '{"id":1,"updated_at":"x"}'],
  [['specs.dial_color'], '{"specs":{"dial_color":"Black"}}'],
  [['specs.__proto__', 'specs.a.b'], '{"specs":{"__proto__":[1],"a.b":{"c":2}}}'],
  [['specs.constructor', 'brand'], '{"brand":"Omega","specs":{}}'],
  [['specs'], '{"specs":{"dial_color":"Black","__proto__":[1],"a.b":{"c":2}}}'],
])('%j picks the fields that the watch has, in its order', (fields, expected) => {
  expect(pickFields(row, fields)).toBe(expected)
})
