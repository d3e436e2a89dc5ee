// Runs work repeatedly, with a pause after each run, and a last time when stopped.

export interface Repeated {
  /** Waits for the current run, then runs a last time; throws what that last run throws. */
  stop(): Promise<void>
}

/** `onError` receives the error of a failed run; the next run follows all the same. */
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
    // The timer must not keep the process alive; `stop` ends the work in good order.
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
