// Shows the first key of an account, which is created when a user without keys opens the dashboard. The key is shown
// once, with a working request, and the user must confirm before leaving without copying it.
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
  /** The URL the user wants to leave for; empty for staying on this page without the key. */
  const [target, setTarget] = useState<string>()
  useLeaveGuard(!isCopied, setTarget)
  const onCopied = () => setCopied(true)
  const leave = () => {
    setNavigationGuard(undefined)
    onDone()
    if (target) navigate(target)
    // After the dialog returned the focus to a button that is removed with it.
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
      // Copying the selected text by hand counts too.
      onCopy={() => document.getSelection()?.toString().includes(made.key) && setCopied(true)}
    >
      <h2 id="first-key">Your first key</h2>
      <p>
        This key is shown only once. Copy it now and store it securely. You can create more keys at any time.
      </p>
      {secret}
      <RunIt secret={made.key} onCopied={onCopied} />
      <p class="first-key-end">
        <button type="button" class="button quiet" onClick={() => (isCopied ? leave() : setTarget(''))}>
          Done
        </button>
        <span class="note" role="status">
          {isCopied ? 'Copied. You can close this now.' : 'Not copied yet.'}
        </span>
      </p>
      {target !== undefined && (
        <Confirm
          title={isCopied ? 'Key copied' : 'Continue without copying the key?'}
          action={isCopied ? 'Continue' : 'Continue without copying'}
          isDangerous={!isCopied}
          onConfirm={leave}
          onClose={() => setTarget(undefined)}
        >
          <p>The key cannot be shown again. If you lose it, you have to create another.</p>
          {secret}
        </Confirm>
      )}
    </section>
  )
}
