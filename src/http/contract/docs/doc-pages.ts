// In charge of the papers in docs/ as they are served: their marks filled by the tables of this instance, then taken out,
// and its own address in the examples. Loaded when a page is first asked for.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { docsEntries } from '../../../../web/pages/docs/docs-pages.ts'
import { packageRoot } from '../../../config.ts'
import { type DocsFacts, type DocsTables, docsTables, localAddress } from './docs-tables.ts'
import type { Reference } from './reference.ts'

export const docsDir = path.join(packageRoot, 'docs')

const filled = /(<!-- ([a-z-]+)((?: \w+)*): written by npm run docs -->\n)[\s\S]*?(<!-- end -->)/g
/** Those of our own; any other comment is text like the rest. */
const marks = /^<!-- (?:[\w -]+: written by npm run docs|end|event|sample: \w+) -->\n/gm

/** By file name, without marks. */
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

/** The paper with everything between its marks made anew. */
export function fillMarks(docPage: string, tables: DocsTables): string {
  return docPage.replaceAll(filled, (_, open: string, name: string, rest: string, end: string) => {
    const table = tables[name]
    if (table === undefined) throw new Error(`docs: nothing is called ${name}`)
    return `${open}${table(rest.trim())}\n${end}`
  })
}
