// Imports the feeds that are due, one after the other, each in a process of its own, so that no import slows the service
// down; and emails the operators about failures.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { EmailMessage, Mail } from '../mail/mail.ts'
import type { Database } from '../storage/database.ts'
import { shownAddress } from './download.ts'
import { type Feed, findDueFeed, findFeed, noteOutcome } from './feeds.ts'

export interface FeedParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly mail: Mail
  /** The environment of the importing processes; by default that of this one. */
  readonly environment?: NodeJS.ProcessEnv
}

/** While a feed goes on failing, operators are told again after this time. */
const tellAgainMs = 24 * 3_600_000
const messageCharsMax = 1_000
const command = fileURLToPath(new URL('../cli/main.js', import.meta.url))

/** A job of the whole service: one process at a time runs it. */
export async function runDueFeeds(parts: FeedParts, signal: AbortSignal): Promise<void> {
  const { database, clock, log, environment = process.env } = parts
  while (!signal.aborted) {
    const feed = await findDueFeed(database.reader, clock)
    if (feed === undefined) return
    const complaint = await runInProcess(feed.id, environment, signal)
    if (signal.aborted) return
    const after = await findFeed(database.reader, feed.id)
    if (after === undefined) continue
    // The process ended before it could store its outcome.
    if (after.ran_at === feed.ran_at)
      await noteOutcome(database, clock, feed, { result: 'failed', message: complaint })
    const told = (await findFeed(database.reader, feed.id)) ?? after
    log.info({ feed: told.id, result: told.result, run: told.run_id }, 'imported a feed')
    if (told.result === 'failed') await tellOperators(parts, told)
  }
}

/** Returns what the process said if it failed. */
async function runInProcess(id: number, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [command, 'feeds', 'run', String(id), '--json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
    signal,
  })
  const said = child.stderr === null ? '' : text(child.stderr)
  try {
    const [code] = await once(child, 'close')
    return code === 0 ? '' : lastLine(await said)
  } catch (error) {
    return String(error)
  }
}

function lastLine(said: string): string {
  const line = said.trim().split('\n').at(-1) ?? ''
  return line.replace(/^watchdata: /, '').slice(0, messageCharsMax) || 'The import ended without a message.'
}

async function tellOperators({ database, clock, log, mail }: FeedParts, feed: Feed): Promise<void> {
  if (feed.told_at !== null && clock.nowMs() - Date.parse(feed.told_at) < tellAgainMs) return
  const operators = await database.reader
    .selectFrom('accounts')
    .select('email')
    .where('role', '=', 'operator')
    .orderBy('email')
    .execute()
  try {
    for (const { email } of operators) await mail.send(failureEmail(email, feed))
    const told_at = clock.now().toISOString()
    await database.write((tx) => tx.updateTable('feeds').set({ told_at }).where('id', '=', feed.id).execute())
  } catch (error) {
    log.warn({ err: error, feed: feed.id }, 'a feed failed, and the operators could not be told')
  }
}

function failureEmail(to: string, { id, url, message, failures, every_minutes }: Feed): EmailMessage {
  const often = failures === 1 ? 'failed' : `has failed ${failures} times in a row`
  return {
    to,
    subject: `Feed ${id} ${often}`,
    text: `${[
      `The import of feed ${id}, ${shownAddress(url)}, ${often}. Nothing of it was written.`,
      message ?? '',
      `It is tried again every ${every_minutes} minutes. \`watchdata feeds list\` shows the feeds, and \`watchdata feeds run ${id}\` runs this one at once.`,
    ].join('\n\n')}\n`,
  }
}
