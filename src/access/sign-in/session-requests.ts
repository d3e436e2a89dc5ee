// Translates a request for better-auth: the fields of the form, with the email as its alias, and nothing of the query,
// because the sender must not choose the redirect target.
import { Problem } from '../../errors.ts'
import { aliasOf } from './session-addresses.ts'
import type { Values } from './session-forms.ts'

/** An empty body is an empty form. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text()
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('bad_request')
  }
}

export function translateRequest({ url, method, headers }: Request, values: Values): Request {
  if (method === 'GET') return new Request(url.split('?')[0] ?? url, { headers })
  const { email } = values
  const body = JSON.stringify(typeof email === 'string' ? { ...values, email: aliasOf(email) } : values)
  const request = new Request(url, { method, headers, body })
  request.headers.set('content-type', 'application/json')
  return request
}
