// `npm run docs`: writes the tables that the code knows best into the docs pages, between their marks, and the
// answers to the examples of the API. With --check it writes nothing and fails where a page is out of step; whether
// the answers are, test/api/openapi.test.ts finds out.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { problemsTable, settingsTable } from '../src/docs-tables.ts'

const docsDir = path.resolve(import.meta.dirname, '../docs')
const tables: Record<string, () => string> = { settings: settingsTable, errors: problemsTable }

const isCheck = process.argv.includes('--check')
const stale = Object.entries(tables).flatMap(([name, table]) => {
  const file = path.join(docsDir, `${name}.md`)
  const page = readFileSync(file, 'utf8')
  const mark = `<!-- ${name}: written by npm run docs -->`
  const written = page.replace(
    new RegExp(`${mark}\\n[^]*<!-- end -->`),
    () => `${mark}\n${table()}\n<!-- end -->`,
  )
  if (!isCheck) writeFileSync(file, written)
  return written === page && page.includes(mark) ? [] : [`docs/${name}.md`]
})

if (isCheck && stale.length > 0) {
  process.stderr.write(`${stale.join(', ')}: out of step with the code; run npm run docs\n`)
  process.exitCode = 1
}

if (!isCheck) await import('./write-examples.ts')
