// `npm run drill -- NAME`: the fault drills, as one table. A drill prints its figures; the exit code is 1
// when a promise is broken, 2 when the drill or one of its flags is unknown. Alone it lists them.
import { countsDrill } from './counts.ts'
import { crashDrill } from './crash.ts'
import { BadFlags } from './flags.ts'
import { importDrill } from './import.ts'
import { quotaDrill } from './quota.ts'
import { redisDrill } from './redis.ts'
import { revokeDrill } from './revoke.ts'
import { webhooksDrill } from './webhooks.ts'
import { writersDrill } from './writers.ts'

export interface Drill {
  readonly description: string
  /** As the list shows them, with their defaults. */
  readonly flags: string
  /** Resolves to whether the promise was kept. */
  run(flags: string[]): Promise<boolean>
}

const drills: Readonly<Record<string, Drill>> = {
  counts: countsDrill,
  crash: crashDrill,
  import: importDrill,
  quota: quotaDrill,
  redis: redisDrill,
  revoke: revokeDrill,
  webhooks: webhooksDrill,
  writers: writersDrill,
}

const exitCodes = { kept: 0, broken: 1, usage: 2, ended: 130 }

// Through `exit`, on which everything that a drill has started is ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(exitCodes.ended))
}

// At once: what a failed drill may have left open must not keep it from ending.
process.exit(await main(process.argv.slice(2)))

async function main([name, ...flags]: string[]): Promise<number> {
  const drill = name === undefined || !Object.hasOwn(drills, name) ? undefined : drills[name]
  if (drill === undefined) {
    list(name)
    return name === undefined ? exitCodes.kept : exitCodes.usage
  }
  try {
    const isKept = await drill.run(flags)
    say(isKept ? `${name}: the promise is kept` : `${name}: THE PROMISE IS BROKEN`)
    return isKept ? exitCodes.kept : exitCodes.broken
  } catch (error) {
    say(`${name}: ${error instanceof BadFlags ? error.message : (error as Error).stack}`)
    return error instanceof BadFlags ? exitCodes.usage : exitCodes.broken
  }
}

function list(unknown?: string): void {
  if (unknown !== undefined) say(`There is no drill ${unknown}.`)
  say('npm run drill -- NAME [FLAGS]')
  for (const [name, { description, flags }] of Object.entries(drills)) {
    say(`  ${name.padEnd(10)}${description}`, `  ${''.padEnd(10)}${flags}`)
  }
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
