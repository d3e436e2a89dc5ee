// Decides which ports may be connected to. A server of another protocol could read an HTTP request line by line as
// commands of its own protocol. Browsers block the same ports.

const lowPorts: readonly number[] = [80, 443]
const highPortMin = 1024

/**
 * The blocked ports from 1024 on, from the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking): H.323, PPTP,
 * NFS, SIP, X11, IRC and others.
 */
const takenPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

export function isOutwardPort(port: number): boolean {
  return lowPorts.includes(port) || (port >= highPortMin && !takenPorts.has(port))
}

/** Returns the port of a URL, which is the default of its scheme if the URL names none. */
export function portOf({ protocol, port }: { protocol: string; port: string }): number {
  return port === '' ? ({ 'http:': 80 }[protocol] ?? 443) : Number(port)
}
