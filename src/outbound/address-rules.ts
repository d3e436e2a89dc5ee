// The rules for connections that leave this machine: which addresses are allowed, and whether plain http is.
import type { Config } from '../config.ts'
import type { Resolve } from './resolve-host.ts'

export interface AddressRules {
  /** Addresses and CIDR ranges that may be sent to although they are not public. */
  allowed: readonly string[]
  allowsHttp: boolean
  resolve: Resolve
}

export function addressRules(
  { webhookAllowCidr, webhookAllowHttp }: Pick<Config, 'webhookAllowCidr' | 'webhookAllowHttp'>,
  resolve: Resolve,
): AddressRules {
  return { allowed: webhookAllowCidr, allowsHttp: webhookAllowHttp, resolve }
}

/** Returns an IPv6 address without its brackets, and a name without its trailing dot. */
export function hostnameOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
}
