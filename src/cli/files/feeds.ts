// `watchdata feeds add`, `list`, `run`, `pause`, `resume` and `remove`: addresses from which files are imported
// periodically. The running service imports those that are due; `run` imports one at once.
import { readFile } from 'node:fs/promises'
import { provideSecret } from '../../access/sign-in/session-secret.ts'
import { operatorName } from '../../catalogue/runs/run-log.ts'
import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { Failure } from '../../errors.ts'
import { isAddress, shownAddress, type Validators } from '../../feeds/download.ts'
import { findNewestRun, findRunAfter, isUndone, nameInLog } from '../../feeds/feed-runs.ts'
import {
  addFeed,
  type Feed,
  type FeedKind,
  type FeedOutcome,
  findFeed,
  listFeeds,
  noteOutcome,
  openAddress,
  pauseFeed,
  removeFeed,
} from '../../feeds/feeds.ts'
import { createSealer } from '../../seal.ts'
import type { Database } from '../../storage/database.ts'
import { moment, visible, visibleLines } from '../catalogue-texts.ts'
import { withCurrentDatabase, withMigratedDatabase } from '../database-command.ts'
import type { ImportCommandOptions } from '../file-options.ts'
import { type CommonOptions, print, printJson, table } from '../output.ts'
import { importFrom } from './import-feed.ts'
import type { PriceCommandOptions } from './import-prices.ts'

type FeedOptions = CommonOptions & { readonly every: string }
type AddedOptions = FeedOptions & ImportCommandOptions & PriceCommandOptions

const everyShape = /^(\d{1,4})\s?(m|min|h|d)$/
const prunesUnasked =
  'A feed with --prune deletes all watches of the catalogue that its file does not have, each time and without asking: say --yes as well if that is meant.'
const minutesOf = { m: 1, min: 1, h: 60, d: 1_440 }
const [everyMin, everyMax] = [5, 366 * 1_440]
const head = ['feed', 'what', 'every', 'last run', 'result', 'next', 'address']

/** Imports the file once without writing anything, so that a wrong address or mapping is noticed at once. */
export async function addCommand(kind: FeedKind, url: string, given: AddedOptions): Promise<void> {
  if (!isAddress(url))
    throw new Failure(`${shownAddress(url)} is not an address: it must begin with https://.`)
  if (given.prune && !given.yes) throw new Failure(prunesUnasked)
  const minutes = parseEvery(given.every)
  const options = await storedOptions(given)
  const feed = { kind, url, every_minutes: minutes, options, who: operatorName() }
  const tried = await importFrom(feed, {}, { dryRun: true, ...(given.json ? { json: true } : {}) })
  const fault = tried?.outcome.nothing ?? tried?.outcome.unread
  if (fault !== undefined) throw new Failure(`The feed was not added. ${fault}`)
  const id = await withMigratedDatabase(async (database, config) =>
    addFeed(database, systemClock, await sealerOf(database, config), feed),
  )
  if (given.json) printJson({ id, kind, url: shownAddress(url), every_minutes: minutes })
  else
    print(
      `Feed ${id} was added. The service imports it within a minute, and then every ${everyText(minutes)}; \`watchdata feeds run ${id}\` imports it at once.`,
    )
}

export async function listCommand({ json }: CommonOptions): Promise<void> {
  const feeds = await withCurrentDatabase(({ reader }) => listFeeds(reader))
  if (json) printJson(feeds.map(({ sealed_url: _, shown_url: url, ...feed }) => ({ ...feed, url })))
  else if (feeds.length === 0) print('There are no feeds.')
  else {
    print(table([head, ...feeds.map(rowOf)], [0]))
    for (const { id, result, message, failures } of feeds) {
      const often = failures === 1 ? 'once' : `${failures} times`
      if (result === 'failed') print(`Feed ${id} failed ${often}: ${visibleLines(message ?? '')}`)
      if (result === 'faulty') print(`Feed ${id} was imported, with faults: ${visibleLines(message ?? '')}`)
    }
  }
}

/** Also run by the service, in a process of its own. The exit code is 1 unless all of the file was imported. */
export function runCommand(
  raw: string,
  { json = false, ifChanged = false }: CommonOptions & { readonly ifChanged?: boolean },
): Promise<void> {
  return withFeed(raw, async (database, feed, config) => {
    const newest = await findNewestRun(database.reader)
    const validators = ifChanged ? await validatorsOf(database, feed) : {}
    const address = async () => openAddress(feed, await sealerOf(database, config))
    const outcome = await runFeed(feed, address, validators, json).catch(
      async (error): Promise<FeedOutcome> => {
        if (!(error instanceof Failure)) throw error
        const run = await findRunAfter(database.reader, feed, newest)
        return { result: 'failed', message: error.message, run: run?.id }
      },
    )
    await noteOutcome(database, systemClock, feed, outcome)
    if (outcome.message !== undefined) throw new Failure(outcome.message)
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

/** None if a run of the feed was undone: a file that is the same as the last time is then imported again. */
async function validatorsOf({ reader }: Database, feed: Feed): Promise<Validators> {
  if (await isUndone(reader, feed)) return {}
  return { etag: feed.etag ?? undefined, lastModified: feed.last_modified ?? undefined }
}

async function runFeed(
  feed: Feed,
  address: () => Promise<string>,
  validators: Validators,
  isQuiet: boolean,
): Promise<FeedOutcome> {
  const { kind, options } = feed
  const url = await address()
  const more = { who: nameInLog(feed), ...(isQuiet ? { json: true as const } : {}) }
  const imported = await importFrom({ kind, url, options }, validators, more)
  if (imported === undefined) return { result: 'unchanged' }
  const { run, nothing, unread, unpruned } = imported.outcome
  if (nothing !== undefined) return { result: 'failed', message: nothing, run }
  const faults = [unread, unpruned].filter((fault) => fault !== undefined)
  if (faults.length > 0) return { result: 'faulty', message: faults.join(' '), run }
  return { result: 'done', run, ...imported.validators }
}

async function sealerOf(database: Database, config: Config) {
  return createSealer(await provideSecret(database, config))
}

/** The options of the import, with the text of the mapping: its file may not be there later, or on another machine. */
async function storedOptions(given: AddedOptions): Promise<Record<string, unknown>> {
  const { every: _, json: __, yes: ___, map, ...options } = given
  if (map === undefined) return options
  const mapping = await readFile(map, 'utf8').catch(({ code }) => {
    throw new Failure(`Cannot read the mapping ${map} (${code}): check --map.`)
  })
  return { ...options, mapping }
}

function withFeed<T>(
  raw: string,
  work: (database: Database, feed: Feed, config: Config) => Promise<T>,
): Promise<T> {
  const id = /^[1-9]\d{0,14}$/.test(raw) ? Number(raw) : undefined
  return withCurrentDatabase(async (database, config) => {
    const feed = id === undefined ? undefined : await findFeed(database.reader, id)
    if (feed === undefined)
      throw new Failure(`There is no feed ${raw}: \`watchdata feeds list\` shows the feeds.`)
    return work(database, feed, config)
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
    visible(feed.shown_url),
  ]
}
