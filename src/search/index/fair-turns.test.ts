import { describe, expect, test } from 'vitest'
import { FairTurns, type Job } from './fair-turns.ts'

/** Works of a few steps each that note what they do, as long as the list of them is not empty. */
function jobOf(
  name: string,
  works: number,
  seen: string[],
  { stepMs = 0, version = () => '' }: { stepMs?: number; version?: () => string } = {},
): Job {
  let done = 0
  return {
    version,
    next: () => {
      if (done === works) return undefined
      return {
        costMs: 1,
        run: function* () {
          for (let step = 0; step < 3; step++) {
            busyMs(stepMs)
            yield
          }
          seen.push(`${name}${++done}`)
        },
      }
    },
  }
}

function busyMs(ms: number): void {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs; );
}

describe('fair turns', () => {
  test('the callers take turns, and the jobs of one caller follow each other', async () => {
    const turns = new FairTurns()
    const seen: string[] = []
    const takes = [
      turns.take('greedy', jobOf('a', 3, seen)),
      turns.take('greedy', jobOf('b', 3, seen)),
      turns.take('modest', jobOf('m', 2, seen)),
      turns.take('other', jobOf('o', 1, seen)),
    ]
    expect(turns.waiting).toBe(4)
    await Promise.all(takes)
    expect(seen).toEqual(['a1', 'm1', 'o1', 'a2', 'm2', 'a3', 'b1', 'b2', 'b3'])
    expect(turns.waiting).toBe(0)
    expect(turns.done).toMatchObject({ jobs: 4, estimatedMs: 9 })
  })

  test('the event loop is free between slices, however small the works are', async () => {
    const turns = new FairTurns()
    let others = 0
    const other = setInterval(() => others++, 0)
    await turns.take('a', jobOf('a', 30, [], { stepMs: 0.4 }))
    clearInterval(other)
    expect(others).toBeGreaterThan(8)
  })

  test('a job that fails delays nobody', async () => {
    const turns = new FairTurns()
    const seen: string[] = []
    const broken: Job = {
      version: () => '',
      next: () => {
        throw new Error('broken')
      },
    }
    const taken = await Promise.allSettled([
      turns.take('a', broken),
      turns.take('a', jobOf('a', 1, seen)),
      turns.take('b', jobOf('b', 1, seen)),
    ])
    expect(taken.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(seen).toEqual(['b1', 'a1'])
  })

  test('a caller with too many jobs is full, and others are not', async () => {
    const turns = new FairTurns()
    const takes = Array.from({ length: 100 }, () => turns.take('a', jobOf('a', 1, [])))
    expect([turns.isFull('a'), turns.isFull('b')]).toEqual([true, false])
    await Promise.all(takes)
    expect(turns.isFull('a')).toBe(false)
  })

  test('a change is made between two works, never during one', async () => {
    const turns = new FairTurns()
    const seen: string[] = []
    let isWorking = false
    const job: Job = {
      version: () => '',
      next: () =>
        seen.length === 5
          ? undefined
          : {
              costMs: 1,
              run: function* () {
                isWorking = true
                for (let step = 0; step < 20; step++) {
                  busyMs(0.3)
                  yield
                }
                isWorking = false
                seen.push('work')
              },
            },
    }
    const taking = turns.take('a', job)
    const changes = Array.from({ length: 3 }, () => turns.between(() => expect(isWorking).toBe(false)))
    await Promise.all([taking, ...changes])
    expect(await turns.between(() => 'made')).toBe('made')
  })

  test('a job whose works are undone by every change still ends, and changes wait for it', async () => {
    const turns = new FairTurns()
    let version = 0
    let done = new Set<number>()
    let works = 0
    const job: Job = {
      version: () => String(version),
      next: () => {
        const next = [0, 1, 2, 3].find((one) => !done.has(one))
        if (next === undefined) return undefined
        return {
          costMs: 1,
          run: function* () {
            works++
            busyMs(1)
            yield
            done.add(next)
          },
        }
      },
    }
    const change = async (): Promise<void> => {
      await turns.between(() => {
        version++
        done = new Set()
      })
      if (version < 100) await change()
    }
    const changing = change()
    await turns.take('a', job)
    expect(done.size).toBe(4)
    expect(works).toBeLessThan(10)
    await changing
  })
})
