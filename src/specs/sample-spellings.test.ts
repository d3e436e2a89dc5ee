import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../config.ts'
import { defaultSynonymsFile, readSynonyms } from './synonyms.ts'
import { findScale } from './units.ts'
import { createVocabulary, scalarsOf } from './vocabulary.ts'

const vocabulary = createVocabulary(await readSynonyms(defaultSynonymsFile))

/** Values of quantity keys in the sample that contain a number but are not a quantity. */
const textsOfSample = [
  '23.3 x 37 mm',
  '25.5 x 42.9 mm',
  '27.4 x 45.6 mm',
  '28.45 x 36.5 mm',
  '32.3 x 50.3 mm',
  '35-45 h',
  '35-45 hours',
  '36,000 vph (time) / 360,000 vph (chronograph)',
  '38-48 h',
  '38-48 hours',
  '38.7 x 47.52 mm',
  '40 x 39.2 mm',
  '40.8 x 34.7 mm',
  '42.70 x 49.90 mm',
  '44.50 x 49.94 mm',
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
