// Defines the cookies of signed-in users: their names and attributes. With https the names carry the `__Host-` prefix,
// which makes browsers insist on Secure, on this host only and on the path `/`.

/** better-auth's cookie name → our cookie name. */
const names = {
  session_token: 'watchdata_session',
  session_data: 'watchdata_session_data',
  dont_remember: 'watchdata_dont_remember',
  account_data: 'watchdata_account_data',
  two_factor: 'watchdata_two_factor',
  trust_device: 'watchdata_trust_device',
} as const

export function sessionCookieName(origin: string): string {
  return prefixOf(origin) + names.session_token
}

/** The cookie of a user who has given the password but not yet the code. */
export function secondStepCookieName(origin: string): string {
  return prefixOf(origin) + names.two_factor
}

/** Options for better-auth, whose own setting for secure cookies would give them another prefix. */
export function cookieOptions(origin: string) {
  const prefix = prefixOf(origin)
  return {
    useSecureCookies: false,
    cookiePrefix: `${prefix}watchdata`,
    cookies: Object.fromEntries(
      Object.entries(names).map(([theirs, ours]) => [theirs, { name: prefix + ours }]),
    ),
    defaultCookieAttributes: { secure: isSecure(origin), httpOnly: true, sameSite: 'lax', path: '/' },
  } as const
}

/** The Set-Cookie value that deletes the session from a browser. */
export function endedCookie(origin: string): string {
  const secure = isSecure(origin) ? '; Secure' : ''
  return `${sessionCookieName(origin)}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** Whether a request has a cookie of this name, valid or not. */
export function hasCookie(headers: Headers, name: string): boolean {
  return (headers.get('cookie') ?? '').split(';').some((pair) => pair.trimStart().startsWith(`${name}=`))
}

function prefixOf(origin: string): string {
  return isSecure(origin) ? '__Host-' : ''
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}
