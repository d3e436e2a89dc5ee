import { describe, expect, test } from 'vitest'
import { finish, finishInSlices, type Sliced, Turns } from './slices.ts'

/** Work of several steps that notes them, and whether it has ended. */
function counted(steps: number, onStep: () => void = () => {}) {
  const seen = { steps: 0, hasEnded: false }
  function* work(): Sliced<string> {
    try {
      for (; seen.steps < steps; seen.steps++) {
        onStep()
        yield
      }
      return 'done'
    } finally {
      seen.hasEnded = true
    }
  }
  return { seen, work: work() }
}

function busyMs(ms: number): void {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs; );
}

describe('sliced work', () => {
  test('has the same result at once and in slices', async () => {
    expect(finish(counted(5).work)).toBe('done')
    expect(await finishInSlices(counted(5).work, () => true)).toBe('done')
  })

  test('lets other work run in between', async () => {
    let others = 0
    const other = setInterval(() => others++, 0)
    await finishInSlices(counted(20, () => busyMs(1)).work, () => true)
    clearInterval(other)
    expect(others).toBeGreaterThan(2)
  })

  test('is given up and frees what it holds when it is not wanted any more', async () => {
    const { seen, work } = counted(1_000, () => busyMs(1))
    expect(await finishInSlices(work, () => false)).toBeUndefined()
    expect(seen.steps).toBeLessThan(1_000)
    expect(seen.hasEnded).toBe(true)
  })

  test('rejects with what it throws', async () => {
    const { work } = counted(5, () => {
      throw new Error('broken')
    })
    await expect(finishInSlices(work, () => true)).rejects.toThrow('broken')
  })
})

describe('turns', () => {
  test('are taken one after the other, in order, and a work that fails delays nobody', async () => {
    const turns = new Turns()
    const seen: string[] = []
    const take = (name: string) =>
      turns.take(async () => {
        seen.push(`${name} begins`)
        await finishInSlices(counted(3, () => busyMs(1)).work, () => true)
        seen.push(`${name} ends`)
        if (name === 'b') throw new Error('broken')
        return name
      })
    const taken = await Promise.allSettled(['a', 'b', 'c'].map(take))
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})
