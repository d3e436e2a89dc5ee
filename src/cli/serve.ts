// `watchdata serve`: starts the server, prints its addresses, and shuts it down gracefully on a signal.
import { isatty } from 'node:tty'
import { systemClock } from '../clock.ts'
import { parseConfig } from '../config.ts'
import { limitHeapGrowth } from '../heap-growth.ts'
import { type Log, openLog, openTerminal, stderrFd, stdoutFd } from '../log.ts'
import { type RunningServer, startServer } from '../server.ts'
import { lowerPriorityOfV8 } from '../thread-priority.ts'
import { version } from '../version.ts'
import { type CommonOptions, failedCode, printJson, tell } from './output.ts'

/** A shutdown that hangs is aborted after this time, before a supervisor would kill the process. */
const shutdownMaxMs = 24_000
const orphanCheckMs = 200

export async function serve({ json }: CommonOptions): Promise<void> {
  const config = parseConfig(process.env)
  // With --json, stdout has nothing but the report.
  const log = openLog(config, await openTerminal(config, json ? stderrFd : stdoutFd))
  process.on('uncaughtException', (error) => endAtOnce(log, error))
  process.on('unhandledRejection', (error) => endAtOnce(log, error))
  lowerPriorityOfV8()
  const server = await startServer(config, log, systemClock, { preparesFirstUse: true })
  limitHeapGrowth()
  // Listen for signals before reporting readiness: a caller may stop the server at once.
  const closed = closeOnSignal(server, log)
  log.info({ url: server.baseUrl, watches: server.watches, version }, 'ready')
  if (json) printJson(readyReport(server))
  // Only for people: the banner has secrets, which a file or a log collector would keep.
  else if (isatty(stderrFd)) tell(banner(server))
  else if (server.setupUrl !== undefined) {
    log.info('there is no operator yet: run `watchdata account create --email EMAIL --operator`')
  }
  await closed
}

function closeOnSignal(server: RunningServer, log: Log): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isClosing = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isClosing) process.exit(failedCode)
    isClosing = true
    log.info({ signal }, 'shutting down')
    setTimeout(() => endAtOnce(log, new Error('the shutdown took too long')), shutdownMaxMs).unref()
    server.close().then(resolve, reject)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
  if (process.env.npm_lifecycle_event !== undefined) onOrphaned(() => onSignal('SIGTERM'))
  return promise.then(() => log.info('stopped'))
}

/** npm passes a signal to the shell that it started, and the shell exits without forwarding it. */
function onOrphaned(act: () => void): void {
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    act()
  }, orphanCheckMs)
  looking.unref()
}

function endAtOnce(log: Log, error: unknown): never {
  try {
    log.fatal({ err: error }, 'fatal error, exiting')
  } finally {
    process.exit(failedCode)
  }
}

function readyReport(server: RunningServer) {
  const { baseUrl, metricsUrl, demoKey, setupUrl, watches, brands } = server
  return {
    version,
    api: `${baseUrl}/api/v1`,
    docs: `${baseUrl}/docs`,
    dashboard: `${baseUrl}/dashboard`,
    metrics: metricsUrl,
    demo_key: demoKey,
    setup: setupUrl,
    watches,
    brands,
  }
}

function banner(server: RunningServer): string {
  const { api, docs, dashboard, demo_key, setup, watches, brands } = readyReport(server)
  const lines = [
    '',
    `watchdata ${version} is ready with ${watches} watches of ${brands} brands.`,
    '',
    `  API        ${api}`,
    `  Docs       ${docs}`,
    `  Dashboard  ${dashboard}`,
  ]
  if (setup !== undefined) {
    lines.push(
      `  Set up     ${setup}`,
      '             open it to create your operator account; valid once, until the next start',
    )
  }
  if (demo_key !== undefined) {
    lines.push(`  Demo key   ${demo_key}`, '', 'Try it:')
    lines.push('', `  curl -H 'Authorization: Bearer ${demo_key}' '${api}/watches?per_page=1'`)
  }
  return [...lines, ''].join('\n')
}
