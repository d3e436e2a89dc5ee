// `watchdata sync --to FILE`: keeps a copy of the catalogue of a service. It uses only the service's API, with a
// customer's key.
import path from 'node:path'
import type { Command } from 'commander'
import { visible } from '../catalogue-texts.ts'
import { WrongCall } from '../connection-options.ts'
import { print, printJson, tell } from '../output.ts'
import type { Copy } from './copy.ts'
import { keepCopy, SyncResult } from './keep-copy.ts'
import { type Connection, openConnection } from './open-connection.ts'
import { originOf, withCopy } from './open-copy.ts'
import { failureOf } from './sync-faults.ts'
import { parseSyncOptions, type SyncOptions, type SyncPlan } from './sync-options.ts'
import { closingText, findSequence } from './sync-texts.ts'

/** As a shell has it for a command that Ctrl-C ended. */
const interruptedCode = 130

export async function syncCommand(options: SyncOptions, command: Command): Promise<void> {
  const plan = planFor(options, command)
  const ending = endOnSignal()
  const connection = openConnection(plan.api, plan.key, ending.signal)
  try {
    await withCopy(plan, connection, (copy) => syncCopy(plan, connection, copy))
  } finally {
    // A response that is not read to its end would keep the process alive.
    ending.abort()
  }
}

function planFor(options: SyncOptions, command: Command): SyncPlan {
  try {
    return parseSyncOptions(options)
  } catch (error) {
    if (error instanceof WrongCall) return command.error(`watchdata: ${visible(error.message)}`)
    throw error
  }
}

function endOnSignal(): AbortController {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  return ending
}

async function syncCopy(plan: SyncPlan, connection: Connection, copy: Copy): Promise<void> {
  const result = new SyncResult()
  try {
    await keepCopy(connection, copy, { origin: originOf(plan), isFollowing: plan.isFollowing }, result)
  } catch (error) {
    // The terminal has printed ^C on the current line.
    if (connection.signal.aborted && process.stderr.isTTY) tell('')
    if (!connection.signal.aborted || !result.isCurrent)
      return stop(plan, connection, copy, { result, error })
  }
  const report = await readReport(plan, copy, result)
  if (plan.isJson) printJson(report.json)
  else print(report.text)
}

/** Ends before the copy is current. What was applied is kept. */
async function stop(
  plan: SyncPlan,
  { signal, api }: Connection,
  copy: Copy,
  { result, error }: { result: SyncResult; error: unknown },
): Promise<void> {
  if (copy.state !== undefined) tell((await readReport(plan, copy, result)).text)
  if (!signal.aborted) throw failureOf(error, api)
  tell(copy.state === undefined ? 'Stopped. Nothing was written.' : 'Stopped before the copy was current.')
  process.exitCode = interruptedCode
}

async function readReport(plan: SyncPlan, copy: Copy, { exported, tally }: SyncResult) {
  const { api, file } = plan
  const { cursor = '' } = copy.state ?? {}
  const watches = await copy.count()
  return {
    text: closingText(path.basename(file), watches, { cursor, exported, tally }),
    json: {
      file,
      url: api,
      watches,
      sequence: findSequence(cursor) ?? null,
      cursor,
      exported: exported ?? null,
      ...tally,
    },
  }
}
