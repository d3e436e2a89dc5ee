// In charge of headers that may be sent only once: Node keeps the first of two without a word.
import type { IncomingMessage } from 'node:http'

/** Every value of the header as sent. `name` in lower case. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string
    if (sent.length === name.length && sent.toLowerCase() === name)
      values.push(rawHeaders[index + 1] as string)
  }
  return values
}
