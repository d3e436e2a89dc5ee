// Parses JSON request bodies under /api/v1 strictly: rejects invalid UTF-8 instead of replacing the bad bytes, and
// rejects duplicate names in an object instead of letting the last one win.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { spoken } from '../../search/query/paging.ts'

type Fields = Readonly<Record<string, unknown>>

const decoder = new TextDecoder('utf-8', { fatal: true })

/** An empty body counts as no body: many clients send a Content-Type with every request. */
export function readJsonBodies(api: FastifyInstance): void {
  const parse = api.getDefaultJsonParser('error', 'error')
  api.removeContentTypeParser('application/json')
  api.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    refuseEncoded(request)
    const text = decode(bytes as Buffer)
    if (text === '') return done(null, undefined)
    parse(request, text, (error: Error | null, body: unknown) => {
      if (error !== null) return done(error)
      const twice = findRepeatedName(text)
      if (twice === undefined) return done(null, body)
      done(new Problem('invalid', { errors: { [twice]: [`The ${spoken(twice)} must be given once.`] } }))
    })
  })
}

/**
 * The fields of the body; none for an empty or missing body. Throws `invalid` for a body that is not an object, and
 * then also reports the `required` field as missing.
 */
export function fieldsOf({ body = {} }: FastifyRequest, required?: string): Fields {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Fields
  const errors: Record<string, string[]> = { body: ['The body must be a JSON object.'] }
  if (required !== undefined) errors[required] = [`The ${spoken(required)} field is required.`]
  throw new Problem('invalid', { errors })
}

function refuseEncoded({ headers }: FastifyRequest): void {
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
