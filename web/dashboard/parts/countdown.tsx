// Shows the time remaining until `at`, updated every second, and calls `onEnd` when it is reached.
import { useEffect } from 'preact/hooks'
import { utcTime } from '../../scripts/local-time.ts'
import { useNow } from './now.ts'
import { spanText } from './span.ts'

const tickMs = 1_000

export function Countdown({ at, onEnd }: { at: string; onEnd: () => void }) {
  const leftMs = Date.parse(at) - useNow(tickMs)
  const isOver = leftMs <= 0
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver])
  return (
    <time dateTime={at} title={utcTime(at)}>
      {spanText(leftMs)}
    </time>
  )
}
