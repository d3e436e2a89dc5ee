// `npm run eval -- NAME`: evaluations, which say how often the service understands what people write.
const evaluations: Readonly<Record<string, (flags: readonly string[]) => Promise<void>>> = {
  search: async (flags) => (await import('./search.ts')).evaluateSearch(flags),
  resolve: async (flags) => (await import('./resolve.ts')).evaluateResolve(flags),
}

const [name = '', ...flags] = process.argv.slice(2)
const evaluate = evaluations[name]
if (evaluate === undefined) {
  process.stderr.write(`Usage: npm run eval -- ${Object.keys(evaluations).join('|')} [--tune]\n`)
  process.exitCode = 2
} else await evaluate(flags)
