// Shows the request of a delivery: the URL, the headers, and the body, raw or indented.
import { useState } from 'preact/hooks'
import type { DeliveryDetails } from '../../../account-api.ts'
import { indentedJson, tokensOf } from '../../../scripts/json-tokens.ts'
import { Code, CopyButton } from '../../parts/copy.tsx'

export function DeliveryRequest({ details: { request } }: { details: DeliveryDetails }) {
  const { url, headers, body } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section class="stack" aria-labelledby="request">
      <h2 id="request">Request</h2>
      <p class="webhook-address">
        <code>POST {url}</code> <CopyButton text={url} what="URL" />
      </p>
      <Code label="Headers" text={lines.join('\n')} />
      <p class="note">
        Each attempt also has its own <code>webhook-timestamp</code> and <code>webhook-signature</code>.
      </p>
      <Body body={body} />
    </section>
  )
}

function Body({ body }: { body: string }) {
  const [isRaw, setRaw] = useState(false)
  return (
    <>
      <p class="actions">
        <button type="button" class="button quiet small" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
          Pretty
        </button>
        <button type="button" class="button quiet small" aria-pressed={isRaw} onClick={() => setRaw(true)}>
          Raw
        </button>
      </p>
      {isRaw ? (
        <Code label="Body (exact bytes, as sent and signed)" text={body} />
      ) : (
        <IndentedBody text={indentedJson(body)} />
      )}
    </>
  )
}

function IndentedBody({ text }: { text: string }) {
  return (
    <Code label="Body (indented)" text={text}>
      {tokensOf(text).map(({ text: part, kind }, at) =>
        kind === undefined ? (
          part
        ) : (
          <span key={at} class={`json-${kind}`}>
            {part}
          </span>
        ),
      )}
    </Code>
  )
}
