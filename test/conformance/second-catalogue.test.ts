// Tests a copy of the catalogue that is kept only by export and change feed while many writers run: in the end it
// equals the catalogue byte for byte, for any encoding, slow readers and rebuilds of the index.
import http, { type IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import zlib from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { type PlanServer, startPlanServer } from '../api/plan-server.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { isNightly } from '../depth.ts'
import { patience } from '../patience.ts'
import { createMany, manyAtOnce, WritersFixture } from './catalogue-writers.ts'

type Coding = 'identity' | 'gzip' | 'zstd'

const watchesAtStart = 500
const slowMs = 100
const unavailable = 503

interface Reader {
  readonly coding: Coding
  readonly isSlow: boolean
}

const slowReader: Reader = { coding: 'identity', isSlow: true }
const quickReaders = (['zstd', 'gzip', 'identity'] as const).map((coding) => ({
  coding,
  isSlow: false,
}))

/** How a response is encoded does not depend on the engine, so each engine has one encoding, and all of them at night. */
const readersOf = ({ name }: Engine) => {
  if (isNightly) return quickReaders
  return quickReaders.filter(({ coding }) => coding === (name === 'sqlite' ? 'gzip' : 'zstd'))
}
const toldBy = (engine: Engine) =>
  `${readersOf(engine)
    .map(({ coding }) => coding)
    .join(', ')}; at night in every encoding`

describeEachEngine('a second catalogue', (engine) => {
  test(`made of an export and the changes since then (${toldBy(engine)}) equals the first, byte for byte`, async () => {
    const settings = await engine.settings('sample')
    const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
    await createMany(database, watchesAtStart)
    const server = await startPlanServer(
      { ...engine, settings: async () => settings },
      { LOG_LEVEL: 'silent' },
    )
    const fixture = new WritersFixture(database)
    const writing = fixture.run()
    let changedMeanwhile = 0
    const following: Promise<Map<number, string>>[] = []
    const exportInTurn = async (readers: readonly Reader[]) => {
      for (const reader of readers) {
        const { lines, cursor } = await exportAll(server, reader)
        changedMeanwhile += (await sequenceOf(server)) - sequenceIn(cursor)
        following.push(followTo(server, { lines, cursor, coding: reader.coding }, () => fixture.end))
        // The next export must be of another state.
        await untilAfter(server, sequenceIn(cursor))
      }
    }
    await Promise.all([exportInTurn([slowReader]), exportInTurn(readersOf(engine))])
    fixture.isEnough = true
    await writing
    const copies = await Promise.all(following)
    expect(changedMeanwhile).toBeGreaterThan(0)
    const { lines } = await exportAll(server, { coding: 'identity', isSlow: false })
    expect(lines.size).toBeGreaterThan(watchesAtStart)
    expect(await listAll(server)).toEqual([...lines.values()])
    for (const copy of copies) expect(differing(copy, lines)).toEqual([])
  })
})

function differing(one: ReadonlyMap<number, string>, other: ReadonlyMap<number, string>): number[] {
  const ids = new Set([...one.keys(), ...other.keys()])
  return [...ids].filter((id) => one.get(id) !== other.get(id))
}

/** Retries when the database was too slow for a moment: the 503 response says when. */
async function ask(server: PlanServer, path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await server.ask('pro', path, { headers })
  const text = await response.text()
  if (response.status === unavailable) {
    await delay(Number(response.headers.get('retry-after')) * 1_000)
    return ask(server, path, headers)
  }
  expect(response.status, text).toBe(200)
  return text
}

/** The sequence that the server's index has reached. */
async function sequenceOf(server: PlanServer): Promise<number> {
  const { meta } = JSON.parse(await ask(server, '/changes?since=now'))
  return sequenceIn(meta.next_cursor)
}

async function untilAfter(server: PlanServer, sequence: number): Promise<void> {
  const options = { ...patience, interval: 50 }
  await vi.waitFor(async () => expect(await sequenceOf(server)).toBeGreaterThan(sequence), options)
}

function sequenceIn(cursor: string): number {
  return Number(cursor.split('-')[1])
}

/** Reads the whole export into a map. */
async function exportAll(server: PlanServer, { coding, isSlow }: Reader) {
  const answer = await openExport(server, coding)
  expect(answer.statusCode).toBe(200)
  const cursor = answer.headers['x-change-cursor'] as string
  let text = ''
  for await (const piece of decoded(answer, coding).setEncoding('utf8')) {
    text += piece
    // Slow, but never idle: an idle connection would be closed.
    if (isSlow && (await sequenceOf(server)) < sequenceIn(cursor) + manyAtOnce) await delay(slowMs)
  }
  const lines = text.split('\n').filter((line) => line !== '')
  return { cursor, lines: new Map(lines.map((line) => [JSON.parse(line).id as number, line])) }
}

async function openExport(server: PlanServer, coding: Coding): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { authorization: `Bearer ${server.keys.platinum}`, 'accept-encoding': coding }
  http.get(`${server.baseUrl}/api/v1/export`, { headers, agent: false }, resolve).on('error', reject)
  const answer = await promise
  if (answer.statusCode !== unavailable) return answer
  answer.resume()
  await delay(Number(answer.headers['retry-after']) * 1_000)
  return openExport(server, coding)
}

function decoded(answer: IncomingMessage, coding: Coding): Readable {
  if (coding === 'identity') return answer
  return answer.pipe(coding === 'gzip' ? zlib.createGunzip() : zlib.createZstdDecompress())
}

/** Applies changes to the copy until it reaches `end`, which is known once all writers have finished. */
async function followTo(
  server: PlanServer,
  { lines: copy, cursor: start, coding }: { lines: Map<number, string>; cursor: string; coding: Coding },
  end: () => number | undefined,
): Promise<Map<number, string>> {
  const headers = { 'accept-encoding': coding }
  let cursor = start
  let sequence = sequenceIn(start)
  while (sequence !== end()) {
    const limit = 1 + Math.floor(Math.random() * 500)
    const text = await ask(server, `/changes?since=${cursor}&limit=${limit}&wait=1`, headers)
    const { data, meta } = JSON.parse(text)
    const watches = watchTexts(text)
    for (const [at, change] of data.entries()) {
      sequence += 1
      expect(change.sequence).toBe(sequence)
      if (change.watch_id === undefined) continue
      if (change.watch === null) copy.delete(change.watch_id)
      else copy.set(change.watch_id, watches[at] as string)
    }
    cursor = meta.next_cursor
    expect(sequenceIn(cursor)).toBe(sequence)
  }
  return copy
}

/** The raw text of each change's watch; empty if it has none. */
function watchTexts(text: string): string[] {
  return objectsIn(text).map((change) => {
    const start = change.indexOf('"watch":{')
    return start === -1 ? '' : objectAt(change, start + '"watch":'.length)
  })
}

/** The raw texts of the objects in `data`. */
function objectsIn(text: string): string[] {
  const objects: string[] = []
  for (let at = '{"data":['.length; text[at] !== ']'; ) {
    if (text[at] === ',') at++
    const object = objectAt(text, at)
    objects.push(object)
    at += object.length
  }
  return objects
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}]/g

/** The raw text from an opening brace to its closing brace. */
function objectAt(text: string, start: number): string {
  let depth = 0
  tokens.lastIndex = start
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === '{') depth++
    else if (token[0] === '}' && --depth === 0) return text.slice(start, tokens.lastIndex)
  }
  throw new Error('the object does not end')
}

/** The raw texts of all watches from GET /watches. */
async function listAll(server: PlanServer): Promise<string[]> {
  const all: string[] = []
  const headers = { 'accept-encoding': 'identity' }
  for (let page = 1; ; page++) {
    const watches = objectsIn(await ask(server, `/watches?per_page=100&page=${page}`, headers))
    if (watches.length === 0) return all
    all.push(...watches)
  }
}
