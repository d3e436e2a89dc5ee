// Decides which IP addresses are public: unicast ones, and none that reaches this machine or its network, in whatever
// notation or embedding. Knows no hostnames and no URLs.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The only range of IPv6 that is assigned for public use (RFC 4291). */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** In a public range, but served by the host of this virtual machine: Azure's platform services. */
const platformAddresses: readonly string[] = ['168.63.129.16']

/**
 * Whether we may connect to the address: it is public, or in `allowed` (addresses and CIDR ranges of the operator). The
 * machine's own addresses do not count as public, even if they are: a connection from here to them passes no firewall.
 */
export function isPublicAddress(
  address: string,
  allowed: readonly string[],
  own: readonly string[] = ownAddresses(),
): boolean {
  const parsed = parseAddress(address)
  if (parsed === undefined) return false
  if (isWithin(parsed, allowed)) return true
  if (isWithin(parsed, platformAddresses) || isWithin(parsed, own)) return false
  return parsed.kind() === 'ipv4' ? parsed.range() === 'unicast' : isGlobalUnicast(parsed as ipaddr.IPv6)
}

/** Whether the operator has allowed the address, by itself or as part of a range. */
export function isAllowedAddress(address: string, allowed: readonly string[]): boolean {
  const parsed = parseAddress(address)
  return parsed !== undefined && isWithin(parsed, allowed)
}

export function isSameAddress(one: string, other: string | undefined): boolean {
  const parsed = parseAddress(one)
  return parsed !== undefined && other !== undefined && isWithin(parsed, [other])
}

/**
 * Accepts standard notation only: what a lenient parser makes of `0177.1` may differ from what the system does. Refuses
 * an address with a zone (`%eth0`), which is in the network of this machine.
 */
function parseAddress(address: string): Address | undefined {
  return isIP(address) === 0 || address.includes('%') ? undefined : ipaddr.parse(address)
}

function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(globalUnicast) && address.range() === 'unicast' && !isIsatap(address)
}

/** In an ISATAP address the last 32 bits are an IPv4 address, reached through a tunnel of this machine (RFC 5214). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200)
}

function isWithin(address: Address, ranges: readonly string[]): boolean {
  const plain = unmapped(address)
  return ranges.some((range) => {
    const [network, bits] = parseRange(range)
    if (network.kind() === address.kind()) return address.match(network, bits)
    return network.kind() === plain.kind() && plain.match(network, bits)
  })
}

function parseRange(range: string): [Address, number] {
  if (range.includes('/')) return ipaddr.parseCIDR(range)
  const address = unmapped(ipaddr.parse(range))
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function unmapped(address: Address): Address {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return isMapped ? address.toIPv4Address() : address
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((found) => found?.map(({ address }) => address) ?? [])
}
