// The rules of the house, as a test: which way imports run, through which doors, how large a file may grow,
// which names are not used. Each message says how to mend the breach. The picture is in ARCHITECTURE.md.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** Folder of src/ → folders it may import. The leaves (config.ts, errors.ts …) are open to all. */
const mayImport: Record<string, readonly string[]> = {
  storage: [],
  mail: [],
  files: [],
  outbound: [],
  specs: ['storage'],
  changes: ['storage'],
  catalogue: ['changes', 'specs', 'files', 'storage'],
  imports: ['catalogue', 'changes', 'specs', 'files', 'storage'],
  search: ['catalogue', 'changes', 'specs', 'storage'],
  access: ['catalogue', 'changes', 'specs', 'storage', 'mail'],
  webhooks: ['catalogue', 'changes', 'specs', 'storage', 'mail', 'outbound'],
  http: [
    ...['search', 'access', 'webhooks', 'catalogue', 'changes', 'specs', 'storage', 'outbound'],
    ...['pages', 'account-api'],
  ],
  sending: ['search', 'access', 'webhooks', 'catalogue', 'changes', 'specs', 'storage', 'mail', 'outbound'],
  feeds: ['access', 'catalogue', 'changes', 'storage', 'mail', 'outbound'],
  sandbox: ['search', 'catalogue', 'changes', 'specs', 'storage'],
  server: [
    ...['http', 'sending', 'feeds', 'sandbox', 'search', 'access', 'webhooks', 'catalogue', 'changes'],
    ...['specs', 'storage', 'mail', 'outbound', 'pages'],
  ],
  cli: [
    ...['server', 'http', 'feeds', 'search', 'access', 'webhooks', 'imports', 'catalogue', 'changes'],
    ...['specs', 'files', 'storage', 'mail', 'outbound', 'sdk'],
  ],
  // What both the service and browsers write: a curl line, the parts of JSON.
  pages: ['scripts'],
  scripts: [],
  // Types of the JSON that the dashboard and the service exchange: below both, so web/ imports nothing of src/.
  'account-api': [],
  dashboard: ['scripts', 'account-api'],
  // A package of its own: it may import no leaf either.
  sdk: [],
}

/** What a leaf may import: other leaves, and nothing else of ours. */
const leaves = [
  'cache-budget.ts',
  'clock.ts',
  'config.ts',
  'errors.ts',
  'log.ts',
  'metrics.ts',
  'request-durations.ts',
  'seal.ts',
  'secrets.ts',
  'semaphore.ts',
  'setting-kinds.ts',
  'run-worker.ts',
  'heap-growth.ts',
  'thread-priority.ts',
  'version.ts',
]

/** Files of a folder that others may use; a folder that is not listed has only doors. */
const doors: Record<string, readonly string[]> = {
  storage: [
    'attempts/attempt-counts.ts',
    'attempts/open-attempts.ts',
    'ask-together.ts',
    'backup.ts',
    'counter/counter.ts',
    'counter/open-counter.ts',
    'counter/redis.ts',
    'data-dir.ts',
    'database.ts',
    'database-clock.ts',
    'delete-batches.ts',
    'file-lock.ts',
    'jobs.ts',
    'migrate.ts',
    'open-database.ts',
    'repeat.ts',
    'restore.ts',
    'signal.ts',
    'sqlite.ts',
    'tables.ts',
    'unreachable.ts',
    'write-rows.ts',
  ],
  access: [
    'accounts/accounts.ts',
    'accounts/close-account.ts',
    'accounts/deleted-counts.ts',
    'accounts/setup-link.ts',
    'billing/billing.ts',
    'billing/operator-billing.ts',
    'billing/operator-decisions.ts',
    'keys/demo-key.ts',
    'keys/key-cache.ts',
    'keys/key-uses.ts',
    'keys/keys.ts',
    'plans/attempt-limits.ts',
    'plans/burst-guard.ts',
    'plans/plans.ts',
    'plans/quota.ts',
    'plans/usage.ts',
    'request-log/remove-old-usage.ts',
    'request-log/request-log.ts',
    'sign-in/remove-expired.ts',
    'sign-in/session-secret.ts',
    'sign-in/sessions.ts',
  ],
  mail: ['mail.ts', 'open-mail.ts'],
  files: [
    'open-records.ts',
    'output/write-csv.ts',
    'output/write-format.ts',
    'output/write-output.ts',
    'output/write-parquet.ts',
    'records.ts',
  ],
  imports: [
    'brands/import-brands.ts',
    'cells/currencies.ts',
    'cells/price-day.ts',
    'cells/rates.ts',
    'drafts/open-drafts.ts',
    'import-options.ts',
    'key-counts.ts',
    'prices/import-prices.ts',
    'prices/price-columns.ts',
    'prices/sample-bare-prices.ts',
    'read-rates.ts',
    'rejects.ts',
    'watches/import-watches.ts',
  ],
  specs: [
    'fold.ts',
    'near-texts.ts',
    'nicknames.ts',
    'numbers.ts',
    'quantities.ts',
    'read-vocabulary.ts',
    'reference-shapes.ts',
    'synonyms.ts',
    'units.ts',
    'vocabulary.ts',
  ],
  http: ['app.ts', 'connection/listener.ts', 'pages/assets.ts', 'routes/metrics.ts'],
  sending: ['start-sending.ts'],
  sandbox: ['open-sandbox.ts'],
  sdk: ['sdk/src/index.ts'],
}

/** Of the service, of the browser, and of the SDK. */
const clocks = ['src/clock.ts', 'web/scripts/local-time.ts', 'sdk/src/errors.ts', 'sdk/src/verify-webhook.ts']
/** Written by a program. */
const generated = ['sdk/src/api-types.ts']

const linesMax = 400
const linesWarned = 200
const filesMax = 25
const forbiddenNames = /(^|[-.])(utils?|helpers?|common|services?|managers?|misc|shared)([-.]|$)/i
const forbiddenWords = /\b\w*(Manager|Service|Helper|Utils?)\b/g

interface Import {
  readonly from: string
  readonly to: string
}

const files = globSync('{src,web,sdk,test,bench,scripts,docs}/**/*.*', {
  cwd: root,
  exclude: (file) => path.basename(file) === 'node_modules',
})
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/^(web\/build|sdk\/dist)\//.test(file))
const sources = files.filter((file) => /^(src|web|sdk|test|bench|scripts)\/.*\.(ts|tsx|js|mjs)$/.test(file))
const code = sources.filter((file) => /^(src|web|sdk\/src)\//.test(file) && !file.endsWith('.test.ts'))
const imports = code.flatMap(importsOf)

describe('the house', () => {
  test('has code to look at', () => {
    expect(code.length).toBeGreaterThan(30)
    expect(imports.length).toBeGreaterThan(100)
  })

  test('imports run downwards only', () => {
    expect(imports.flatMap(direction)).toEqual([])
  })

  test('folders are entered through their doors', () => {
    expect(imports.flatMap(entrance)).toEqual([])
  })

  test('no file imports itself through others', () => {
    expect(circlesOf(imports), 'move what both need into a file of its own').toEqual([])
  })

  test('no sub-folder imports itself through its siblings', () => {
    const between = imports
      .map(({ from, to }) => ({ from: subRoomOf(from), to: subRoomOf(to) }))
      .filter(({ from, to }) => from !== to && topOf(from) === topOf(to))
    expect(
      circlesOf(between),
      'move the file to the sub-folder it works with, or its types to the top',
    ).toEqual([])
  })

  test('no folder has so many files that one must search it', () => {
    const counts = new Map<string, number>()
    for (const file of files.filter((one) => !/\.test\.tsx?$/.test(one))) {
      const folder = path.posix.dirname(file)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    const crowded = [...counts]
      .filter(([, count]) => count > filesMax)
      .map(([folder, count]) => `${folder}: ${count}`)
    expect(crowded, `split each folder of more than ${filesMax} files by what its files work on`).toEqual([])
  })

  test('every folder of src/ has its place in the order', () => {
    const homeless = new Set(code.map(roomOf).filter((room) => room !== 'leaf' && !(room in mayImport)))
    expect([...homeless], 'give it a place in mayImport, and in the picture of ARCHITECTURE.md').toEqual([])
  })

  test('no file has outgrown its one job', () => {
    const written = sources.filter((file) => !generated.includes(file))
    const sizes = written.map((file) => ({ file, lines: read(file).split('\n').length }))
    const warned = sizes.filter(({ lines }) => lines > linesWarned)
    onTestFinished(() => {
      for (const { file, lines } of warned) {
        process.stderr.write(
          `tidy: ${file} has ${lines} lines; over ${linesWarned} ask whether it still has one job\n`,
        )
      }
    })
    const outgrown = sizes
      .filter(({ lines }) => lines > linesMax)
      .map(({ file, lines }) => `${file}: ${lines} lines`)
    expect(outgrown, `split each by its jobs into files below ${linesMax} lines`).toEqual([])
  })

  test('files are named for what they are, in kebab-case', () => {
    const badly = sources.filter((file) => !file.split('/').every(isGoodName))
    expect(badly, 'name the file for the one thing it is in charge of').toEqual([])
  })

  test('code uses the words of the trade, not of plumbing', () => {
    const found = code.flatMap((file) =>
      [...withoutComments(read(file)).matchAll(/\b(?:class|function|interface|type|const)\s+(\w+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => name.match(forbiddenWords))
        .map((name) => `${file}: ${name}`),
    )
    expect(found, 'name it for what it does: no Manager, Service, Helper or Util').toEqual([])
  })

  test('every file opens by saying what it does', () => {
    const silent = code.filter((file) => !read(file).startsWith('// '))
    expect(silent, 'open the file with one to three sentences: what it does, what it must not know').toEqual(
      [],
    )
    const vague = sources.filter((file) => /^(#!.*\n)?\/\/ In charge of/.test(read(file)))
    expect(vague, 'begin with the verb: "Builds the ETag of a list"').toEqual([])
  })

  test('only the clock knows what time it is', () => {
    const tellers = code.filter(
      (file) => !clocks.includes(file) && /\bDate\.now\(|\bnew Date\(\)/.test(withoutComments(read(file))),
    )
    expect(tellers, 'take a Clock as an argument (src/clock.ts)').toEqual([])
  })
})

describe('a breach of the house rules', () => {
  test('a circle is found, and what only leads into it is left out', () => {
    const pairs = ['ab', 'bc', 'cb', 'cd'].map(([from = '', to = '']) => ({ from, to }))
    expect(circlesOf(pairs)).toEqual(['b', 'c'])
  })

  test.each([
    ['src/storage/sqlite.ts', 'src/catalogue/watches.ts', 'lies below'],
    ['src/search/filter.ts', 'src/access/plans/plans.ts', 'lies below'],
    ['src/catalogue/watches.ts', 'src/http/app.ts', 'lies below'],
    ['src/errors.ts', 'src/storage/database.ts', 'is a leaf'],
    ['web/pages/docs/docs.ts', 'src/storage/database.ts', 'lies below'],
    ['sdk/src/retry.ts', 'src/clock.ts', 'lies below'],
    ['src/http/app.ts', 'sdk/src/index.ts', 'lies below'],
  ])('%s → %s is found', (from, to, words) => {
    expect(direction({ from, to }).join()).toContain(words)
  })

  test('an entrance beside the door is found', () => {
    const breach = entrance({ from: 'src/catalogue/watches.ts', to: 'src/storage/small-writes.ts' })
    expect(breach.join()).toContain('no door of storage/')
    const from = 'src/cli/sync/sync.ts'
    expect(entrance({ from, to: 'sdk/src/transport.ts' }).join()).toContain('no door of sdk/')
    expect(entrance({ from, to: 'sdk/src/index.ts' })).toEqual([])
  })

  test('a forbidden name is found', () => {
    for (const name of ['utils', 'string-helpers', 'watch-service', 'common'])
      expect(name).toMatch(forbiddenNames)
    expect('deliver').not.toMatch(forbiddenNames)
  })
})

function direction({ from, to }: Import): string[] {
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room === target || (target === 'leaf' && room !== 'sdk')) return []
  if (room === 'leaf')
    return [`${from} is a leaf and may not import ${to}: pass what it needs as an argument`]
  if (mayImport[room]?.includes(target)) return []
  return [
    `${from} imports ${to}, but ${room}/ lies below ${target}/: pass it as an argument, or move it down`,
  ]
}

function entrance({ from, to }: Import): string[] {
  const [room, target] = [roomOf(from), roomOf(to)]
  const open = doors[target]
  if (room === target || open === undefined || open.includes(to.replace(`src/${target}/`, ''))) return []
  return [`${from} imports ${to}, which is no door of ${target}/: use ${open.join(', ')}, or make it a door`]
}

/** What is left of the graph after removing, again and again, everything that imports nothing or is imported by nothing. */
function circlesOf(pairs: readonly Import[]): string[] {
  let left = pairs
  for (;;) {
    const [importers, imported] = [new Set(left.map(({ from }) => from)), new Set(left.map(({ to }) => to))]
    const kept = left.filter(({ from, to }) => imported.has(from) && importers.has(to))
    if (kept.length === left.length) return [...importers].sort()
    left = kept
  }
}

/** `src/http` of `src/http/api/charge.ts`. */
function topOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

/** `src/http/api` of `src/http/api/charge.ts`; a file at the top of its folder stands for itself. */
function subRoomOf(file: string): string {
  const segments = file.split('/')
  return segments.length > 3 ? segments.slice(0, 3).join('/') : file
}

/** A folder or a file, without its ending. */
function isGoodName(segment: string): boolean {
  const name = segment.replace(/(\.test(-d)?|\.d)?\.\w+$/, '')
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && !forbiddenNames.test(name)
}

function roomOf(file: string): string {
  if (file.startsWith('web/pages/')) return 'pages'
  if (file.startsWith('web/dashboard/')) return 'dashboard'
  if (file.startsWith('web/scripts/')) return 'scripts'
  if (file === 'web/account-api.ts') return 'account-api'
  if (file === 'src/server.ts') return 'server'
  if (file.startsWith('sdk/')) return 'sdk'
  const [, folder = '', ...rest] = file.split('/')
  if (rest.length > 0) return folder
  return leaves.includes(folder) ? 'leaf' : folder
}

/** Imports of our own files; type-only module augmentations (`declare module`) count as well. */
function importsOf(file: string): Import[] {
  const pattern = /\b(?:from|import|declare module)\s*\(?\s*'(\.[^']+)'/g
  return [...withoutComments(read(file)).matchAll(pattern)].map(([, target = '']) => ({
    from: file,
    to: path.posix.join(path.posix.dirname(file), target),
  }))
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}
