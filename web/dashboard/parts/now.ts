// In charge of what has to be told anew as time passes.
import { useEffect, useState } from 'preact/hooks'
import { nowMs } from '../../scripts/local-time.ts'

/** The time, read again every so often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
