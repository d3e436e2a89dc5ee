// The actions of a webhook: send a test, pause, activate, edit, rotate the secret, delete.
import { useState } from 'preact/hooks'
import type { Webhook } from '../../account-api.ts'
import { BusyButton } from '../parts/busy-button.tsx'
import { say } from '../parts/say.ts'
import { Trouble } from '../parts/state.tsx'
import { Link } from '../router.tsx'
import { useChange, useSendTest } from './webhook-data.ts'
import { DeleteWebhook } from './webhook-delete.tsx'
import { RotateSecret } from './webhook-rotate.tsx'
import { TestOutcome } from './webhook-test-outcome.tsx'

type Question = 'rotate' | 'delete'

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const id = String(webhook.id)
  const [question, setQuestion] = useState<Question>()
  const [testId, setTestId] = useState('')
  const isActive = webhook.status === 'active'
  const change = useChange(id, ({ status }) =>
    say(status === 'active' ? 'The webhook is active.' : 'The webhook is paused.'),
  )
  const test = useSendTest(id, (delivery) => {
    say('Sending the test event.')
    setTestId(String(delivery.id))
  })
  const close = () => setQuestion(undefined)
  return (
    <section class="stack" aria-label="Actions">
      <p class="actions webhook-actions">
        <BusyButton class="button" isBusy={test.isPending} onClick={() => test.mutate()}>
          Send test
        </BusyButton>
        <BusyButton
          class="button quiet"
          isBusy={change.isPending}
          onClick={() => change.mutate({ status: isActive ? 'paused' : 'active' })}
        >
          {isActive ? 'Pause' : 'Activate'}
        </BusyButton>
        <Link href={`/dashboard/webhooks/${id}?edit`} class="button quiet">
          Edit
        </Link>
        <button type="button" class="button quiet" onClick={() => setQuestion('rotate')}>
          Rotate secret
        </button>
        <button type="button" class="button danger" onClick={() => setQuestion('delete')}>
          Delete
        </button>
      </p>
      {Boolean(test.error ?? change.error) && <Trouble error={test.error ?? change.error} />}
      {testId !== '' && <TestOutcome key={testId} id={id} delivery={testId} />}
      {question === 'rotate' && <RotateSecret id={id} onClose={close} />}
      {question === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </section>
  )
}
