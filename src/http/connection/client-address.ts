// The address of the client, by which limits count those who have no account: that of the connection, or the one that a
// trusted proxy tells (TRUST_PROXY).
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { addressSubject } from '../../access/plans/attempt-limits.ts'
import type { Config } from '../../config.ts'

export interface ClientAddresses {
  /** The subject under which the client of the request is counted: its address, or its network for IPv6. */
  subjectOf(request: IncomingMessage): string
  /** Whether connections from the address carry the requests of many clients. */
  isProxy(address: string): boolean
}

export function clientAddresses({ trustProxy = [] }: Pick<Config, 'trustProxy'>): ClientAddresses {
  const trusts = trustProxy.length === 0 ? () => false : proxyAddress.compile([...trustProxy])
  return {
    subjectOf: (request) => {
      const { remoteAddress } = request.socket
      // The connection is closed already.
      if (remoteAddress === undefined) return ''
      return addressSubject(trusts(remoteAddress, 0) ? proxyAddress(request, trusts) : remoteAddress)
    },
    isProxy: (address) => trusts(address, 0),
  }
}
