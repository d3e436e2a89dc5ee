// Parses REDIS_URL: one server (redis://), a group watched by Sentinels (redis+sentinel://) or a Redis Cluster
// (redis+cluster://), the latter two with several addresses. With rediss instead of redis, connections use TLS.

export interface RedisAddress {
  readonly host: string
  readonly port: number
}

export interface RedisTarget {
  readonly kind: 'server' | 'sentinel' | 'cluster'
  /** The servers, the Sentinels, or some nodes of the cluster. */
  readonly addresses: readonly RedisAddress[]
  /** The name of the group that the Sentinels watch. */
  readonly group: string
  readonly isTls: boolean
  /** Of the servers that count. Sentinels are asked without a password, unless their addresses say otherwise. */
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
}

const shape =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^@/]*)@)?(?<hosts>[^/?#]+)(?<path>\/[^?#]*)?(?:\?[^#]*)?$/
const portsByKind = { server: 6379, sentinel: 26_379, cluster: 6379 }

/** Throws a RangeError that completes a sentence about the setting. The value may contain a password: it is not repeated. */
export function parseRedisUrl(raw: string): RedisTarget {
  const { scheme, kind: named, user = '', hosts = '', path = '' } = shape.exec(raw)?.groups ?? {}
  if (scheme === undefined) throw new RangeError(`must be like redis://host:6379, ${formsText}`)
  const kind = (named ?? 'server') as RedisTarget['kind']
  const addresses = hosts.split(',').map((host) => parseAddress(host, portsByKind[kind]))
  if (kind === 'server' && addresses.length > 1) throw new RangeError(`has several hosts: use ${formsText}`)
  const parts = path.split('/').slice(1).map(decode)
  const group = kind === 'sentinel' ? (parts.shift() ?? '') : ''
  if (kind === 'sentinel' && group === '') {
    throw new RangeError(
      'needs the name of the group that the Sentinels watch: redis+sentinel://host:26379/mymaster',
    )
  }
  const [database = '', ...rest] = parts
  if (!/^\d{0,4}$/.test(database) || rest.length > 0)
    throw new RangeError('must end in the number of a database')
  if (kind === 'cluster' && Number(database) > 0)
    throw new RangeError('must not name a database: a cluster has one')
  const [username, password] = parseUser(user)
  return {
    kind,
    addresses,
    group,
    isTls: scheme === 'rediss',
    username,
    password,
    database: Number(database),
  }
}

const formsText = 'redis+sentinel://host:26379,host:26379/mymaster or redis+cluster://host:6379,host:6379'

function parseAddress(text: string, portUsual: number): RedisAddress {
  const { v6, name, port } =
    /^(?:\[(?<v6>[\da-f:.]+)\]|(?<name>[^:[\]]+))(?::(?<port>\d{1,5}))?$/i.exec(text)?.groups ?? {}
  const host = v6 ?? name
  if (host === undefined) throw new RangeError('has a malformed address')
  return { host: decode(host), port: port === undefined ? portUsual : Number(port) }
}

/** `user`, `:password` or `user:password`. */
function parseUser(text: string): [username: string | undefined, password: string | undefined] {
  if (text === '') return [undefined, undefined]
  const at = text.indexOf(':')
  const [username, password] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  return [username === '' ? undefined : decode(username), password === '' ? undefined : decode(password)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RangeError('has a broken percent-encoding')
  }
}
