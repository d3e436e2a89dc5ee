// In charge of saying in a few words why a request had no answer.

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  ETIMEDOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself: see NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by itself: see NODE_EXTRA_CA_CERTS',
}

export function faultText(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no answer in time'
  const code = faultCode(error)
  const { cause, message } = error as Error
  return (
    (code && words[code]) ??
    (cause instanceof Error && cause.message !== '' ? cause.message : (code ?? message))
  )
}

/** Nothing took the request: it may be that the program behind the address is only just starting. */
export function isUnconnected(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(faultCode(error) ?? '')
}

/** `fetch` hides it in the cause. */
function faultCode(error: unknown): string | undefined {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : undefined
}
