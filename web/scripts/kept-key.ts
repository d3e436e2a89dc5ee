// In charge of the key that was made last in this tab, so that the docs can fill it into their examples. It is its
// account's alone: forgotten with the tab, at sign-out, when it is revoked, and as soon as anyone else is found here. The
// service itself keeps none that could be shown again.

const name = 'watchdata.key'

/** Answers whether the browser keeps anything. `account` is the email of who is signed in. */
export function keepKey(account: string, key: string): boolean {
  try {
    sessionStorage.setItem(name, JSON.stringify({ account, key }))
    return true
  } catch {
    return false
  }
}

/** The key of this account; of nobody where `account` is empty. Any other is forgotten. */
export function findKey(account: string): string | undefined {
  const kept = parseKept(read())
  if (kept !== undefined && account !== '' && kept.account === account) return kept.key
  forgetKey()
  return undefined
}

export function forgetKey(): void {
  try {
    sessionStorage.removeItem(name)
  } catch {
    // Then there was none.
  }
}

function read(): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined
  } catch {
    // A browser that keeps nothing for anyone.
    return undefined
  }
}

function parseKept(written: string | undefined): { account: string; key: string } | undefined {
  if (written === undefined) return undefined
  try {
    const { account, key } = JSON.parse(written) as Record<string, unknown>
    return typeof account === 'string' && typeof key === 'string' ? { account, key } : undefined
  } catch {
    return undefined
  }
}
