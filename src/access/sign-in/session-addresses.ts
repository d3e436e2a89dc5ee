// Maps email addresses to the aliases that better-auth sees. It accepts fewer addresses than accounts may have (none
// whose domain has no dot, as in a private network), and an alias is always a valid address to it.

const suffix = '@address.invalid'

export function aliasOf(email: string): string {
  return Buffer.from(email).toString('hex') + suffix
}

/** The email behind an alias; a text that is not an alias is returned unchanged. */
export function emailOf(alias: string): string {
  return alias.endsWith(suffix) ? Buffer.from(alias.slice(0, -suffix.length), 'hex').toString() : alias
}
