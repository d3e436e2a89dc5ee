// `watchdata export FILE`: writes the catalogue to a file that other programs and `watchdata import` can read, while
// the service keeps writing.
import {
  type ExportSubject,
  exportCatalogue,
  exportSubjects,
} from '../../catalogue/export/export-catalogue.ts'
import { systemClock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { isText, parseOutputFormat } from '../../files/output/write-format.ts'
import { counted } from '../catalogue-texts.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { lowerPriority } from '../file-options.ts'
import { type CommonOptions, printJson, tell } from '../output.ts'

interface ExportOptions extends CommonOptions {
  readonly of: string
  readonly format?: string
}

const single: Readonly<Record<ExportSubject, string>> = { watches: 'watch', brands: 'brand', prices: 'price' }

export async function exportCommand(file: string, options: ExportOptions): Promise<void> {
  const of = parseSubject(options.of)
  const format = parseOutputFormat(file, options.format)
  const isStdout = file === '-'
  if (isStdout && process.stdout.isTTY && !isText(format)) {
    throw new Failure('A terminal cannot show this format: name a file, or pipe the output with |.')
  }
  lowerPriority()
  const startMs = systemClock.nowMs()
  const { rows, bytes } = await withCurrentDatabase((database) => exportCatalogue(database, of, file, format))
  const seconds = (systemClock.nowMs() - startMs) / 1_000
  const summary = { file, of, ...format, compression: format.compression ?? null, rows, bytes, seconds }
  // If the export goes to stdout, stdout must have nothing else.
  if (options.json && isStdout) tell(JSON.stringify(summary))
  else if (options.json) printJson(summary)
  else {
    const size = counted(bytes, 'byte', 'bytes')
    const place = isStdout ? 'stdout' : file
    tell(`Exported ${counted(rows, single[of], of)} to ${place} (${size}, ${seconds.toFixed(1)} s).`)
  }
}

function parseSubject(of: string): ExportSubject {
  const subject = exportSubjects.find((one) => one === of)
  if (subject !== undefined) return subject
  throw new Failure(`There is nothing called ${of} to export: use --of ${exportSubjects.join(', ')}.`)
}
