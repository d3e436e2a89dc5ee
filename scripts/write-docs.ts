// `npm run docs`: writes the answers to the examples of the API, and then what the code knows best into the papers of
// docs/, between their marks. With --check it writes nothing and fails where a paper is out of step; whether the answers
// are, test/api/openapi.test.ts finds out.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { plans } from '../src/access/plans/plans.ts'
import { docsDir, fillMarks } from '../src/http/contract/docs/doc-pages.ts'
import { docsTables } from '../src/http/contract/docs/docs-tables.ts'
import { describeReference } from '../src/http/contract/docs/reference.ts'
import { defaultSynonymsFile, readSynonyms } from '../src/specs/synonyms.ts'
import { docsEntries } from '../web/pages/docs/docs-pages.ts'

const isCheck = process.argv.includes('--check')
if (!isCheck) await import('./write-examples.ts')

const synonyms = await readSynonyms(defaultSynonymsFile)
const tables = docsTables(describeReference(), { plans: Object.values(plans), synonyms })
const stale = docsEntries.filter(({ file }) => {
  const at = path.join(docsDir, file)
  const docPage = readFileSync(at, 'utf8')
  const written = fillMarks(docPage, tables)
  if (!isCheck) writeFileSync(at, written)
  return written !== docPage
})

if (isCheck && stale.length > 0) {
  process.stderr.write(
    `${stale.map(({ file }) => `docs/${file}`).join(', ')}: out of step with the code; run npm run docs\n`,
  )
  process.exitCode = 1
}
