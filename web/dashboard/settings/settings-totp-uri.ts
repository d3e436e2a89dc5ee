// In charge of the address that an authenticator reads from a QR code: the secret in it, for who types it in.

const groupLength = 4

/** In groups of four, as authenticators take it; empty where there is none. */
export function secretIn(totpUri: string): string {
  const secret = new URL(totpUri).searchParams.get('secret') ?? ''
  return secret.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join(' ') ?? ''
}
