// Describes in a few words why a request got no response.

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: see NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed: see NODE_EXTRA_CA_CERTS',
}

export function faultText(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timed out'
  const code = faultCode(error)
  const { cause, message } = error as Error
  return (
    (code && words[code]) ??
    (cause instanceof Error && cause.message !== '' ? cause.message : (code ?? message))
  )
}

/** Whether nothing accepted the request: the program at the address may just be starting. */
export function isUnconnected(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(faultCode(error) ?? '')
}

/** `fetch` puts the error code in the cause. */
function faultCode(error: unknown): string | undefined {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : undefined
}
