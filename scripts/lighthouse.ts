// `npm run lighthouse`: audits the public pages with Lighthouse, which emulates a phone. npx downloads Lighthouse,
// because it is larger than this whole project with its dependencies. Exits with 1 when a score is below 95.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildHouse } from '../test/browser/house.ts'
import { chromiumFlags } from '../test/browser/launch.ts'
import { findChromium } from '../test/programs/chromium.ts'

const lighthouse = 'lighthouse@13.5.0'
const pages = ['/', '/explore', '/explore/watches/1', '/docs', '/docs/filters', '/docs/reference']
const categories = ['performance', 'accessibility', 'best-practices', 'seo']
const barPercent = 95
const runMaxMs = 180_000

const run = promisify(execFile)

const chromium = await findChromium()
if (!chromium.available) throw new Error(`Lighthouse needs Chromium: ${chromium.reason}`)
const house = await buildHouse()
const folder = await mkdtemp(path.join(tmpdir(), 'watchdata-lighthouse-'))
try {
  for (const page of pages) say(page, await examine(page, chromium.address))
} finally {
  await house.close()
  await rm(folder, { recursive: true, force: true })
}

async function examine(page: string, executable: string): Promise<number[]> {
  const report = path.join(folder, 'report.json')
  const flags = ['--headless', ...chromiumFlags].join(' ')
  const args = [house.baseUrl + page, '--quiet', '--output=json', `--output-path=${report}`]
  await run('npx', ['--yes', lighthouse, ...args, `--chrome-flags=${flags}`], {
    env: { ...process.env, CHROME_PATH: executable },
    timeout: runMaxMs,
  })
  const result = JSON.parse(await readFile(report, 'utf8')) as Report
  tellFaults(result)
  return categories.map((name) => Math.round((result.categories[name]?.score ?? 0) * 100))
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<
    Record<string, { readonly id: string; readonly title: string; readonly score: number | null }>
  >
}

function tellFaults({ audits }: Report): void {
  if (!process.argv.includes('--faults')) return
  const faults = Object.values(audits).filter(({ score }) => score !== null && score < 0.9)
  for (const { id, title, score } of faults) process.stdout.write(`  ${score} ${id}: ${title}\n`)
}

function say(page: string, scores: readonly number[]): void {
  const told = categories.map((name, at) => `${name} ${scores[at]}`).join(', ')
  process.stdout.write(`${page}: ${told}\n`)
  if (scores.some((score) => score < barPercent)) process.exitCode = 1
}
