import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curlOf, inShell } from './curl.ts'

test('a call can be pasted: the URL is quoted, and curl does not expand its brackets', () => {
  const address = 'https://watches.example/api/v1/watches?spec[dial_color]=blue&per_page=2'
  expect(curlOf(address, 'wd_live_1')).toBe(
    `curl -g 'https://watches.example/api/v1/watches?spec[dial_color]=blue&per_page=2' \\
  -H 'Authorization: Bearer wd_live_1'`,
  )
})

test('a call without brackets is as short as it can be', () => {
  expect(curlOf('http://localhost:8080/api/v1/usage')).toBe(
    `curl 'http://localhost:8080/api/v1/usage' \\\n  -H 'Authorization: Bearer YOUR_API_KEY'`,
  )
})

test('a shell reads quoted text back unchanged', () => {
  fc.assert(fc.property(fc.string(), (text) => readByShell(inShell(text)) === text))
  expect(inShell("it's $HOME")).toBe("'it'\\''s $HOME'")
})

/** Follows POSIX: single quotes keep every character literal; outside of them a backslash keeps the next one. */
function readByShell(written: string): string {
  const parts = [...written.matchAll(/'([^']*)'|\\(.)/gs)]
  expect(parts.map(([part]) => part).join('')).toBe(written)
  return parts.map(([, quoted, kept]) => quoted ?? kept).join('')
}
