// Reads the pages of docs/ as they are served: fills the generated parts with the tables of this instance, removes
// the markers, and puts the instance's URL into the examples. Imported when a page is first requested.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { docsEntries } from '../../../../web/pages/docs/docs-pages.ts'
import { packageRoot } from '../../../config.ts'
import { type DocsFacts, type DocsTables, docsTables, localAddress } from './docs-tables.ts'
import type { Reference } from './reference.ts'

export const docsDir = path.join(packageRoot, 'docs')

const filled = /(<!-- ([a-z-]+)((?: \w+)*): written by npm run docs -->\n)[\s\S]*?(<!-- end -->)/g
/** Our own markers only; any other comment is kept as text. */
const marks = /^<!-- (?:[\w -]+: written by npm run docs|end|event|sample: \w+) -->\n/gm

/** The Markdown texts by file name, without markers. */
export async function serveDocPages(
  reference: Reference,
  facts: DocsFacts,
  baseUrl: string,
): Promise<ReadonlyMap<string, string>> {
  const tables = docsTables(reference, facts)
  const texts = new Map<string, string>()
  for (const { file } of docsEntries) {
    const docPage = fillMarks(await readFile(path.join(docsDir, file), 'utf8'), tables)
    texts.set(
      file,
      docPage.replaceAll(marks, '').replaceAll(localAddress, () => baseUrl),
    )
  }
  return texts
}

/** The page with everything between its markers generated again. */
export function fillMarks(docPage: string, tables: DocsTables): string {
  return docPage.replaceAll(filled, (_, open: string, name: string, rest: string, end: string) => {
    const table = tables[name]
    if (table === undefined) throw new Error(`docs: there is no table called ${name}`)
    return `${open}${table(rest.trim())}\n${end}`
  })
}
