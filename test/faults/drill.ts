// Runs `npm run drill -- NAME`: one fault drill from the table below. A drill prints its figures. The exit code is 1
// if a guarantee is broken, 2 if the drill or a flag is unknown. Without a name it lists the drills.
import { abuseDrill } from './abuse/abuse.ts'
import { clusterDrill } from './cluster/cluster.ts'
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
  /** The flags with their defaults, as the list shows them. */
  readonly flags: string
  /** Resolves to true if the guarantee held. */
  run(flags: string[]): Promise<boolean>
}

const drills: Readonly<Record<string, Drill>> = {
  abuse: abuseDrill,
  cluster: clusterDrill,
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

// Ends through `exit`, whose listeners stop everything a drill has started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(exitCodes.ended))
}

// Exits immediately: resources left open by a failed drill must not keep the process alive.
process.exit(await main(process.argv.slice(2)))

async function main([name, ...flags]: string[]): Promise<number> {
  const drill = name === undefined || !Object.hasOwn(drills, name) ? undefined : drills[name]
  if (drill === undefined) {
    list(name)
    return name === undefined ? exitCodes.kept : exitCodes.usage
  }
  try {
    const isKept = await drill.run(flags)
    say(isKept ? `${name}: the guarantee holds` : `${name}: THE GUARANTEE IS BROKEN`)
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
