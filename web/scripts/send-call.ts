// Sends one API request from a page the way the user's own program would: with the key, without the session cookie.
// Only the beginning of a long response, such as the export, is read.

export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly tookMs: number
  readonly headers: Headers
  readonly body: string
  /** Whether the body was truncated. */
  readonly isCut: boolean
}

const timeoutMs = 30_000
const bodyCharsMax = 20_000

/** `path` is relative to the origin. When there is no response, throws an error with a message for the user. */
export async function sendCall(path: string, key: string): Promise<Answer> {
  const startedMs = performance.now()
  try {
    const answer = await fetch(path, {
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status, statusText, headers } = answer
    const read = await readBeginning(answer)
    const tookMs = Math.round(performance.now() - startedMs)
    return { status, statusText, tookMs, headers, ...read }
  } catch (error) {
    throw new Error(saidOf(error))
  }
}

/** The headers of `names` that are present, in the order of `names`. */
export function pickHeaders(headers: Headers, names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
}

async function readBeginning(answer: Response): Promise<Pick<Answer, 'body' | 'isCut'>> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let body = ''
  while (reader !== undefined && body.length <= bodyCharsMax) {
    const { done, value } = await reader.read()
    if (done) break
    body += value
  }
  const isCut = body.length > bodyCharsMax
  if (isCut) void reader?.cancel()
  return { body: body.slice(0, bodyCharsMax), isCut }
}

function saidOf(error: unknown): string {
  if (error instanceof TypeError && /header/i.test(error.message)) {
    return 'That is not an API key. Keys contain only letters, digits and underscores.'
  }
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? `No response within ${timeoutMs / 1_000} seconds. Try again, or request less data.`
    : 'The service cannot be reached. Check your connection and try again.'
}
