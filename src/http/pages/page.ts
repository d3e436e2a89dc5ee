// Sends HTML pages: looks up the visitor's session, sets a content security policy that allows nothing from other
// origins, and compresses the page where the browser accepts that.
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assets, Site } from '../../../web/pages/layout/site.ts'
import { addressSubject } from '../../access/plans/attempt-limits.ts'
import type { Sessions, SignedIn } from '../../access/sign-in/sessions.ts'
import type { Config } from '../../config.ts'
import { compressMinBytes } from '../responses/compress.ts'
import { chooseEncoding } from '../responses/encoding.ts'
import { type StaticBody, sendStatic } from '../responses/static-body.ts'
import { visitorHeaders } from './visitor.ts'

export interface PageParts {
  readonly assets: Assets
  readonly sessions: Sessions
  readonly baseUrl: string
  /** Whether anyone may create an account. */
  readonly isOpen: boolean
  readonly explorer: Config['explorer']
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
  const text = await render(siteFor(parts, signedIn), signedIn)
  setPageHeaders(reply)
  const isPlain =
    text.length < compressMinBytes || chooseEncoding(request.headers['accept-encoding']) === 'identity'
  if (isPlain) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await gzip(text))
}

/**
 * Sends a page without live content: to visitors who are not signed in, from memory that all responses share. `share`
 * returns what was made of `render` for the first of them.
 */
export async function sendStaticPage(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
  render: (site: Site) => string,
  share: (make: () => string) => StaticBody,
): Promise<FastifyReply> {
  const visitor = findVisitor(request, parts)
  if ((await visitor) !== undefined) return sendPage(request, reply, parts, render, visitor)
  setPageHeaders(reply)
  return sendStatic(
    request,
    reply,
    share(() => render(siteFor(parts, undefined))),
  )
}

function siteFor({ assets, isOpen, explorer }: PageParts, visitor: SignedIn | undefined): Site {
  return { assets, isOpen, hasExplorer: explorer !== 'off', visitor }
}

function setPageHeaders(reply: FastifyReply): void {
  reply.headers(pageHeaders)
  if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'same-origin')
}
