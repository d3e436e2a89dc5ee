// Downloads the files of a command that are addresses, and removes them when the command is done.
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { type Config, parseConfig } from '../../config.ts'
import {
  type Download,
  type DownloadOptions,
  download,
  isAddress,
  shownAddress,
} from '../../feeds/download.ts'
import { addressRules } from '../../outbound/address-rules.ts'
import { openResolver } from '../../outbound/resolve-host.ts'
import { withTemporaryDirectory } from './temporary-directory.ts'

export interface LocalFiles {
  readonly paths: readonly string[]
  /** Path → the address from which the file was downloaded, as it is shown. */
  readonly names: Readonly<Record<string, string>>
}

export async function withLocalFiles<T>(
  files: readonly string[],
  work: (local: LocalFiles) => Promise<T>,
): Promise<T> {
  if (!files.some(isAddress)) return work({ paths: files, names: {} })
  return withTemporaryDirectory('watchdata-download-', async (directory) =>
    work(await downloadAll(files, directory)),
  )
}

async function downloadAll(files: readonly string[], directory: string): Promise<LocalFiles> {
  const options = downloadOptions(parseConfig(process.env), directory)
  const paths: string[] = []
  const names: Record<string, string> = {}
  for (const file of files) {
    if (!isAddress(file)) paths.push(file)
    else {
      // A directory for each, because two addresses may end in the same name.
      const own = await mkdtemp(path.join(directory, 'file-'))
      const { path: local } = (await download(file, { ...options, directory: own })) as Download
      paths.push(local)
      names[local] = shownAddress(file)
    }
  }
  return { paths, names }
}

export function downloadOptions(config: Config, directory: string): DownloadOptions {
  return {
    rules: addressRules(config, openResolver()),
    mbMax: config.importMaxMb,
    directory,
  }
}
