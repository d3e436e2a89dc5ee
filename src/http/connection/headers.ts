// In charge of headers as they were sent. Node keeps the first of two without a word where only one may be sent; and
// it makes an object of all of them for whoever asks for one, which a short request does not need.
import type { IncomingMessage } from 'node:http'

/** Every value of the header as sent. `name` in lower case. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isNamed(rawHeaders[at] as string, name)) values.push(rawHeaders[at + 1] as string)
  }
  return values
}

/** The first value of the header, if there is one. `name` in lower case. */
export function findHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isNamed(rawHeaders[at] as string, name)) return rawHeaders[at + 1]
  }
  return undefined
}

export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isNamed(rawHeaders[at] as string, name)) count++
  return count
}

function isNamed(sent: string, name: string): boolean {
  return sent.length === name.length && (sent === name || sent.toLowerCase() === name)
}
