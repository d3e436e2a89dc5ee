// `npm run bench -- NAME`: benchmarks as ratios measured in one run, never as timed tests.

interface Bench {
  readonly about: string
  readonly run: (flags: string[]) => Promise<void>
}

const benches: Record<string, Bench> = {
  start: {
    about: 'time to --help and to a ready second start, against a bare node',
    run: async () => (await import('./start.ts')).benchStart(),
  },
  list: {
    about: 'GET /watches over 100 k and 1 M watches, against a bare node:http server and nginx',
    run: async (flags) => (await import('./list.ts')).benchList(flags),
  },
  import: {
    about: 'files into SQLite, against bare prepared inserts of the same rows',
    run: async (flags) => (await import('./import-rate.ts')).benchImportRate(flags),
  },
  webhooks: {
    about: 'deliveries to 10,000 endpoints, against a bare undici loop that posts the same bodies',
    run: async (flags) => (await import('./webhooks.ts')).benchWebhooks(flags),
  },
  export: {
    about: 'GET /export of 1 M watches: memory, rate, and what other callers notice',
    run: async (flags) => (await import('./export-memory.ts')).benchExport(flags),
  },
  timing: {
    about: 'whether known and unknown e-mails and keys can be told apart by time',
    run: async () => (await import('./timing.ts')).benchTiming(),
  },
  access: {
    about: 'what authentication and charge cost of GET /watches, counted in memory and in Redis',
    run: async (flags) => (await import('./access.ts')).benchAccess(flags),
  },
}

const [name = '', ...flags] = process.argv.slice(2)
const bench = benches[name]
if (bench === undefined) {
  const lines = Object.entries(benches).map(([one, { about }]) => `  ${one.padEnd(8)} ${about}`)
  process.stderr.write(`Usage: npm run bench -- NAME\n\n${lines.join('\n')}\n`)
  process.exitCode = 2
} else await bench.run(flags)
