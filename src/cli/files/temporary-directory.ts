// Provides a directory for downloads, and removes it with what it contains: when the work is done, and also when a signal
// ends the process.
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** What a shell adds to the number of the signal that ended a process. */
const signalCode = 128

export async function withTemporaryDirectory<T>(
  prefix: string,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(path.join(tmpdir(), prefix))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  // Exits in the next round of the event loop: the listener of a command first tells what became of its work.
  const onSignal = (signal: (typeof signals)[number]) =>
    void setImmediate(() => process.exit(signalCode + constants.signals[signal]))
  process.once('exit', remove)
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await work(directory)
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
    process.off('exit', remove)
    remove()
  }
}
