// Sends a signal to processes, some of which may have ended.

export function sendToAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already ended.
    }
  }
}
