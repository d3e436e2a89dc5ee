// `npm run bench -- NAME`: runs a benchmark of this table. Benchmarks measure ratios within one run, not absolute
// times.

interface Bench {
  readonly about: string
  readonly run: (flags: string[]) => Promise<void>
}

const benches: Record<string, Bench> = {
  start: {
    about: 'time until --help is printed and until a second start is ready, compared with a bare node',
    run: async () => (await import('./start.ts')).benchStart(),
  },
  list: {
    about: 'GET /watches over 100 k and 1 M watches, compared with a bare node:http server and nginx',
    run: async (flags) => (await import('./list.ts')).benchList(flags),
  },
  import: {
    about: 'import of files into SQLite, compared with bare prepared inserts of the same rows',
    run: async (flags) => (await import('./import-rate.ts')).benchImportRate(flags),
  },
  webhooks: {
    about: 'deliveries to 10,000 endpoints, compared with a bare undici loop that posts the same bodies',
    run: async (flags) => (await import('./webhooks.ts')).benchWebhooks(flags),
  },
  export: {
    about: 'GET /export of 1 M watches: memory, rate, and latency of other requests meanwhile',
    run: async (flags) => (await import('./export-memory.ts')).benchExport(flags),
  },
  timing: {
    about: 'whether response times reveal known e-mails or revoked keys',
    run: async () => (await import('./timing.ts')).benchTiming(),
  },
  access: {
    about: 'cost of authentication and quota charge in GET /watches, counted in memory and in Redis',
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
