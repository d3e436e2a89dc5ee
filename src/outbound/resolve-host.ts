// Looks up the addresses of a hostname. Queries the name servers itself: the system's lookup blocks a thread of the
// thread pool, and a few slow names would hold up file access and password hashing, which use the same threads.
import { Resolver } from 'node:dns/promises'

/** Returns no addresses if the host does not exist; rejects if the lookup failed. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const queryMaxMs = 1_500
const triesMax = 2
const lookupMaxMs = 5_000
const addressesMax = 32

/** Error codes for a name that does not exist, has no address of this kind, or is invalid. */
const absent = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** The addresses of `localhost`, whatever a name server says (RFC 6761). */
const loopback: readonly string[] = ['127.0.0.1', '::1']

/** Queries the system's name servers, or the given ones (`127.0.0.1:5353`). */
export function openResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: queryMaxMs, tries: triesMax })
  if (servers !== undefined) resolver.setServers(servers)
  return async (hostname) => {
    if (isLocalhost(hostname)) return loopback
    const overdue = withTimeout(lookupMaxMs)
    const answers = await Promise.allSettled([
      Promise.race([resolver.resolve4(hostname), overdue.promise]),
      Promise.race([resolver.resolve6(hostname), overdue.promise]),
    ])
    overdue.cancel()
    return collect(answers)
  }
}

function isLocalhost(hostname: string): boolean {
  const name = hostname.toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Alternates IPv4 and IPv6 addresses, so that a machine that lacks one of them soon tries the other. */
function collect(answers: readonly PromiseSettledResult<string[]>[]): string[] {
  const failed = answers.find((answer) => answer.status === 'rejected' && !absent.has(answer.reason?.code))
  const [four = [], six = []] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const addresses: string[] = []
  for (let at = 0; at < Math.max(four.length, six.length); at++) {
    addresses.push(...four.slice(at, at + 1), ...six.slice(at, at + 1))
  }
  // Addresses of one kind are enough to connect, even if the lookup of the other kind failed.
  if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason
  if (addresses.length > addressesMax) throw new RangeError(`more than ${addressesMax} addresses`)
  return addresses
}

function withTimeout(afterMs: number): { promise: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the name servers did not respond')), afterMs)
  return { promise, cancel: () => clearTimeout(timer) }
}
