// Shows the response to a request that the user ran: the status, the quota headers and the JSON.
import { prettyJson, tokensOf } from '../../scripts/json-tokens.ts'
import { localTime, utcTime } from '../../scripts/local-time.ts'
import { Code } from './copy.tsx'
import { Mark, toneOf } from './mark.tsx'
import type { Outcome } from './run-call.ts'

/** The status, the duration and, for screen readers, the remaining quota. */
export function RunOutcome({ outcome }: { outcome: Outcome }) {
  const { status, statusText, tookMs, remaining } = outcome
  return (
    <>
      <Mark tone={toneOf(status)}>{`${status} ${statusText}`.trim()}</Mark>
      <span>
        in {tookMs} ms<span class="unseen">, {remaining.toLocaleString()} requests left today</span>
      </span>
    </>
  )
}

export function RunAnswer({ outcome }: { outcome: Outcome }) {
  const { headers, resetAt, body } = outcome
  const { text, cutLines } = prettyJson(body)
  return (
    <div class="run-answer stack">
      <dl class="run-headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              {name === 'X-RateLimit-Reset' && resetAt !== null && (
                <time dateTime={resetAt} title={utcTime(resetAt)}>
                  {localTime(resetAt)}
                </time>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Code label="Response" text={body}>
        {tokensOf(text).map((token, at) =>
          token.kind === undefined ? (
            token.text
          ) : (
            <span key={at} class={`json-${token.kind}`}>
              {token.text}
            </span>
          ),
        )}
        {cutLines > 0 && <span class="run-cut">{`\n… ${cutLines.toLocaleString()} more lines`}</span>}
      </Code>
    </div>
  )
}
