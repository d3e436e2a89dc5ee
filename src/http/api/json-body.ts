// In charge of bodies of JSON under /api/v1: read strictly, so that nothing is taken for something else. Bytes that are no
// UTF-8 are refused instead of being mended, and a name that stands twice instead of the last one winning.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'

type Fields = Readonly<Record<string, unknown>>

const decoder = new TextDecoder('utf-8', { fatal: true })

/** An empty body is as none: many clients name a type with every request. */
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

/** What the body says; an empty one, or none, says nothing. `required` is the field that it should have had. */
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

/** Of a text that is known to be JSON: its strings and what divides them are all that has to be looked at. */
const pieces = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** A name that one object has twice. */
export function findRepeatedName(json: string): string | undefined {
  /** For each object around the place the names it has so far; for a list, nothing. */
  const around: (Set<string> | undefined)[] = []
  let last = ''
  for (const [piece] of json.matchAll(pieces)) {
    if (piece === '{') around.push(new Set())
    else if (piece === '[') around.push(undefined)
    else if (piece === '}' || piece === ']') around.pop()
    else if (piece === ':') {
      // Decoded, because one name can be written in several ways.
      const name = JSON.parse(last) as string
      const names = around.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
    last = piece
  }
  return undefined
}

function spoken(field: string): string {
  return field.replaceAll('_', ' ')
}
