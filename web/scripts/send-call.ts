// In charge of one call of the API from a page, as a program of the person's would make it: with the key, without the
// session. Of a long answer, such as the export, only the beginning is read.

export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly tookMs: number
  readonly headers: Headers
  readonly body: string
  /** Whether the body had more. */
  readonly isCut: boolean
}

const timeoutMs = 30_000
const bodyCharsMax = 20_000

/** `path` is below the origin. Where there is no answer, an error says so in a sentence for the person. */
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

/** Those of them that came, in this order. */
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
    return 'That is no key: one has letters, digits and underscores only.'
  }
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? `No answer within ${timeoutMs / 1_000} seconds. Send it again, or ask for less.`
    : 'The service cannot be reached. Check your connection, then send it again.'
}
