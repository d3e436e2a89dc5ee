// Downloads the file of a feed once, and imports it. Asks nobody, and keeps what was left out only in the log of runs.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseConfig } from '../../config.ts'
import { download, shownAddress, type Validators } from '../../feeds/download.ts'
import type { Feed, FeedKind } from '../../feeds/feeds.ts'
import { importLocal, type LocalImportOptions } from './import.ts'
import { type ImportOutcome, outcomeOf, outcomeOfPrices } from './import-outcome.ts'
import { importLocalPrices, type LocalPriceOptions } from './import-prices.ts'
import { downloadOptions } from './local-files.ts'
import { withTemporaryDirectory } from './temporary-directory.ts'

/** Returns undefined if the file is the same as the last time. */
export function importFrom(
  { kind, url, options }: Pick<Feed, 'kind' | 'options'> & { readonly url: string },
  validators: Validators,
  more: { readonly dryRun?: true; readonly json?: true; readonly who?: string },
): Promise<{ readonly outcome: ImportOutcome; readonly validators: Validators } | undefined> {
  return withTemporaryDirectory('watchdata-feed-', async (directory) => {
    const config = parseConfig(process.env)
    const file = await download(url, { ...downloadOptions(config, directory), ...validators })
    if (file === undefined) return undefined
    const { mapping, ...rest } = options as { mapping?: string }
    const map = path.join(directory, 'mapping.json')
    if (mapping !== undefined) await writeFile(map, mapping)
    const given = {
      ...rest,
      ...more,
      ...(mapping === undefined ? {} : { map }),
      names: { [file.path]: shownAddress(url) },
      // Nobody is there to answer.
      yes: true,
    }
    const outcome = await importOne(kind, file.path, given)
    return { outcome, validators: { etag: file.etag, lastModified: file.lastModified } }
  })
}

async function importOne(kind: FeedKind, file: string, given: object): Promise<ImportOutcome> {
  if (kind === 'prices') return outcomeOfPrices(await importLocalPrices([file], given as LocalPriceOptions))
  const summary = await importLocal([file], given as LocalImportOptions)
  return summary === undefined ? { run: undefined } : outcomeOf(summary)
}
