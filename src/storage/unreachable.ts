// In charge of telling a database that cannot be reached just now from a fault of ours.

/** Of the socket, of PostgreSQL (class 08, shutting down, too many connections), and SQLite's busy. */
const unreachableCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08...|57P0[123]|53300)$/
const unreachableMessages =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|database is locked|Client has encountered a connection error/

export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    unreachableCodes.test((error as NodeJS.ErrnoException).code ?? '') ||
    unreachableMessages.test(error.message)
  )
}
