// Reads JSON request bodies strictly: rejects invalid UTF-8 instead of replacing the bad bytes, and rejects duplicate
// names in an object instead of letting the last one win.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import sjson from 'secure-json-parse'
import { Problem } from '../../errors.ts'
import { spoken } from '../../search/query/parameters.ts'
import { limits } from '../connection/limits.ts'
import { hasBody } from '../connection/request.ts'

type Fields = Readonly<Record<string, unknown>>

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads and parses the body of a request; undefined where it has none. Libraries send an empty body as a form, or without
 * a type: only one that is not empty must be JSON.
 */
export function readJsonBody(request: IncomingMessage): Promise<unknown> | undefined {
  const { headers } = request
  if (!hasBody(request) || headers['content-length'] === '0') return undefined
  const isJson = /^application\/json\s*(?:;|$)/i.test(headers['content-type']?.trim() ?? '')
  // With a length, it is refused before it is read.
  if (!isJson && headers['content-length'] !== undefined) throw new Problem('unsupported_media_type')
  return readBytes(request).then((bytes) => {
    if (!isJson && bytes.length > 0) throw new Problem('unsupported_media_type')
    return parseJsonBody(headers, bytes)
  })
}

/** The same for the routes of a Fastify scope. */
export function readJsonBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, bytes: Buffer) => parseJsonBody(headers, bytes),
  )
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (!hasBody(request)) return Buffer.alloc(0)
  if (Number(request.headers['content-length']) > limits.bodyBytes) throw new Problem('body_too_large')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > limits.bodyBytes) throw new Problem('body_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** An empty body counts as no body: many clients send a Content-Type with every request. */
function parseJsonBody(headers: IncomingHttpHeaders, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  refuseEncoded(headers)
  const text = decode(bytes)
  const body = parse(text)
  const twice = findRepeatedName(text)
  if (twice === undefined) return body
  throw new Problem('invalid', { errors: { [twice]: [`The ${spoken(twice)} must be given once.`] } })
}

/**
 * The fields of the body; none for an empty or missing body. Throws `invalid` for a body that is not an object, and
 * then also reports the `required` field as missing.
 */
export function fieldsOf({ body = {} }: { readonly body?: unknown }, required?: string): Fields {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Fields
  const errors: Record<string, string[]> = { body: ['The body must be a JSON object.'] }
  if (required !== undefined) errors[required] = [`The ${spoken(required)} field is required.`]
  throw new Problem('invalid', { errors })
}

function refuseEncoded(headers: IncomingHttpHeaders): void {
  const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '') ?? []
  const isPlain = ['', 'identity'].includes(headers['content-encoding'] ?? '')
  if (!isPlain || charset.toLowerCase() !== 'utf-8') throw new Problem('unsupported_media_type')
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('bad_request')
  }
}

/** Refuses names that would change the prototype of an object. */
function parse(text: string): unknown {
  try {
    return sjson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw new Problem('bad_request')
  }
}

/** The tokens needed to find duplicate names in text that is known to be valid JSON: strings and punctuation. */
const pieces = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** The first name that occurs twice in one object. */
export function findRepeatedName(json: string): string | undefined {
  /** The stack of enclosing containers: the names seen so far for an object, undefined for an array. */
  const around: (Set<string> | undefined)[] = []
  let last = ''
  for (const [piece] of json.matchAll(pieces)) {
    if (piece === '{') around.push(new Set())
    else if (piece === '[') around.push(undefined)
    else if (piece === '}' || piece === ']') around.pop()
    else if (piece === ':') {
      // Decoded, because escapes allow several spellings of one name.
      const name = JSON.parse(last) as string
      const names = around.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
    last = piece
  }
  return undefined
}
