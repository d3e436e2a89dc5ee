// Writes API calls as curl commands that can be pasted into a shell.

/** Adds `-g` when needed: curl reads brackets in a URL as a range. */
export function curlOf(address: string, key = 'YOUR_API_KEY'): string {
  const glob = /[[\]{}]/.test(address) ? ' -g' : ''
  return `curl${glob} ${inShell(address)} \\\n  -H ${inShell(`Authorization: Bearer ${key}`)}`
}

/** Quotes `text` for a POSIX shell. */
export function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
