// Lists the attempts of a delivery: the time, the response, and what was signed.
import type { Attempt, DeliveryDetails } from '../../../account-api.ts'
import { Code } from '../../parts/copy.tsx'
import { Mark } from '../../parts/mark.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty } from '../../parts/state.tsx'
import { signCommand, signedString, timestampOf } from './delivery-signature.ts'
import { inSpan, isTaken } from './delivery-words.ts'

export function DeliveryAttempts({ details }: { details: DeliveryDetails }) {
  const { attempts } = details
  return (
    <section class="stack" aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {attempts.length === 0 ? (
        <Empty title="Not sent yet">
          <p>
            Each attempt is listed here with the response of your endpoint. This page updates automatically.
          </p>
        </Empty>
      ) : (
        attempts.map((attempt, at) => (
          <OneAttempt key={attempt.attempt} details={details} attempt={attempt} isNewest={at === 0} />
        ))
      )}
    </section>
  )
}

interface OneAttemptProps {
  readonly details: DeliveryDetails
  readonly attempt: Attempt
  readonly isNewest: boolean
}

function OneAttempt({ details, attempt, isNewest }: OneAttemptProps) {
  const { at, duration_ms, response_status, error } = attempt
  const word = response_status === null ? 'No response' : `Status ${response_status}`
  return (
    <details class="delivery-attempt" open={isNewest}>
      <summary>
        <span class="attempt-number">Attempt {attempt.attempt}</span>
        <Mark tone={isTaken(attempt) ? 'good' : 'bad'}>{word}</Mark>
        <span class="note">
          <Moment at={at} />, {inSpan(duration_ms)}
        </span>
      </summary>
      <div class="stack">
        {error !== null && <p class="error">{error}</p>}
        {attempt.endpoint_url !== details.request.url && (
          <p class="note">
            Sent to <code class="webhook-breaks">{attempt.endpoint_url}</code>, the URL at that time.
          </p>
        )}
        <Answer attempt={attempt} />
        <Signed details={details} attempt={attempt} />
      </div>
    </details>
  )
}

function Answer({ attempt: { response_status, response_body } }: { attempt: Attempt }) {
  if (response_status === null) return null
  if (response_body === null || response_body === '') return <p class="note">The response had no body.</p>
  return <Code label="Response body (first 4 KB)" text={response_body} />
}

function Signed({ details, attempt }: { details: DeliveryDetails; attempt: Attempt }) {
  const signed = signedString(details, attempt)
  return (
    <details class="delivery-signed">
      <summary>Signed string</summary>
      <div class="stack">
        <Code
          label="Headers of this attempt"
          text={`webhook-id: ${details.event.id}\nwebhook-timestamp: ${timestampOf(attempt)}`}
        />
        <Code label="Signed string: webhook-id.webhook-timestamp.body" text={signed} />
        <p>
          The <code>webhook-signature</code> is <code>v1,</code> followed by the HMAC-SHA256 of exactly this
          text, in base64. The key is the part of your signing secret after <code>whsec_</code>, decoded from
          base64. While a secret is being rotated, there are two signatures separated by a space.{' '}
          <a href="/docs/webhooks#verify-signatures">How to verify it</a>
        </p>
        <Code
          label="Compute the signature yourself, with your secret in WEBHOOK_SECRET"
          text={signCommand(signed)}
        />
      </div>
    </details>
  )
}
