// A hook for texts that change as time passes.
import { useEffect, useState } from 'preact/hooks'
import { nowMs } from '../../scripts/local-time.ts'

/** The current time in ms, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
