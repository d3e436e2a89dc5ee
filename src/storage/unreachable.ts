// Recognises errors of a database that cannot be reached at present, as opposed to faults of the service.

/**
 * Codes of the socket and of PostgreSQL: class 08, shutting down, class 53 (full disk or memory, too many connections), and
 * 25006, the answer of a standby to a write. SQLite's busy error is recognised by its message.
 */
const unreachableCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08...|57P0[123]|53[0-9]{3}|25006)$/
const unreachableMessages =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|database is locked|Client has encountered a connection error/

export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    unreachableCodes.test((error as NodeJS.ErrnoException).code ?? '') ||
    unreachableMessages.test(error.message)
  )
}
