import { expect, test } from 'vitest'
import { readColumnName } from '../column-names.ts'

test.each([
  ['Metafield: custom.case_diameter [dimension]', 'specs.case_diameter'],
  ['Metafield: my-fields.case_diameter', 'specs.case_diameter'],
  ['Variant Metafield: watch.reference [single_line_text_field]', 'reference_number'],
  ['Metafield: title_tag [string]', undefined],
])('a metafield of Matrixify is read by its own name: %s', (column, to) => {
  expect(readColumnName(column).to).toBe(to)
})
