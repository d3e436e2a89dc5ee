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
  workloads: {
    about: 'requests of real clients over 100 k and 1 M watches, compared with a bare node:http server',
    run: async (flags) => (await import('./workloads.ts')).benchWorkloads(flags),
  },
  search: {
    about: 'how long searches with typing mistakes and completions take the processor, over 1 M watches',
    run: async (flags) => (await import('./search.ts')).benchSearch(flags),
  },
  holds: {
    about: 'how long one request of every kind holds the event loop, over 1 M watches',
    run: async (flags) => (await import('./holds.ts')).benchHolds(flags),
  },
  ready: {
    about: 'time until 1 M watches are served, compared with the time to parse them from NDJSON',
    run: async (flags) => (await import('./ready.ts')).benchReady(flags),
  },
  import: {
    about: 'import of files into SQLite, compared with bare prepared inserts of the same rows',
    run: async (flags) => (await import('./import-rate.ts')).benchImportRate(flags),
  },
  'import-while-serving': {
    about: 'import of 1 M rows under load: latency of requests and blocking of the event loop meanwhile',
    run: async (flags) => (await import('./import-while-serving.ts')).benchImportWhileServing(flags),
  },
  freshness: {
    about:
      'time until new prices are served after their commit to PostgreSQL, one and 100 k at once, over 1 M watches',
    run: async (flags) => (await import('./freshness.ts')).benchFreshness(flags),
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
  'cold-keys': {
    about:
      'requests of 20,000 keys that were not used before, counted in Redis, compared with those of one key',
    run: async (flags) => (await import('./cold-keys.ts')).benchColdKeys(flags),
  },
  access: {
    about: 'cost of authentication and quota charge in GET /watches, counted in memory and in Redis',
    run: async (flags) => (await import('./access.ts')).benchAccess(flags),
  },
}

const args = process.argv.slice(2)
// `npm run bench -- --quick` runs every workload for a short time.
const [name = '', ...flags] = args[0] === '--quick' ? ['workloads', ...args] : args
const bench = benches[name]
if (bench === undefined) {
  const lines = Object.entries(benches).map(([one, { about }]) => `  ${one.padEnd(20)} ${about}`)
  process.stderr.write(`Usage: npm run bench -- NAME, or npm run bench -- --quick\n\n${lines.join('\n')}\n`)
  process.exitCode = 2
} else await bench.run(flags)
