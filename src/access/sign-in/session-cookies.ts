// In charge of the cookies of people who sign in: their names and where they go. With https they carry the prefix that
// makes browsers insist on Secure, this host alone and the whole of it.

/** better-auth's name for each → ours. */
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

/** Held by who has given the password and not yet the code. */
export function secondStepCookieName(origin: string): string {
  return prefixOf(origin) + names.two_factor
}

/** For better-auth, whose own notion of secure cookies would give them another prefix. */
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

/** What takes the session away from a browser. */
export function endedCookie(origin: string): string {
  const secure = isSecure(origin) ? '; Secure' : ''
  return `${sessionCookieName(origin)}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** Whether a request has a session cookie at all, right or wrong. */
export function hasCookie(headers: Headers, name: string): boolean {
  return (headers.get('cookie') ?? '').split(';').some((pair) => pair.trimStart().startsWith(`${name}=`))
}

function prefixOf(origin: string): string {
  return isSecure(origin) ? '__Host-' : ''
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}
