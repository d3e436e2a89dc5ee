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
  specs: ['storage'],
  changes: ['storage'],
  catalogue: ['changes', 'specs', 'files', 'storage'],
  imports: ['catalogue', 'changes', 'specs', 'files', 'storage'],
  search: ['catalogue', 'changes', 'specs', 'storage'],
  access: ['catalogue', 'changes', 'specs', 'storage', 'mail'],
  webhooks: ['catalogue', 'changes', 'specs', 'storage', 'mail'],
  http: ['search', 'access', 'webhooks', 'catalogue', 'changes', 'specs', 'storage', 'pages'],
  sending: ['search', 'access', 'webhooks', 'catalogue', 'changes', 'specs', 'storage', 'mail'],
  server: [
    'http',
    'sending',
    'search',
    'access',
    'webhooks',
    'catalogue',
    'changes',
    'specs',
    'storage',
    'mail',
    'pages',
  ],
  cli: [
    'server',
    'http',
    'search',
    'access',
    'webhooks',
    'imports',
    'catalogue',
    'changes',
    'specs',
    'files',
    'storage',
    'mail',
  ],
  // What both the service and browsers write: a curl line, the parts of JSON.
  pages: ['scripts'],
  scripts: [],
  // Of the service only the types that the two have agreed on, which the test below looks at.
  dashboard: ['scripts', 'http'],
}

/** What a leaf may import: other leaves, and nothing else of ours. */
const leaves = [
  'clock.ts',
  'config.ts',
  'errors.ts',
  'log.ts',
  'metrics.ts',
  'request-durations.ts',
  'seal.ts',
  'secrets.ts',
  'setting-kinds.ts',
  'version.ts',
]

/** Files of a folder that others may use; a folder that is not listed has only doors. */
const doors: Record<string, readonly string[]> = {
  storage: [
    'backup.ts',
    'bell.ts',
    'counter.ts',
    'data-dir.ts',
    'database.ts',
    'epoch.ts',
    'migrate.ts',
    'redis.ts',
    'repeat.ts',
    'restore.ts',
    'sqlite.ts',
    'tables.ts',
    'unreachable.ts',
    'update-rows.ts',
    'write-rows.ts',
  ],
  access: [
    'accounts.ts',
    'billing.ts',
    'burst-guard.ts',
    'callers.ts',
    'close-account.ts',
    'demo-key.ts',
    'key-uses.ts',
    'keys.ts',
    'operator-billing.ts',
    'operator-decisions.ts',
    'plans.ts',
    'quota.ts',
    'request-log.ts',
    'session-attempts.ts',
    'session-secret.ts',
    'sessions.ts',
    'setup-link.ts',
    'usage.ts',
  ],
  mail: ['mail.ts'],
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
    'drafts/open-drafts.ts',
    'import-options.ts',
    'prices/import-prices.ts',
    'prices/price-columns.ts',
    'prices/price-day.ts',
    'rejects.ts',
    'watches/import-watches.ts',
  ],
  specs: [
    'fold.ts',
    'near-texts.ts',
    'numbers.ts',
    'quantities.ts',
    'synonyms.ts',
    'units.ts',
    'vocabulary.ts',
  ],
  http: ['app.ts', 'assets.ts', 'contract/dashboard.ts', 'listener.ts', 'routes/metrics.ts'],
  sending: ['open-sender.ts', 'send-aside.ts'],
}

/** What the dashboard app and the service say to each other. */
const agreement = 'web/account-api.ts'

/** Of the service, and of the browser. */
const clocks = ['src/clock.ts', 'web/scripts/local-time.ts']

const linesMax = 400
const linesWarned = 200
const forbiddenNames = /(^|[-.])(utils?|helpers?|common|services?|managers?|misc|shared)([-.]|$)/i
const forbiddenWords = /\b\w*(Manager|Service|Helper|Utils?)\b/g

interface Import {
  readonly from: string
  readonly to: string
}

const sources = globSync('{src,web,test,bench,scripts}/**/*.{ts,tsx,js,mjs}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.startsWith('web/build/'))
const code = sources.filter((file) => /^(src|web)\//.test(file) && !file.endsWith('.test.ts'))
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

  test('the dashboard app takes nothing of the service but the types they have agreed on', () => {
    const app = code.filter((file) => roomOf(file) === 'dashboard')
    const taken = app.flatMap((file) =>
      [...withoutComments(read(file)).matchAll(/^import ([^'"]*?) from '([^']*\/src\/[^']+)'/gms)]
        .filter(([, names = '', from = '']) => !names.startsWith('type ') || !from.endsWith(agreement))
        .map(([line]) => `${file}: ${line}`),
    )
    expect(app.length).toBeGreaterThan(10)
    expect(taken, `import types, and from ${agreement} alone: the app talks HTTP`).toEqual([])
  })

  test('every folder of src/ has its place in the order', () => {
    const homeless = new Set(code.map(roomOf).filter((room) => room !== 'leaf' && !(room in mayImport)))
    expect([...homeless], 'give it a place in mayImport, and in the picture of ARCHITECTURE.md').toEqual([])
  })

  test('no file has outgrown its one job', () => {
    const sizes = sources.map((file) => ({ file, lines: read(file).split('\n').length }))
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

  test('every file opens by saying what it is in charge of', () => {
    const silent = code.filter((file) => !read(file).startsWith('// '))
    expect(silent, 'open the file with one to four sentences').toEqual([])
  })

  test('only the clock knows what time it is', () => {
    const tellers = code.filter(
      (file) => !clocks.includes(file) && /\bDate\.now\(|\bnew Date\(\)/.test(withoutComments(read(file))),
    )
    expect(tellers, 'take a Clock as an argument (src/clock.ts)').toEqual([])
  })
})

describe('a breach of the house rules', () => {
  test.each([
    ['src/storage/sqlite.ts', 'src/catalogue/watches.ts', 'lies below'],
    ['src/search/filter.ts', 'src/access/plans/plans.ts', 'lies below'],
    ['src/catalogue/watches.ts', 'src/http/app.ts', 'lies below'],
    ['src/errors.ts', 'src/storage/database.ts', 'is a leaf'],
    ['web/pages/docs/docs.ts', 'src/storage/database.ts', 'lies below'],
  ])('%s → %s is found', (from, to, words) => {
    expect(direction({ from, to }).join()).toContain(words)
  })

  test('an entrance beside the door is found', () => {
    const breach = entrance({ from: 'src/catalogue/watches.ts', to: 'src/storage/wakes.ts' })
    expect(breach.join()).toContain('no door of storage/')
  })

  test('a forbidden name is found', () => {
    for (const name of ['utils', 'string-helpers', 'watch-service', 'common'])
      expect(name).toMatch(forbiddenNames)
    expect('deliver').not.toMatch(forbiddenNames)
  })
})

function direction({ from, to }: Import): string[] {
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room === target || target === 'leaf') return []
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

/** A folder or a file, without its ending. */
function isGoodName(segment: string): boolean {
  const name = segment.replace(/(\.test|\.d)?\.\w+$/, '')
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && !forbiddenNames.test(name)
}

function roomOf(file: string): string {
  if (file.startsWith('web/pages/')) return 'pages'
  if (file.startsWith('web/dashboard/')) return 'dashboard'
  if (file.startsWith('web/scripts/')) return 'scripts'
  if (file === 'src/server.ts') return 'server'
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
