// In charge of work that is done again and again, a moment after it was last done, and once more at the end.

export interface Repeated {
  /** Waits for the run under way, then runs a last time; throws what that throws. */
  stop(): Promise<void>
}

/** `onError` is told of a run that failed; the next one comes nevertheless. */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repeated {
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(() => {
      running = work()
        .catch(onError)
        .then(() => {
          if (!isStopped) schedule()
        })
    }, everyMs)
    // The work alone keeps no process alive; `stop` is what ends it in good order.
    timer.unref()
  }
  schedule()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
      await work()
    },
  }
}
