// Sends HTML pages: looks up the visitor's session, sets a content security policy that allows nothing from other
// origins, and compresses the page where the browser accepts that.
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assets, Site } from '../../../web/pages/layout/site.ts'
import { addressSubject } from '../../access/plans/attempt-limits.ts'
import type { Sessions, SignedIn } from '../../access/sign-in/sessions.ts'
import { compressMinBytes } from '../responses/compress.ts'
import { chooseEncoding } from '../responses/encoding.ts'
import { visitorHeaders } from './visitor.ts'

export interface PageParts {
  readonly assets: Assets
  readonly sessions: Sessions
  readonly baseUrl: string
  /** Whether anyone may create an account. */
  readonly isOpen: boolean
}

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // Never cached: the pages show current figures and times, and who is signed in.
  'cache-control': 'no-store',
  vary: 'accept-encoding',
  'content-type': 'text/html; charset=utf-8',
} as const

const gzip = promisify(zlib.gzip)
const visitors = new WeakMap<FastifyRequest, Promise<SignedIn | undefined>>()

/** The signed-in visitor. Looked up once per request, and not at all without a session cookie. */
export function findVisitor(
  request: FastifyRequest,
  { sessions, baseUrl }: PageParts,
): Promise<SignedIn | undefined> {
  return visitors.getOrInsertComputed(request, () => sessions.find(visitorHeaders(request, baseUrl)))
}

/** Under which name slow work for the visitor waits: that of the address. */
export function callerOf({ ip }: FastifyRequest): string {
  return `address ${addressSubject(ip)}`
}

/** Renders the page for the visitor and sends it. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
  render: (site: Site, signedIn: SignedIn | undefined) => string | Promise<string>,
  visitor = findVisitor(request, parts),
): Promise<FastifyReply> {
  const signedIn = await visitor
  const { assets, isOpen } = parts
  const text = await render({ assets, isOpen, visitor: signedIn }, signedIn)
  reply.headers(pageHeaders)
  if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'same-origin')
  const isPlain =
    text.length < compressMinBytes || chooseEncoding(request.headers['accept-encoding']) === 'identity'
  if (isPlain) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await gzip(text))
}
