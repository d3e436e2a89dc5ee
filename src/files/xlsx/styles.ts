// Reads the number formats of a workbook, which its cells name by the number of their style.
import { cellStylesMax, formatCodeCharsMax, formatCodesCharsMax } from '../limits.ts'
import type { ZipEntry, ZipSource } from '../zip/zip-directory.ts'
import { type NumberFormat, numberFormat } from './number-format.ts'
import { readPartXml } from './workbook.ts'
import { BadXml } from './xml-tokens.ts'

/** Returns the number format of each style. */
export async function readStyles(source: ZipSource, part: ZipEntry | undefined): Promise<NumberFormat[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let isCellStyle = false
  let codesChars = 0
  const addCode = (id: number, code: string) => {
    if (code.length > formatCodeCharsMax) throw new BadXml('it has a number format that is too long')
    codesChars += code.length
    codes.set(id, code)
  }
  if (part === undefined) return []
  await readPartXml(
    source,
    part,
    (name, attributes) => {
      if (name === 'numFmt') addCode(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '')
      else if (name === 'cellXfs') isCellStyle = true
      else if (name === 'xf' && isCellStyle) ids.push(Number(attributes.get('numFmtId') ?? 0))
      if (ids.length > cellStylesMax || codes.size > cellStylesMax || codesChars > formatCodesCharsMax)
        throw new BadXml('it has too many styles')
    },
    (name) => {
      if (name === 'cellXfs') isCellStyle = false
    },
  )
  const formats = new Map<number, NumberFormat>()
  return ids.map((id) => {
    const known = formats.get(id) ?? numberFormat(id, codes.get(id))
    formats.set(id, known)
    return known
  })
}
