import { expect, test, vi } from 'vitest'
import { Progress } from './progress.ts'

test('a line a second says how far a file is read, and none that it is read to its end', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const progress = new Progress()
    const show = (done: number) => progress.show({ label: 'watches.csv', rows: done, done, whole: 100 })
    show(10)
    vi.advanceTimersByTime(2_000)
    show(50)
    show(60)
    vi.advanceTimersByTime(2_000)
    show(100)
    expect(written.mock.calls).toEqual([['watches.csv  50 rows  25/s  2 s left\n']])
  } finally {
    written.mockRestore()
    vi.useRealTimers()
  }
})
