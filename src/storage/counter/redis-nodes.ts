// Connects to the Redis servers that count: one server, the one that the Sentinels name, or the masters of a cluster. A
// connection is to certain server processes: whenever one of them is restarted, replaced or moved, the connection is
// lost, and the next one has another id. That is why the client's own reconnecting and redirecting are not used.
import { hash } from 'node:crypto'
import { defineScript, RedisClient } from 'redis'
import { keySlot } from './key-slot.ts'
import type { RedisAddress, RedisTarget } from './redis-url.ts'

export interface RedisConnection {
  /** Identifies the running server processes, and which keys each of them has. */
  readonly id: string
  /** Runs the script on the key. */
  run(key: string, args: readonly string[]): Promise<number[]>
  /** Rejects if a server does not accept writes any more. */
  check(): Promise<void>
  /** What a server tells about itself; the first of them in a cluster. */
  info(): Promise<string>
  close(): void
}

interface Opening {
  readonly target: RedisTarget
  readonly script: string
  /** Arguments with which the script writes to a key, but counts nothing; undefined if nothing must be written. */
  readonly probe: readonly string[] | undefined
  /** Called when a connection breaks. */
  readonly onLost: (error: unknown) => void
}

/** A master and the slots that it has. */
interface Node {
  readonly client: Client
  readonly ranges: readonly Range[]
}

interface Range {
  readonly first: number
  readonly last: number
}

const connectMaxMs = 1_000
/** For all connections together. */
const openMaxMs = 2_000
const everySlot: Range = { first: 0, last: 16_383 }

/** Rejects if a server cannot be reached, or does not accept writes: it may be loading, read-only or full. */
export async function connectRedis(opening: Opening): Promise<RedisConnection> {
  const clients: Client[] = []
  const close = () => {
    for (const client of clients) destroy(client)
  }
  const silence = setTimeout(close, openMaxMs)
  try {
    const { target } = opening
    const connect = async (address: RedisAddress, isSentinel = false) => {
      const client = makeClient(target, address, opening.script, isSentinel)
      clients.push(client)
      client.on('error', opening.onLost)
      await client.connect()
      return client
    }
    const nodes = await openNodes(target, connect)
    const ids = await Promise.all(nodes.map((node) => identify(node, opening)))
    const nodeOf = (slot: number) =>
      nodes.find(({ ranges }) => ranges.some(({ first, last }) => first <= slot && slot <= last))
    return {
      id: hash('sha1', ids.sort().join(' ')).slice(0, 16),
      run(key, args) {
        const node = nodes.length === 1 ? nodes[0] : nodeOf(keySlot(key))
        if (node === undefined) return Promise.reject(new Error('no node of the Redis Cluster has this key'))
        return node.client.run(key, args)
      },
      check: async () => void (await Promise.all(nodes.map((node) => probeNode(node, opening)))),
      info: async () => (await nodes[0]?.client.info()) ?? '',
      close,
    }
  } catch (error) {
    close()
    throw error
  } finally {
    clearTimeout(silence)
  }
}

type Connect = (address: RedisAddress, isSentinel?: boolean) => Promise<Client>

async function openNodes({ kind, addresses, group }: RedisTarget, connect: Connect): Promise<Node[]> {
  if (kind === 'cluster') return openCluster(addresses, connect)
  const [given] = addresses
  const address = kind === 'sentinel' ? await askSentinels(addresses, group, connect) : given
  if (address === undefined) throw new Error('REDIS_URL has no address')
  return [{ client: await connect(address), ranges: [everySlot] }]
}

/** The address of the master, from the first Sentinel that knows it. */
async function askSentinels(
  addresses: readonly RedisAddress[],
  group: string,
  connect: Connect,
): Promise<RedisAddress> {
  return firstAnswer(addresses, async (sentinel) => {
    const client = await connect(sentinel, true)
    const answer = await client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', group])
    destroy(client)
    const [host, port] = (answer ?? []) as unknown as string[]
    if (host === undefined) throw new Error(`the Sentinels do not know the group ${group}`)
    return { host, port: Number(port) }
  })
}

async function openCluster(addresses: readonly RedisAddress[], connect: Connect): Promise<Node[]> {
  const shards = await firstAnswer(addresses, async (seed) => {
    const client = await connect(seed)
    const answer = await client.sendCommand(['CLUSTER', 'SLOTS'])
    destroy(client)
    return (answer as unknown as [number, number, [string, number]][]).map(([first, last, [host, port]]) => ({
      // An empty host stands for the one that was asked.
      address: { host: host || seed.host, port },
      range: { first, last },
    }))
  })
  const masters = Map.groupBy(shards, ({ address: { host, port } }) => `${host} ${port}`)
  return Promise.all(
    masters.values().map(async ([first, ...others]) => {
      if (first === undefined) throw new Error('the Redis Cluster has no nodes')
      return { client: await connect(first.address), ranges: [first, ...others].map(({ range }) => range) }
    }),
  )
}

async function firstAnswer<T>(
  addresses: readonly RedisAddress[],
  ask: (address: RedisAddress) => Promise<T>,
): Promise<T> {
  const errors: unknown[] = []
  for (const address of addresses) {
    try {
      return await ask(address)
    } catch (error) {
      errors.push(error)
    }
  }
  throw errors[0] ?? new Error('REDIS_URL has no address')
}

/** Proves with the probe that the server accepts writes, and returns the id of its process with the slots it has. */
async function identify(node: Node, opening: Opening): Promise<string> {
  const { client, ranges } = node
  await probeNode(node, opening)
  const info = await client.info('server')
  const runId = /^run_id:(\w+)/m.exec(info)?.[1]
  if (runId === undefined) throw new Error('the server does not tell its run_id')
  return `${runId} ${ranges.map(({ first, last }) => `${first}-${last}`).sort()}`
}

async function probeNode({ client, ranges }: Node, { probe }: Opening): Promise<void> {
  if (probe !== undefined) await client.run(probeKeyFor(ranges), probe)
}

function probeKeyFor(ranges: readonly Range[]): string {
  for (let number = 0; ; number++) {
    const key = `watchdata:probe:${number}`
    const slot = keySlot(key)
    if (ranges.some(({ first, last }) => first <= slot && slot <= last)) return key
  }
}

type Factory = ReturnType<typeof makeFactory>
type Client = ReturnType<Factory>

/** Kept, because the library takes 30 ms to build one, and would build it again for every other host or port. */
const factories = new Map<string, Factory>()

function makeFactory(source: string) {
  const run = defineScript({
    SCRIPT: source,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, args: readonly string[]) {
      parser.pushKey(key)
      parser.push(...args)
    },
    transformReply: (reply: unknown) => reply as number[],
  })
  return RedisClient.factory({ scripts: { run } })
}

function makeClient(
  target: RedisTarget,
  { host, port }: RedisAddress,
  script: string,
  isSentinel: boolean,
): Client {
  const { isTls, username, password, database } = target
  const credentials = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(database > 0 && { database }),
  }
  return factories.getOrInsertComputed(
    script,
    makeFactory,
  )({
    ...(isSentinel ? {} : credentials),
    // By default the client would queue commands for a Redis that may never come back.
    disableOfflineQueue: true,
    // The link has a limit of its own. The client's would keep a timer for each command, for seconds after its reply.
    commandOptions: { timeout: 0 },
    socket: {
      host,
      port,
      ...(isTls ? { tls: true as const, servername: host } : {}),
      connectTimeout: connectMaxMs,
      reconnectStrategy: false,
    },
  })
}

function destroy(client: Client): void {
  if (client.isOpen) client.destroy()
}
