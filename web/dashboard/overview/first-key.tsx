// In charge of the first key of an account: made when one comes to the dashboard without any, shown once with a call
// that works, and not lost by accident.
import { useState } from 'preact/hooks'
import type { NewApiKey } from '../../account-api.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { useLeaveGuard } from '../parts/once-dialog.tsx'
import { RunIt } from '../parts/run-it.tsx'
import { Skeleton, Trouble } from '../parts/state.tsx'
import { navigate, setNavigationGuard } from '../router.tsx'
import type { FirstKeyState } from './first-key-made.ts'
import './first-key.css'

export { useFirstKey } from './first-key-made.ts'

export function FirstKey({ first }: { first: FirstKeyState }) {
  if (first.made) return <FirstKeyPanel made={first.made} onDone={first.putAway} />
  if (first.error) return <Trouble error={first.error} onRetry={first.retry} />
  return first.isBeingMade ? <Skeleton lines={5} label="Creating your first key" /> : null
}

function FirstKeyPanel({ made, onDone }: { made: NewApiKey; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false)
  /** Where one was about to go; empty for staying here without the key. */
  const [target, setTarget] = useState<string>()
  useLeaveGuard(!isCopied, setTarget)
  const onCopied = () => setCopied(true)
  const leave = () => {
    setNavigationGuard(undefined)
    onDone()
    if (target) navigate(target)
    // After the dialog has given the focus back to a button that goes with it.
    else setTimeout(() => document.querySelector('h1')?.focus())
  }
  const secret = (
    <p class="secret">
      <code>{made.key}</code>
      <CopyButton text={made.key} what="key" onCopied={onCopied} />
    </p>
  )
  return (
    <section
      class="first-key stack"
      aria-labelledby="first-key"
      // Copied by hand, which counts too.
      onCopy={() => document.getSelection()?.toString().includes(made.key) && setCopied(true)}
    >
      <h2 id="first-key">Your first key</h2>
      <p>
        It is shown this once: copy it now and keep it where your program finds it. More keys can be created
        at any time.
      </p>
      {secret}
      <RunIt secret={made.key} onCopied={onCopied} />
      <p class="first-key-end">
        <button type="button" class="button quiet" onClick={() => (isCopied ? leave() : setTarget(''))}>
          Put the key away
        </button>
        <span class="note" role="status">
          {isCopied ? 'Copied. You can put it away, or go on.' : 'Not copied yet.'}
        </span>
      </p>
      {target !== undefined && (
        <Confirm
          title={isCopied ? 'The key is copied' : 'Go on without copying the key?'}
          action={isCopied ? 'Go on' : 'Go on without it'}
          isDangerous={!isCopied}
          onConfirm={leave}
          onClose={() => setTarget(undefined)}
        >
          <p>Once you have gone on it cannot be shown again, and you would have to create another.</p>
          {secret}
        </Confirm>
      )}
    </section>
  )
}
