import { expect, test } from 'vitest'
import { Problem } from './errors.ts'
import { Semaphore } from './semaphore.ts'

test('tasks run a few at once, in their order, and the excess is refused', async () => {
  const semaphore = new Semaphore({ permits: 2, waitingMax: 2 })
  const started: number[] = []
  const ends: (() => void)[] = []
  const task = (id: number) => () => {
    started.push(id)
    return new Promise<number>((resolve) => ends.push(() => resolve(id)))
  }
  const running = [1, 2, 3, 4].map((id) => semaphore.run(task(id)))
  expect(semaphore.isFull).toBe(true)
  await expect(semaphore.run(task(5))).rejects.toThrow(Problem)
  expect(started).toEqual([1, 2])
  ends[1]?.()
  await running[1]
  await expect.poll(() => started).toEqual([1, 2, 3])
  ends[0]?.()
  await expect.poll(() => started).toEqual([1, 2, 3, 4])
  ends[2]?.()
  ends[3]?.()
  expect(await Promise.all(running)).toEqual([1, 2, 3, 4])
})

test('a task that fails passes its permit to the next', async () => {
  const semaphore = new Semaphore({ permits: 1, waitingMax: 1 })
  const failing = semaphore.run(() => Promise.reject(new Error('no')))
  const next = semaphore.run(async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('it is idle when nothing runs and nothing waits', async () => {
  const semaphore = new Semaphore({ permits: 1, waitingMax: 5 })
  await semaphore.idle()
  let done = 0
  for (let task = 0; task < 3; task++) void semaphore.run(async () => void done++)
  await semaphore.idle()
  expect(done).toBe(3)
})
