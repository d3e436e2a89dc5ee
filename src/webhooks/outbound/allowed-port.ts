// Decides which ports a webhook may be sent to. A server of another protocol could read an HTTP request line by line as
// commands of its own protocol. Browsers block the same ports.

const lowPorts: readonly number[] = [80, 443]
const highPortMin = 1024

/** The blocked ports from 1024 on, from the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking). */
const takenPorts: ReadonlyMap<number, string> = new Map([
  [1719, 'H.323 gatekeepers'],
  [1720, 'H.323 calls'],
  [1723, 'PPTP tunnels'],
  [2049, 'NFS'],
  [3659, 'Apple SASL'],
  [4045, 'NFS locks'],
  [4190, 'ManageSieve, mail filters'],
  [5060, 'SIP'],
  [5061, 'SIP over TLS'],
  [6000, 'X11'],
  [6566, 'SANE scanners'],
  [6665, 'IRC'],
  [6666, 'IRC'],
  [6667, 'IRC'],
  [6668, 'IRC'],
  [6669, 'IRC'],
  [6679, 'IRC over TLS'],
  [6697, 'IRC over TLS'],
  [10080, 'Amanda backups'],
])

export function isOutwardPort(port: number): boolean {
  return lowPorts.includes(port) || (port >= highPortMin && !takenPorts.has(port))
}

/** Returns the port of a URL, which is the default of its scheme if the URL names none. */
export function portOf({ protocol, port }: { protocol: string; port: string }): number {
  return port === '' ? ({ 'http:': 80 }[protocol] ?? 443) : Number(port)
}
