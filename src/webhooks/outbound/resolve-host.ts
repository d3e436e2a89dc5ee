// In charge of the addresses of a name. It asks the name servers itself: the system's own look-up keeps a thread for
// as long as it takes, and a few slow names would hold the files and passwords that wait for the same threads.
import { Resolver } from 'node:dns/promises'

/** None where there is no such host; rejects where that could not be found out. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const queryMaxMs = 1_500
const triesMax = 2
const lookupMaxMs = 5_000
const addressesMax = 32

/** What name servers say of a name that is not there, or has no address of this kind, or cannot be one. */
const absent = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** A name that stands for this machine, whatever a name server says (RFC 6761). */
const loopback: readonly string[] = ['127.0.0.1', '::1']

/** Asks the system's name servers, or those that are named (`127.0.0.1:5353`). */
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

/** In turns of both kinds, so that a machine that lacks one of them gets to the other soon. */
function collect(answers: readonly PromiseSettledResult<string[]>[]): string[] {
  const failed = answers.find((answer) => answer.status === 'rejected' && !absent.has(answer.reason?.code))
  const [four = [], six = []] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const addresses: string[] = []
  for (let at = 0; at < Math.max(four.length, six.length); at++) {
    addresses.push(...four.slice(at, at + 1), ...six.slice(at, at + 1))
  }
  // One kind of address is enough to connect to, even if the server keeps silent about the other.
  if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason
  if (addresses.length > addressesMax) throw new RangeError(`more than ${addressesMax} addresses`)
  return addresses
}

function withTimeout(afterMs: number): { promise: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer of the name servers')), afterMs)
  return { promise, cancel: () => clearTimeout(timer) }
}
