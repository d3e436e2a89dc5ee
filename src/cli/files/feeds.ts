// `watchdata feeds add`, `list`, `run`, `pause`, `resume` and `remove`: addresses from which files are imported
// periodically. The running service imports those that are due; `run` imports one at once.
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { operatorName } from '../../catalogue/runs/run-log.ts'
import { systemClock } from '../../clock.ts'
import { parseConfig } from '../../config.ts'
import { Failure } from '../../errors.ts'
import { download, isAddress, shownAddress, type Validators } from '../../feeds/download.ts'
import {
  addFeed,
  type Feed,
  type FeedKind,
  type FeedOutcome,
  findFeed,
  listFeeds,
  noteOutcome,
  pauseFeed,
  removeFeed,
} from '../../feeds/feeds.ts'
import type { Database } from '../../storage/database.ts'
import { moment, visible } from '../catalogue-texts.ts'
import { withCurrentDatabase, withMigratedDatabase } from '../database-command.ts'
import type { ImportCommandOptions } from '../file-options.ts'
import { type CommonOptions, print, printJson, table } from '../output.ts'
import { importLocal } from './import.ts'
import { importLocalPrices, type PriceCommandOptions } from './import-prices.ts'
import { downloadOptions } from './local-files.ts'

type FeedOptions = CommonOptions & { readonly every: string }
type AddedOptions = FeedOptions & ImportCommandOptions & PriceCommandOptions

const everyShape = /^(\d{1,4})\s?(m|min|h|d)$/
const minutesOf = { m: 1, min: 1, h: 60, d: 1_440 }
const [everyMin, everyMax] = [5, 366 * 1_440]
const rejectedFile = 'rejected.ndjson'
const head = ['feed', 'what', 'every', 'last run', 'result', 'next', 'address']

/** Imports the file once without writing anything, so that a wrong address or mapping is noticed at once. */
export async function addCommand(kind: FeedKind, url: string, given: AddedOptions): Promise<void> {
  if (!isAddress(url)) throw new Failure(`${url} is not an address: it must begin with https://.`)
  const minutes = parseEvery(given.every)
  const options = await storedOptions(given)
  const feed = { kind, url, every_minutes: minutes, options, who: operatorName() }
  await importFrom(feed, {}, { dryRun: true, ...(given.json ? { json: true } : {}) })
  if (process.exitCode !== undefined) throw new Failure('Nothing could be imported: the feed was not added.')
  const id = await withMigratedDatabase((database) => addFeed(database, systemClock, feed))
  if (given.json) printJson({ id, kind, url: shownAddress(url), every_minutes: minutes })
  else
    print(
      `Feed ${id} was added. The service imports it within a minute, and then every ${everyText(minutes)}; \`watchdata feeds run ${id}\` imports it at once.`,
    )
}

export async function listCommand({ json }: CommonOptions): Promise<void> {
  const feeds = await withCurrentDatabase(({ reader }) => listFeeds(reader))
  if (json) printJson(feeds.map((feed) => ({ ...feed, url: shownAddress(feed.url) })))
  else if (feeds.length === 0) print('There are no feeds.')
  else {
    print(table([head, ...feeds.map(rowOf)], [0]))
    for (const { id, result, message, failures } of feeds) {
      if (result === 'failed')
        print(`Feed ${id} failed ${failures === 1 ? 'once' : `${failures} times`}: ${visible(message ?? '')}`)
    }
  }
}

/** Also run by the service, in a process of its own. The exit code is 1 if the import failed. */
export function runCommand(raw: string, { json = false }: CommonOptions): Promise<void> {
  return withFeed(raw, async (database, feed) => {
    const outcome = await runFeed(feed, json).catch((error): FeedOutcome => {
      if (!(error instanceof Failure)) throw error
      return { result: 'failed', message: error.message }
    })
    await noteOutcome(database, systemClock, feed, outcome)
    if (outcome.result === 'failed') throw new Failure(outcome.message ?? '')
    if (outcome.result !== 'unchanged') return
    if (json) printJson({ feed: feed.id, result: 'unchanged' })
    else print('The file is the same as the last time.')
  })
}

export function pauseCommand(raw: string, isPaused: boolean, { json }: CommonOptions): Promise<void> {
  return withFeed(raw, async (database, { id }) => {
    await pauseFeed(database, systemClock, id, isPaused)
    if (json) printJson({ id, paused: isPaused })
    else
      print(
        isPaused ? `Feed ${id} is paused.` : `Feed ${id} goes on: the service imports it within a minute.`,
      )
  })
}

export function removeCommand(raw: string, { json }: CommonOptions): Promise<void> {
  return withFeed(raw, async (database, { id }) => {
    await removeFeed(database, id)
    if (json) printJson({ id, removed: true })
    else print(`Feed ${id} was removed. What it imported stays.`)
  })
}

async function runFeed(feed: Feed, isQuiet: boolean): Promise<FeedOutcome> {
  const validators = { etag: feed.etag ?? undefined, lastModified: feed.last_modified ?? undefined }
  const done = await importFrom(feed, validators, {
    who: `feed ${feed.id}`,
    ...(isQuiet ? { json: true } : {}),
  })
  if (done === undefined) return { result: 'unchanged' }
  const isBad = process.exitCode !== undefined
  const message = isBad
    ? `Run ${done.run} could not import everything: \`watchdata imports show ${done.run}\`.`
    : undefined
  return { result: isBad ? 'failed' : 'done', message, run: done.run, ...done.validators }
}

/** Downloads the file and imports it; undefined if it is the same as the last time. */
async function importFrom(
  { kind, url, options }: Pick<Feed, 'kind' | 'url' | 'options'>,
  validators: Validators,
  more: { readonly dryRun?: true; readonly json?: true; readonly who?: string },
): Promise<{ readonly run: number | undefined; readonly validators: Validators } | undefined> {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'watchdata-feed-'))
  const config = parseConfig(process.env)
  const file = await download(url, { ...downloadOptions(config, directory.path), ...validators })
  if (file === undefined) return undefined
  const { mapping, ...rest } = options as { mapping?: string }
  const map = path.join(directory.path, 'mapping.json')
  if (mapping !== undefined) await writeFile(map, mapping)
  const given = {
    ...rest,
    ...more,
    ...(mapping === undefined ? {} : { map }),
    names: { [file.path]: shownAddress(url) },
    rejected: path.join(directory.path, rejectedFile),
    // Nobody is there to answer.
    yes: true,
  }
  const summary =
    kind === 'prices'
      ? await importLocalPrices([file.path], given as unknown as PriceCommandOptions)
      : await importLocal([file.path], given as unknown as ImportCommandOptions)
  return { run: summary?.run, validators: { etag: file.etag, lastModified: file.lastModified } }
}

/** The options of the import, with the text of the mapping: its file may not be there later, or on another machine. */
async function storedOptions(given: AddedOptions): Promise<Record<string, unknown>> {
  const { every: _, json: __, map, rejected: ___, ...options } = given
  if (map === undefined) return options
  const mapping = await readFile(map, 'utf8').catch(({ code }) => {
    throw new Failure(`Cannot read the mapping ${map} (${code}): check --map.`)
  })
  return { ...options, mapping }
}

function withFeed<T>(raw: string, work: (database: Database, feed: Feed) => Promise<T>): Promise<T> {
  const id = /^[1-9]\d{0,14}$/.test(raw) ? Number(raw) : undefined
  return withCurrentDatabase(async (database) => {
    const feed = id === undefined ? undefined : await findFeed(database.reader, id)
    if (feed === undefined)
      throw new Failure(`There is no feed ${raw}: \`watchdata feeds list\` shows the feeds.`)
    return work(database, feed)
  })
}

function parseEvery(raw: string): number {
  const [, count = '', unit = ''] = everyShape.exec(raw.trim().toLowerCase()) ?? []
  const minutes = Number(count) * (minutesOf[unit as keyof typeof minutesOf] ?? Number.NaN)
  if (minutes >= everyMin && minutes <= everyMax) return minutes
  throw new Failure(
    `--every ${raw} cannot be used: write it like 30m, 6h or 1d, from ${everyMin} minutes to a year.`,
  )
}

function everyText(minutes: number): string {
  if (minutes % minutesOf.d === 0) return `${minutes / minutesOf.d} d`
  return minutes % minutesOf.h === 0 ? `${minutes / minutesOf.h} h` : `${minutes} min`
}

function rowOf(feed: Feed): string[] {
  const run = feed.run_id === null ? '' : `, run ${feed.run_id}`
  return [
    String(feed.id),
    feed.kind,
    everyText(feed.every_minutes),
    feed.ran_at === null ? '–' : moment(feed.ran_at),
    feed.result === null ? '–' : `${feed.result}${run}`,
    feed.isPaused ? 'paused' : moment(feed.due_at),
    visible(shownAddress(feed.url)),
  ]
}
