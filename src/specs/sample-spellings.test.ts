import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot, parseConfig } from '../config.ts'
import { readVocabulary } from './read-vocabulary.ts'
import { findScale } from './units.ts'
import { scalarsOf } from './vocabulary.ts'

const vocabulary = await readVocabulary(parseConfig({}))

/** Values of quantity keys in the sample that contain a number but are not a quantity. */
const textsOfSample = [
  '35-45 h',
  '35-45 hours',
  '36,000 vph (time) / 360,000 vph (chronograph)',
  '38-48 h',
  '38-48 hours',
  '55-65 hours',
]

test('every quantity of the sample catalogue is parsed, except a short list of texts', () => {
  const lines = readFileSync(path.join(packageRoot, 'catalogue', 'watches.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
  const specs = lines.flatMap((line) => Object.entries<unknown>(JSON.parse(line).specs))
  const texts = specs.flatMap(([specKey, stored]) =>
    findScale(specKey) === undefined
      ? []
      : scalarsOf(stored).filter(
          (leaf) => /\d/.test(String(leaf)) && vocabulary.read(specKey, leaf).kind !== 'quantity',
        ),
  )
  expect([...new Set(texts)].sort()).toEqual(textsOfSample)
})
