// Reads how much of what Node has sent the operating system still keeps, because the client has not received it. Node does
// not know: once the system has taken a response, the connection seems idle. Only Linux tells; elsewhere nothing is known.
import { createReadStream } from 'node:fs'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One line for each TCP connection of the machine, or of its container. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const wordBytes = 4

interface Client {
  /** As the tables have it. */
  readonly address: string
  readonly bytes: number
}

export class SendQueues {
  /** Whether the operating system tells. */
  readonly isKnown: boolean
  /** By the port of the client. */
  readonly #clients: ReadonlyMap<number, readonly Client[]>

  constructor(isKnown: boolean, clients: ReadonlyMap<number, readonly Client[]>) {
    this.isKnown = isKnown
    this.#clients = clients
  }

  /** The bytes that the client of the connection has not received. */
  of({ remoteAddress, remotePort = 0 }: Socket): number {
    const clients = this.#clients.get(remotePort)
    if (clients === undefined || remoteAddress === undefined) return 0
    const address = wordsOf(remoteAddress)
    return clients.find((client) => client.address === address)?.bytes ?? 0
  }
}

/** The queues of the connections to this port. */
export async function readSendQueues(port: number): Promise<SendQueues> {
  const clients = new Map<number, Client[]>()
  let isKnown = false
  for (const table of tables) {
    try {
      await readTable(table, port, clients)
      isKnown = true
    } catch {
      // Not Linux, or without IPv6.
    }
  }
  return new SendQueues(isKnown, clients)
}

/** Read in pieces, because the table may have a megabyte. */
async function readTable(table: string, port: number, clients: Map<number, Client[]>): Promise<void> {
  const local = hex(port, 4)
  const line = new RegExp(`: [0-9A-F]+:${local} ([0-9A-F]+):([0-9A-F]{4}) .. (?!0{8})([0-9A-F]{8}):`, 'g')
  let rest = ''
  for await (const piece of createReadStream(table, 'latin1')) {
    const text = rest + piece
    const end = text.lastIndexOf('\n') + 1
    for (const [, address = '', clientPort = '', bytes = ''] of text.slice(0, end).matchAll(line)) {
      const key = Number.parseInt(clientPort, 16)
      const client = { address, bytes: Number.parseInt(bytes, 16) }
      const others = clients.get(key)
      if (others === undefined) clients.set(key, [client])
      else others.push(client)
    }
    rest = text.slice(end)
  }
}

/** The tables have addresses as words in the byte order of the machine, which is little-endian nearly everywhere. */
function wordsOf(address: string): string {
  // Without the zone of a link-local address.
  const [plain = ''] = address.split('%', 1)
  const bytes = ipaddr.parse(plain).toByteArray()
  let words = ''
  for (let at = 0; at < bytes.length; at += wordBytes) {
    for (const byte of bytes.slice(at, at + wordBytes).reverse()) words += hex(byte, 2)
  }
  return words
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}
