// Asks the service whether events can be sent to a URL, once per URL: leaving the field and saving right after it
// share one request.
import { useRef, useState } from 'preact/hooks'
import type { UrlCheck } from '../../account-api.ts'
import { askData, Refusal } from '../ask.ts'

export type UrlState = 'unasked' | 'asking' | 'good' | Refusal

interface Question {
  readonly url: string
  readonly answer: Promise<UrlState>
}

/** `known` is a URL that is already saved and need not be checked. */
export function useUrlCheck(known: string | undefined) {
  const [state, setState] = useState<UrlState>('unasked')
  const last = useRef<Question | undefined>(undefined)
  const forget = () => {
    last.current = undefined
    setState('unasked')
  }
  /** Resolves to whether the URL may be saved. */
  const check = async (url: string): Promise<boolean> => {
    if (url === known) return true
    if (url === '') return false
    if (last.current?.url !== url) {
      last.current = { url, answer: checkUrl(url) }
      setState('asking')
    }
    const question = last.current
    const found = await question.answer
    // The user has typed another URL in the meantime.
    if (last.current !== question) return false
    setState(found)
    // The cause may be fixed elsewhere, such as a missing DNS name, so the next check asks the service again.
    if (found instanceof Refusal) last.current = undefined
    return found === 'good'
  }
  return { state, check, forget }
}

async function checkUrl(url: string): Promise<UrlState> {
  try {
    const { problems } = await askData<UrlCheck>('POST', '/api/account/webhooks/check', { endpoint_url: url })
    return problems.length === 0 ? 'good' : new Refusal(422, '', { endpoint_url: problems })
  } catch (error) {
    const said = error instanceof Refusal ? error.message : 'The URL could not be checked. Try again.'
    return new Refusal(0, said, { endpoint_url: [said] })
  }
}
