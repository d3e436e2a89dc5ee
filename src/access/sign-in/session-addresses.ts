// In charge of the names under which better-auth knows e-mail addresses. It takes fewer than accounts may have (none
// whose domain has no dot, as in a network of one's own), so it is given a name that is always an address to it.

const suffix = '@address.invalid'

export function aliasOf(email: string): string {
  return Buffer.from(email).toString('hex') + suffix
}

/** The address behind a name; what is none of ours is an address itself. */
export function emailOf(alias: string): string {
  return alias.endsWith(suffix) ? Buffer.from(alias.slice(0, -suffix.length), 'hex').toString() : alias
}
