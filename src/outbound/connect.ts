// Opens every connection to an address that somebody gave, of a webhook or a feed: looks up the addresses of the host,
// refuses it if any of them is not public, and connects to exactly an address that was checked. There is no second lookup
// that could return another address, and no other path to the network.
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { buildConnector } from 'undici'
import { type AddressRules, hostnameOf } from './address-rules.ts'
import { isOutwardPort, portOf } from './allowed-port.ts'
import { OutwardError, toOutwardError } from './connect-error.ts'
import { isAllowedAddress, isPublicAddress, isSameAddress } from './public-address.ts'

const addressesTriedMax = 4
const keepAliveProbeMs = 60_000

interface Target {
  readonly hostname: string
  readonly port: number
  readonly isSecure: boolean
}

/** `signal` ends connections that are still being opened. */
export function outwardConnector(
  rules: AddressRules,
  connectMaxMs: number,
  signal: AbortSignal,
): buildConnector.connector {
  return (options, callback) => {
    const target = {
      hostname: hostnameOf(options.hostname),
      port: portOf(options),
      isSecure: options.protocol === 'https:',
    }
    connectOutward(target, rules, connectMaxMs, signal).then(
      (socket) => callback(null, socket),
      (error) => callback(toOutwardError(error), null),
    )
  }
}

async function connectOutward(
  target: Target,
  rules: AddressRules,
  connectMaxMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const endsAt = performance.now() + connectMaxMs
  if (!target.isSecure && !rules.allowsHttp) throw new OutwardError('Plain http is not allowed.')
  const addresses = await getAddresses(target, rules)
  let first: unknown
  for (const [at, address] of addresses.entries()) {
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0 || signal.aborted) break
    try {
      return await dial(target, address, leftMs / (addresses.length - at), signal)
    } catch (error) {
      first ??= error
    }
  }
  throw first ?? new OutwardError('The connection timed out.')
}

async function getAddresses(target: Target, { allowed, resolve }: AddressRules): Promise<readonly string[]> {
  const addresses = isIP(target.hostname) === 0 ? await resolve(target.hostname) : [target.hostname]
  if (addresses.length === 0) throw new OutwardError('The host could not be found.')
  const inward = addresses.find((address) => !isPublicAddress(address, allowed))
  if (inward !== undefined) throw new OutwardError(`The address ${inward} is not public.`)
  const isNamed = addresses.every((address) => isAllowedAddress(address, allowed))
  if (!isNamed && !isOutwardPort(target.port))
    throw new OutwardError(`The port ${target.port} is not allowed.`)
  return addresses.slice(0, addressesTriedMax)
}

function dial(target: Target, address: string, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = target.isSecure ? openSecure(target, address) : connectPlain(target.port, address)
  const stop = () => socket.destroy(new OutwardError('The connection timed out.'))
  const timer = setTimeout(stop, timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  socket.setNoDelay(true).setKeepAlive(true, keepAliveProbeMs)
  socket.once(target.isSecure ? 'secureConnect' : 'connect', () => {
    if (isSameAddress(address, socket.remoteAddress)) resolve(socket)
    else socket.destroy(new OutwardError('The connection went to another address.'))
  })
  // The listener stays: otherwise an error between the connection and the request would end the process.
  socket.on('error', reject)
  socket.once('close', () => reject(new OutwardError('Connection closed.')))
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
}

/**
 * The certificate must be valid for the hostname, or for the address if the URL has no hostname. TLS sessions are not
 * resumed: the name is not checked again in a resumed session, even if the first one was refused for its name.
 */
function openSecure({ hostname, port }: Target, address: string): Socket {
  return connectSecure({
    host: address,
    port,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
}
