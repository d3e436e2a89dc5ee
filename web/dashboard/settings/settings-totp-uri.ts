// Extracts the secret from an otpauth URI, for users who type it instead of scanning the QR code.

const groupLength = 4

/** The secret in groups of four characters, which authenticator apps accept; empty when there is none. */
export function secretIn(totpUri: string): string {
  const secret = new URL(totpUri).searchParams.get('secret') ?? ''
  return secret.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join(' ') ?? ''
}
