// Stores the key created last in this tab, so that the docs can fill it into their examples. The service itself stores
// only digests. The key belongs to one account: it is deleted when the tab closes, at sign-out, when it is revoked, and
// as soon as another account is seen in this tab.

const name = 'watchdata.key'

/** Returns whether the browser allows storage. `account` is the email of the signed-in user. */
export function storeKey(account: string, key: string): boolean {
  try {
    sessionStorage.setItem(name, JSON.stringify({ account, key }))
    return true
  } catch {
    return false
  }
}

/** The stored key of this account; undefined when `account` is empty. A key of another account is deleted. */
export function findKey(account: string): string | undefined {
  const kept = parseKept(read())
  if (kept !== undefined && account !== '' && kept.account === account) return kept.key
  deleteKey()
  return undefined
}

export function deleteKey(): void {
  try {
    sessionStorage.removeItem(name)
  } catch {
    // Storage is blocked, so no key is stored.
  }
}

function read(): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined
  } catch {
    // Storage is blocked.
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
