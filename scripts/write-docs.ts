// `npm run docs`: records the responses of the API examples, then fills the generated parts of docs/, between their
// markers, from the tables of the code. With --check it writes nothing and fails when a page is out of date.
// test/api/openapi.test.ts checks whether the recorded responses are current.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { plans } from '../src/access/plans/plans.ts'
import { parseConfig } from '../src/config.ts'
import { docsDir, fillMarks } from '../src/http/contract/docs/doc-pages.ts'
import { docsTables } from '../src/http/contract/docs/docs-tables.ts'
import { describeReference } from '../src/http/contract/docs/reference.ts'
import { readVocabulary } from '../src/specs/read-vocabulary.ts'
import { docsEntries } from '../web/pages/docs/docs-pages.ts'

const isCheck = process.argv.includes('--check')
if (!isCheck) await import('./write-examples.ts')

const { synonyms, nicknames } = await readVocabulary(parseConfig({}))
const tables = docsTables(describeReference(), { plans: Object.values(plans), synonyms, nicknames })
const stale = docsEntries.filter(({ file }) => {
  const at = path.join(docsDir, file)
  const docPage = readFileSync(at, 'utf8')
  const written = fillMarks(docPage, tables)
  if (!isCheck) writeFileSync(at, written)
  return written !== docPage
})

if (isCheck && stale.length > 0) {
  process.stderr.write(
    `${stale.map(({ file }) => `docs/${file}`).join(', ')}: out of date with the code; run npm run docs\n`,
  )
  process.exitCode = 1
}
