// Stores cookies for test clients that sign in: keeps the cookies that a response sets, drops those it clears.

export class CookieJar {
  readonly cookies = new Map<string, string>()

  /** The Cookie request header; empty if there are no cookies. */
  get header(): { readonly cookie?: string } {
    if (this.cookies.size === 0) return {}
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  keep({ headers }: Pick<Response, 'headers'>): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Max-Age=0(;|$)/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}
