// Runs a DNS server for tests on a loopback port: the test decides the response to each query.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'

/**
 * IPv4 and IPv6 addresses, with at most one `cname:` before them; or `absent` (no such name), `error` (a server
 * failure), `silent` (no response).
 */
export type DnsAnswer = readonly string[] | 'absent' | 'error' | 'silent'

export interface DnsServer {
  /** The address to give to a resolver: `127.0.0.1:40001`. */
  readonly address: string
  /** The queried names, one entry for each A or AAAA query. */
  readonly questions: readonly string[]
}

const types: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' }
const cnameType = 5
const ttlSeconds = 300

/** `answer` is called for each query: for A as well as for AAAA. */
export async function openDnsServer(
  answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer,
): Promise<DnsServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const question = readQuestion(message)
    const type = types[question.type]
    if (type === undefined) return
    questions.push(question.name)
    const told = answer(question.name, type)
    if (told !== 'silent') socket.send(writeAnswer(message, question, told), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return { address: `127.0.0.1:${socket.address().port}`, questions }
}

interface Question {
  name: string
  type: number
  end: number
}

function readQuestion(message: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function writeAnswer(message: Buffer, question: Question, told: Exclude<DnsAnswer, 'silent'>): Buffer {
  const records = typeof told === 'string' ? [] : writeRecords(question, told)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(message.readUInt16BE(0), 0)
  head.writeUInt16BE(0x8180 | ({ absent: 3, error: 2 }[told as string] ?? 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, message.subarray(12, question.end), ...records])
}

function writeRecords(question: Question, told: readonly string[]): Buffer[] {
  const cname = told.find((one) => one.startsWith('cname:'))?.slice('cname:'.length)
  const owner = cname === undefined ? question.name : cname
  const addresses = told.filter((one) => !one.startsWith('cname:') && isIPv4(one) === (question.type === 1))
  return [
    ...(cname === undefined ? [] : [writeRecord(question.name, cnameType, writeName(cname))]),
    ...addresses.map((one) =>
      writeRecord(owner, question.type, Buffer.from(ipaddr.parse(one).toByteArray())),
    ),
  ]
}

function writeRecord(owner: string, type: number, data: Buffer): Buffer {
  const rest = Buffer.alloc(10)
  rest.writeUInt16BE(type, 0)
  rest.writeUInt16BE(1, 2)
  rest.writeUInt32BE(ttlSeconds, 4)
  rest.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(owner), rest, data])
}

function writeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'))
  return Buffer.concat([...labels, Buffer.alloc(1)])
}
