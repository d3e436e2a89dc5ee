// Checks whether a webhook may have a URL, when it is saved, so that its owner learns of a fault early. It does not
// keep requests from going inward: outbound/connect.ts does, which checks again for each connection.
import { isIP } from 'node:net'
import { type AddressRules, hostnameOf } from '../../outbound/address-rules.ts'
import { isOutwardPort, portOf } from '../../outbound/allowed-port.ts'
import { isAllowedAddress, isPublicAddress } from '../../outbound/public-address.ts'
import type { Resolve } from '../../outbound/resolve-host.ts'

const urlCharactersMax = 2_048

/** Returns the texts of what is wrong with the URL: at most one. */
export async function checkEndpointUrl(raw: string, rules: AddressRules): Promise<string[]> {
  const fault = findFault(raw, rules.allowsHttp) ?? (await findAddressFault(new URL(raw), rules))
  return fault === undefined ? [] : [`The endpoint url ${fault}`]
}

function findFault(raw: string, allowsHttp: boolean): string | undefined {
  if (raw.length > urlCharactersMax) return `may not be greater than ${urlCharactersMax} characters.`
  const url = isPlain(raw) ? URL.parse(raw) : null
  if (url === null) return 'must be a valid URL.'
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:')) {
    return allowsHttp ? 'must use https or http.' : 'must use https.'
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(raw)?.[1]
  if (authority === undefined) return 'must be a valid URL.'
  if (authority.includes('@')) return 'must not contain a user name or password.'
  // A fragment is never sent, so a caller that gives one expects something else.
  if (raw.includes('#')) return 'must not contain a fragment.'
  return undefined
}

/** URLs are parsed leniently: blanks and line breaks vanish, and `\` becomes `/`. But we store the URL as given. */
function isPlain(raw: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  return raw.isWellFormed() && !/[\u0000-\u0020\u007f\\]/.test(raw)
}

async function findAddressFault(url: URL, rules: AddressRules): Promise<string | undefined> {
  const { allowed } = rules
  const addresses = await findAddresses(hostnameOf(url.hostname), rules.resolve)
  if (addresses?.length === 0) return 'host could not be found.'
  if (addresses?.some((address) => !isPublicAddress(address, allowed))) return 'must be a public address.'
  const isNamed = addresses?.every((address) => isAllowedAddress(address, allowed)) ?? false
  if (!isNamed && !isOutwardPort(portOf(url))) {
    return 'port must be 80, 443 or one from 1024 on that no other protocol is known by.'
  }
  return undefined
}

/** Returns undefined if the name servers do not respond: that may pass, and each connection looks up the host again. */
async function findAddresses(hostname: string, resolve: Resolve): Promise<readonly string[] | undefined> {
  if (isIP(hostname) !== 0) return [hostname]
  try {
    return await resolve(hostname)
  } catch {
    return undefined
  }
}
