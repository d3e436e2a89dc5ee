// In charge of cookies, for everyone in the tests who signs in: keeps what an answer sets, forgets what it takes away.

export class CookieJar {
  readonly cookies = new Map<string, string>()

  /** As it is sent; nothing where there are none. */
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
