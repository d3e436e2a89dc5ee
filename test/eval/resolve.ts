// `npm run eval -- resolve`: how often the resolver claims the right watch, by labelled titles over the sample catalogue,
// and how often it claims one where it must not. Reports the part of the titles that nobody tunes on; `--tune` reports
// the other part, with every miss.
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { type Resolution, resolveTitle } from '../../src/search/resolve/resolve.ts'
import { selectIn } from '../../src/search/results/find-matches.ts'
import { isHeldBack, type JudgedTitle, readJudgedTitles } from './judged-titles.ts'
import { openSampleIndex } from './sample-index.ts'

interface Outcome {
  readonly title: JudgedTitle
  readonly resolution: Resolution
  /** The candidates, best first. */
  readonly named: readonly string[]
  readonly isClaimed: boolean
  readonly isRight: boolean
}

const bins = [0, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.001]

export async function evaluateResolve(flags: readonly string[]): Promise<void> {
  const isTuning = flags.includes('--tune')
  const titles = (await readJudgedTitles()).filter((title) => isHeldBack(title.source) !== isTuning)
  const index = await openSampleIndex()
  const outcomes = titles.map((title) => outcomeOf(index, title))
  print(`${titles.length} titles, ${isTuning ? 'the part to tune on' : 'the part that is held back'}\n`)
  printFigures(outcomes)
  printRead(outcomes, isTuning)
  printCalibration(outcomes)
  await printAbsent(titles, isTuning)
  if (isTuning) for (const outcome of outcomes) printMiss(outcome)
}

function outcomeOf(index: WatchIndex, title: JudgedTitle): Outcome {
  index.resultCache.freeSlots()
  const { text, brand, price, answers } = title
  const resolution = resolveTitle(index, selectIn(index), { text, brand, price })
  const named = resolution.candidates.map(({ ordinal }) => {
    const { brand, reference_number } = index.watchAt(ordinal)
    return `${brand}/${reference_number}`
  })
  const isClaimed = resolution.match === 'exact' || resolution.match === 'likely'
  const isRight = answers.length === 1 && named[0] === answers[0]
  return { title, resolution, named, isClaimed, isRight }
}

function printFigures(outcomes: readonly Outcome[]): void {
  print(row('', ['precision@1', 'coverage', 'recall@5', 'false-confident']))
  const group = (name: string, some: readonly Outcome[]) =>
    print(row(`${name} (${some.length})`, figures(some)))
  group('all', outcomes)
  group(
    'printed',
    outcomes.filter(({ title }) => title.isPrinted),
  )
  const masked = outcomes.filter(({ title }) => !title.isPrinted)
  group('masked', masked)
  group(
    '  by the author',
    masked.filter(({ title }) => title.kind !== 'taken out'),
  )
  for (const kind of new Set(outcomes.map(({ title }) => title.kind)))
    group(
      `  ${kind}`,
      outcomes.filter(({ title }) => title.kind === kind),
    )
  print('')
}

function figures(outcomes: readonly Outcome[]): string[] {
  const claimed = outcomes.filter(({ isClaimed }) => isClaimed)
  const single = outcomes.filter(({ title }) => title.answers.length === 1)
  const open = outcomes.filter(({ title }) => title.answers.length !== 1)
  const answerable = outcomes.filter(({ title }) => title.answers.length > 0)
  const recalled = answerable.filter(({ title, named }) =>
    title.answers.some((answer) => named.includes(answer)),
  )
  return [
    share(claimed.filter(({ isRight }) => isRight).length, claimed.length),
    share(single.filter(({ isClaimed }) => isClaimed).length, single.length),
    share(recalled.length, answerable.length),
    share(open.filter(({ isClaimed }) => isClaimed).length, open.length),
  ]
}

/** What was read beside the watch, of the titles that say it. */
function printRead(outcomes: readonly Outcome[], isTuning: boolean): void {
  const known = outcomes.filter(({ title }) => title.read !== undefined)
  const keys = [...new Set(known.flatMap(({ title }) => Object.keys(title.read ?? {})))]
  for (const key of keys) {
    const saying = known.filter(({ title }) => title.read?.[key] !== undefined)
    const wrong = saying.filter(
      ({ title, resolution }) =>
        !isSameReading(title.read?.[key], resolution.read[key as keyof Resolution['read']]),
    )
    print(row(`read ${key} (${saying.length})`, [share(saying.length - wrong.length, saying.length)]))
    if (!isTuning) continue
    for (const { title, resolution } of wrong)
      print(
        `    ${title.text} → ${resolution.read[key as keyof Resolution['read']]} instead of ${title.read?.[key]}`,
      )
  }
  print('')
}

function isSameReading(wanted: unknown, read: unknown): boolean {
  return String(wanted).toLowerCase() === String(read).toLowerCase()
}

/** The confidence of the first candidate, and how often it is the watch. */
function printCalibration(outcomes: readonly Outcome[]): void {
  print(row('confidence of the first', ['titles', 'mean', 'right']))
  for (let at = 0; at + 1 < bins.length; at++) {
    const [from = 0, to = 1] = bins.slice(at, at + 2)
    const some = outcomes.filter(({ resolution: { candidates } }) => {
      const confidence = candidates[0]?.confidence ?? -1
      return confidence >= from && confidence < to
    })
    const mean = some.reduce((sum, { resolution }) => sum + (resolution.candidates[0]?.confidence ?? 0), 0)
    const isRight = ({ title, named }: Outcome) => title.answers.length === 1 && named[0] === title.answers[0]
    print(
      row(`${from} to ${Math.min(1, to)}`, [
        String(some.length),
        share(mean, some.length),
        share(some.filter(isRight).length, some.length),
      ]),
    )
  }
  print('')
}

/** The same titles over a catalogue without the watches that they mean: whatever is claimed is wrong. */
async function printAbsent(titles: readonly JudgedTitle[], isTuning: boolean): Promise<void> {
  const single = titles.filter(({ answers }) => answers.length === 1)
  print(row('watch taken out of the catalogue', ['titles', 'false-confident']))
  const halves = [0, 1].map((half) => single.filter(({ answers }) => halfOf(answers[0] as string) === half))
  const claims: Outcome[] = []
  for (const [half, some] of halves.entries()) {
    const left = new Set(some.map(({ answers }) => answers[0] as string))
    const index = await openSampleIndex()
    removeWatches(index, (name) => halfOf(name) === half && left.has(name))
    claims.push(...some.map((title) => outcomeOf(index, title)))
  }
  for (const isPrinted of [true, false]) {
    const some = claims.filter(({ title }) => title.isPrinted === isPrinted)
    const wrong = some.filter(({ isClaimed }) => isClaimed)
    print(row(isPrinted ? 'printed' : 'masked', [String(some.length), share(wrong.length, some.length)]))
    if (isTuning)
      for (const { title, named, resolution } of wrong)
        print(`    ${title.text} → ${resolution.match} ${named[0]}`)
  }
  print('')
}

function removeWatches(index: WatchIndex, isLeft: (name: string) => boolean): void {
  const watches = new Map<number, undefined>()
  for (let ordinal = 0; ordinal < index.postings.slots.capacity; ordinal++) {
    if (!index.rows.has(ordinal)) continue
    const { id, brand, reference_number } = index.watchAt(ordinal)
    if (isLeft(`${brand}/${reference_number}`)) watches.set(id, undefined)
  }
  const { head, readAt } = index
  const isApplied = index.apply({
    watches,
    sequence: head.sequence,
    commitId: head.commitId,
    readAt,
    at: new Date(0).toISOString(),
  })
  if (!isApplied) throw new Error('The watches cannot be taken out of the sample.')
}

/** Half of the watches are taken out at a time, so that the others of a brand stay. */
function halfOf(answer: string): number {
  let sum = 0
  for (const character of answer) sum = (sum * 31 + (character.codePointAt(0) as number)) % 65_521
  return sum % 2
}

function printMiss({ title, resolution, named, isClaimed, isRight }: Outcome): void {
  const isSingle = title.answers.length === 1
  if (isClaimed ? isRight : !isSingle) return
  const sign = isClaimed ? 'WRONG ' : 'missed'
  const [first] = resolution.candidates
  const shown = `${resolution.match} ${first?.confidence ?? ''} ${named.slice(0, 3).join(' | ')}`
  print(
    `${sign} ${title.isPrinted ? 'P' : 'M'} ${title.kind}: ${title.text}  → ${shown}  [${first?.reasons.join(', ') ?? ''}] for ${title.answers.join(' | ') || 'none'}`,
  )
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : (part / whole).toFixed(3)
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(Math.max(10, cell.length + 2))).join('')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
