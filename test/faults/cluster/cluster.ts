// The drill "a cluster survives": several watchdata processes behind haproxy, with PostgreSQL and Redis, under load,
// while one thing after the other breaks. Each fault is a row of the table that is printed at the end.
import { parseArgs } from 'node:util'
import type { Drill } from '../drill.ts'
import { BadFlags, parseFlags } from '../flags.ts'
import { MissingDaemon } from './daemon.ts'
import type { Fault } from './fault.ts'
import { faults } from './faults.ts'
import { accountPlans } from './load-plan.ts'
import { columnsOf, describeRow, printTable, type Row } from './report.ts'
import { runRow } from './row.ts'
import { makeTemplate } from './template.ts'
import { findBroken } from './verdict.ts'

const defaults = { processes: 4, seconds: 10, watches: 200 }

export const clusterDrill: Drill = {
  description: 'a cluster of processes while PostgreSQL, Redis, processes and clocks fail, one row per fault',
  flags: '--fault NAME (default all) --seconds 10 --watches 200 --processes 4 --list',
  async run(flags) {
    const { chosen, isList, rest } = parseFaults(flags)
    const { numbers } = parseFlags(rest, defaults)
    if (isList) {
      for (const { name, description } of faults) say(`${name.padEnd(17)}${description}`)
      return true
    }
    const template = await makeTemplate(numbers.watches, accountPlans)
    const rows: Row[] = []
    for (const fault of chosen) {
      const row = await tryRow(fault, numbers, template)
      rows.push(row)
      say(...describeRow(row))
    }
    template.remove()
    say('', ...printTable(rows.map(columnsOf)))
    return rows.every(({ broken }) => broken.length === 0)
  },
}

async function tryRow(
  fault: Fault,
  plan: typeof defaults,
  template: Awaited<ReturnType<typeof makeTemplate>>,
): Promise<Row> {
  const startedMs = performance.now()
  const seconds = () => (performance.now() - startedMs) / 1_000
  try {
    const figures = await runRow(fault, plan, template)
    return { fault, figures, broken: findBroken(fault, figures), seconds: seconds() }
  } catch (error) {
    if (error instanceof MissingDaemon)
      return { fault, skipped: error.message, broken: [], seconds: seconds() }
    return { fault, broken: [`the row runs: ${(error as Error).stack}`], seconds: seconds() }
  }
}

function parseFaults(flags: string[]) {
  const { values, tokens } = parseArgs({
    args: flags,
    options: { fault: { type: 'string', multiple: true }, list: { type: 'boolean' } },
    strict: false,
    tokens: true,
  })
  const names = (values.fault ?? []) as string[]
  const unknown = names.find((name) => !faults.some((fault) => fault.name === name))
  if (unknown !== undefined) throw new BadFlags(`there is no fault ${unknown}: see --list`)
  const own = new Set(['fault', 'list'])
  const rest = flags.filter((_, at) => {
    const token = tokens.find(
      (one) => one.index === at || (one.kind === 'option' && !one.inlineValue && one.index + 1 === at),
    )
    return token?.kind !== 'option' || !own.has(token.name)
  })
  const chosen = faults.filter(({ name }) => names.length === 0 || names.includes(name))
  return { chosen, isList: values.list === true, rest }
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
