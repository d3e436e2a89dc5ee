// Tests that the README shows the response of its own curl command.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { serveSample } from './sample-server.ts'

const server = serveSample()
const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8')

test('the response in the README is that of the service', async () => {
  const [, query] = /127\.0\.0\.1:8080(\/\S+)'/.exec(readme) ?? []
  const [, shown] = /<!-- answer -->\s+```json\n(.*?)```/s.exec(readme) ?? []
  // The time of loading differs; the field must be present.
  const undated = (text: string) =>
    text.replace(/\n/g, '').replace(/"updated_at":"[^"]+"/, '"updated_at":"…"')
  const answer = await (await server.get(query ?? '')).text()
  expect(undated(shown ?? '')).toBe(undated(answer))
})

test('the counts in the README and the changelog are those of the sample', async () => {
  const totalOf = async (path: string) => {
    const { meta } = (await (await server.get(path)).json()) as { meta: { total: number } }
    return meta.total
  }
  const watches = await totalOf('/api/v1/watches')
  const counted = `${watches} real watches from ${await totalOf('/api/v1/brands')} brands`
  expect(readme.replace(/\s+/g, ' ')).toContain(counted)
})
