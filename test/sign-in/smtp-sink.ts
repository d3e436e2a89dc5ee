// Runs an SMTP server for tests: accepts every email on a loopback port and stores it, decoded.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { endLater } from '../lifetime.ts'

export interface SmtpSink {
  readonly url: string
  readonly emails: readonly ReceivedEmail[]
  /** The highest number of simultaneous connections so far. */
  readonly connectionsMost: () => number
  /** The number of open connections. */
  readonly connections: () => number
}

interface ReceivedEmail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export async function openSmtpSink(): Promise<SmtpSink> {
  const emails: ReceivedEmail[] = []
  const sockets = new Set<Socket>()
  let most = 0
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    most = Math.max(most, sockets.size)
    converse(socket, (message) => emails.push(message))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endLater(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    connectionsMost: () => most,
    connections: () => sockets.size,
  }
}

function converse(socket: Socket, keep: (message: ReceivedEmail) => void): void {
  let rest = ''
  let isData = false
  let to = ''
  socket.setEncoding('latin1').on('error', () => {})
  socket.write('220 sink\r\n')
  socket.on('data', (piece: string) => {
    rest += piece
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n'
      const at = rest.indexOf(end)
      if (at === -1) return
      const line = rest.slice(0, at)
      rest = rest.slice(at + end.length)
      if (isData) keep(readEmail(`${line}\r\n`, to))
      else if (/^RCPT TO:/i.test(line)) to = /<([^>]*)>/.exec(line)?.[1] ?? ''
      const verb = line.slice(0, 4).toUpperCase()
      const answer = isData
        ? '250 kept'
        : verb === 'DATA'
          ? '354 go on'
          : verb === 'QUIT'
            ? '221 bye'
            : '250 ok'
      isData = !isData && verb === 'DATA'
      socket.write(`${answer}\r\n`)
      if (answer.startsWith('221')) socket.end()
    }
  })
}

function readEmail(message: string, to: string): ReceivedEmail {
  const [, head = '', body = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(message) ?? []
  const subject = /^Subject: (.*)$/im.exec(head)?.[1]?.trim() ?? ''
  const plain = /^Content-Transfer-Encoding: quoted-printable/im.test(head) ? unquote(body) : body
  return { to, subject, text: Buffer.from(plain, 'latin1').toString('utf8').replaceAll('\r\n', '\n') }
}

function unquote(body: string): string {
  return body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
