// In charge of calls as they are pasted into a shell.

/** `-g`, because curl reads brackets in an address as a range of its own. */
export function curlOf(address: string, key = 'YOUR_API_KEY'): string {
  const glob = /[[\]{}]/.test(address) ? ' -g' : ''
  return `curl${glob} ${inShell(address)} \\\n  -H ${inShell(`Authorization: Bearer ${key}`)}`
}

/** Between quotes that nothing inside can end. */
export function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
