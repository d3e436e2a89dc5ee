// In charge of a dialog for what can be seen once: it does not go from the screen by accident. Closing before it was
// kept asks first, and so does leaving the page.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { setNavigationGuard } from '../router.tsx'
import { Dialog } from './dialog.tsx'

interface OnceDialogProps {
  readonly title: string
  /** Whether the person has it elsewhere by now. */
  readonly isKept: boolean
  /** What is asked, and the words for going all the same. */
  readonly question: string
  readonly leave: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function OnceDialog({ title, isKept, question, leave, onClose, children }: OnceDialogProps) {
  const [isAsking, setAsking] = useState(false)
  const keep = useRef<HTMLButtonElement>(null)
  const mayClose = () => {
    if (isKept) return true
    setAsking(true)
    // After it was rendered, and after the dialog was opened anew: what it shows may be longer than the screen.
    setTimeout(() => keep.current?.focus())
    return false
  }
  useLeaveGuard(!isKept, mayClose)
  return (
    <Dialog title={title} onClose={onClose} mayClose={mayClose}>
      <div class="stack">
        {children}
        {isAsking && !isKept ? (
          <div class="question" role="alert">
            <p>{question}</p>
            <p class="actions">
              <button ref={keep} type="button" class="button" onClick={() => setAsking(false)}>
                Keep it open
              </button>
              <button type="button" class="button danger" onClick={onClose}>
                {leave}
              </button>
            </p>
          </div>
        ) : (
          <p class="actions">
            <button type="button" class="button" onClick={() => mayClose() && onClose()}>
              Done
            </button>
          </p>
        )}
      </div>
    </Dialog>
  )
}

/**
 * The browser asks before the page is left or loaded anew; going to another page of the app is kept from happening, and
 * `onStay` is told where it would have gone.
 */
export function useLeaveGuard(isOn: boolean, onStay: (href: string) => void): void {
  useEffect(() => {
    if (!isOn) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    setNavigationGuard((href) => {
      onStay(href)
      return false
    })
    return () => {
      window.removeEventListener('beforeunload', ask)
      setNavigationGuard(undefined)
    }
  }, [isOn])
}
