// Splits bytes into lines of bounded length. A last line that does not end throws: a part must not look like the whole.
import { Failure } from '../../errors.ts'

/** Specs have at most 64 KB; this leaves room for much more. */
const lineMaxChars = 1_048_576

/** The lines that end in each chunk. `name` is what is read, for messages. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let begun = ''
  for await (const chunk of chunks) {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split('\n')
    begun = lines.pop() ?? ''
    if (begun.length > lineMaxChars || lines.some(({ length }) => length > lineMaxChars)) {
      throw new Failure(`${name} has a line that is too long to be a watch.`)
    }
    if (lines.length > 0) yield lines
  }
  if (begun !== '') throw new Failure(`${name} ends in the middle of a line.`)
}
