import { expect, test, vi } from 'vitest'
import { Progress } from './progress.ts'

test('prints at most one progress line per second, and none when the file is read completely', () => {
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
