// The drill "a cluster survives": several watchdata processes behind haproxy, with PostgreSQL and Redis, under load,
// while one thing after the other breaks. Each fault is a row of the table that is printed at the end.
import { parseArgs } from 'node:util'
import type { Drill } from '../drill.ts'
import { BadFlags, parseFlags } from '../flags.ts'
import { type Fault, RowSkipped } from './fault.ts'
import { faults } from './faults.ts'
import { accountPlans } from './load-plan.ts'
import { columnsOf, describeRow, printTable, type Row } from './report.ts'
import { makeTemplate, type Template } from './rig/template.ts'
import { runRow } from './row.ts'
import { findBroken } from './verdict.ts'

const listenersMax = 100
const defaults = { processes: 4, seconds: 10, watches: 200 }

export const clusterDrill: Drill = {
  description: 'a cluster of processes while PostgreSQL, Redis, processes and clocks fail, one row per fault',
  flags: '--fault NAME (may be repeated, default all) --seconds 10 --watches 200 --processes 4 --list',
  async run(flags) {
    const { chosen, isList, plan } = parseOptions(flags)
    if (isList) {
      for (const { name, description } of faults) say(`${name.padEnd(17)}${description}`)
      return true
    }
    // Each program of a rig listens for the end of this process.
    process.setMaxListeners(listenersMax)
    const template = await makeTemplate(plan.watches, accountPlans)
    const rows: Row[] = []
    for (const fault of chosen) {
      const row = await tryRow(fault, plan, template)
      rows.push(row)
      say(...describeRow(row))
    }
    template.remove()
    say('', ...printTable(rows.map(columnsOf)))
    const ran = rows.filter(({ skipped }) => skipped === undefined)
    return ran.length > 0 && ran.every(({ broken }) => broken.length === 0)
  },
}

async function tryRow(fault: Fault, plan: typeof defaults, template: Template): Promise<Row> {
  const startedMs = performance.now()
  const seconds = () => (performance.now() - startedMs) / 1_000
  try {
    const figures = await runRow(fault, plan, template)
    return { fault, figures, broken: findBroken(fault, figures), seconds: seconds() }
  } catch (error) {
    if (error instanceof RowSkipped) return { fault, skipped: error.message, broken: [], seconds: seconds() }
    return { fault, broken: [`the row runs: ${(error as Error).stack}`], seconds: seconds() }
  }
}

function parseOptions(flags: string[]) {
  const { fault: names = [], list = false, ...numbers } = parseValues(flags)
  const unknown = names.find((name) => !faults.some((fault) => fault.name === name))
  if (unknown !== undefined) throw new BadFlags(`there is no fault ${unknown}: see --list`)
  const written = Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, String(value)])
  return {
    chosen: faults.filter(({ name }) => names.length === 0 || names.includes(name)),
    isList: list,
    plan: parseFlags(written, defaults).numbers,
  }
}

function parseValues(flags: string[]) {
  const number = { type: 'string' } as const
  const options = {
    fault: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    processes: number,
    seconds: number,
    watches: number,
  } as const
  try {
    return parseArgs({ args: flags, options }).values
  } catch (error) {
    throw new BadFlags((error as Error).message)
  }
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
