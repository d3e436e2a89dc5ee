// Finds texts that were read in the wrong encoding before the file was saved: `SÃ¶hne` for `Söhne`.
import type { FileRecord } from '../../files/records.ts'
import { shown } from '../cells/clean-text.ts'

/** What UTF-8 looks like if each of its bytes is taken for a character of windows-1252. */
const garbled = /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[™œ“”¦]|Â[°·´ ]/

export function tellGarbled(records: readonly FileRecord[]): string[] {
  for (const { cells } of records) {
    const found = cells.find((cell) => typeof cell === 'string' && garbled.test(cell))
    if (found === undefined) continue
    return [
      `${JSON.stringify(shown(found))} looks as if the text had been read in another encoding before it was saved: export it again as UTF-8.`,
    ]
  }
  return []
}
