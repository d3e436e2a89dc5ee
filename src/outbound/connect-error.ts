// Describes why an attempt failed, in plain words for the owner of the endpoint, without anything that was sent.

/** An error whose message the owner of the endpoint reads. */
export class OutwardError extends Error {}

const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  SELF_SIGNED_CERT_IN_CHAIN: 'its issuer is not known',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is not known, or an intermediate certificate is missing',
}

const faults: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'The host cannot be reached.',
  ECONNABORTED: 'Connection reset.',
  ECONNREFUSED: 'Connection refused.',
  ECONNRESET: 'Connection reset.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  EPIPE: 'Connection reset.',
  EPROTO: 'The TLS handshake failed.',
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CLOSED: 'The service is stopping.',
  UND_ERR_DESTROYED: 'The service is stopping.',
  UND_ERR_HEADERS_OVERFLOW: 'The header of the answer is too large.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not valid HTTP.',
  ERR_ASSERTION: 'The answer is not valid HTTP.',
}

/** Error codes of c-ares: the name servers did not respond, or responded with an error. */
const lookupFaults = /^E(SERVFAIL|REFUSED|TIMEOUT|FORMERR|BADRESP|NOTIMP|CANCELLED)$/

export function toOutwardError(error: unknown): OutwardError {
  if (error instanceof OutwardError) return error
  const known: NodeJS.ErrnoException = error instanceof Error ? error : new Error()
  return new OutwardError(describe(known), { cause: error })
}

/** Whether the receiver closed the connection, rather than sent an invalid response. */
export function isClosedEarly({ code = '', message }: NodeJS.ErrnoException): boolean {
  return (
    code === 'ECONNRESET' || code === 'EPIPE' || (code === 'UND_ERR_SOCKET' && !message.startsWith('bad '))
  )
}

function describe({ code = '', syscall = '', name, message }: NodeJS.ErrnoException): string {
  if (syscall.startsWith('query') || lookupFaults.test(code)) return 'The host could not be looked up.'
  if (code in certificateFaults) return `The certificate is not valid: ${certificateFaults[code]}.`
  if (code in faults) return faults[code] as string
  if (code.startsWith('CERT_') || code.startsWith('UNABLE_TO_'))
    return `The certificate is not valid: ${code}.`
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'The TLS handshake failed.'
  if (name === 'HTTPParserError' || message.startsWith('bad ')) return 'The answer is not valid HTTP.'
  if (code === 'UND_ERR_SOCKET') return 'The connection was closed before there was an answer.'
  return code === '' ? 'The request failed.' : `The request failed: ${code}.`
}
