// Creates self-signed certificates for tests, for a host name or an IP address. Written here because Node can read but
// not write certificates, and a bare machine may have no other program for it.
import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

const oids = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  subjectAltName: [0x55, 0x1d, 0x11],
} as const

/** With years of two digits, as X.509 UTCTime has them. */
const validFrom = '200101000000Z'
const validUntil = '490101000000Z'

export function makeCertificate(name: string, until = validUntil): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(objectId(oids.ecdsaWithSha256))
  const subject = sequence(tagged(0x31, sequence(objectId(oids.commonName), tagged(0x0c, Buffer.from(name)))))
  const altName =
    isIP(name) === 0
      ? tagged(0x82, Buffer.from(name))
      : tagged(0x87, Buffer.from(ipaddr.parse(name).toByteArray()))
  const extension = sequence(objectId(oids.subjectAltName), tagged(0x04, sequence(altName)))
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    algorithm,
    subject,
    sequence(tagged(0x17, Buffer.from(validFrom)), tagged(0x17, Buffer.from(until))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(extension)),
  )
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const base64 = sequence(content, algorithm, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

function objectId(bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes))
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
