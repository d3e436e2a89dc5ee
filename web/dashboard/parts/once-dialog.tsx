// A dialog for content that is shown only once and must not be closed by accident: closing it or leaving the page
// asks for confirmation until the content was saved.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { setNavigationGuard } from '../router.tsx'
import { Dialog } from './dialog.tsx'

interface OnceDialogProps {
  readonly title: string
  /** Whether the user has saved the content. */
  readonly isKept: boolean
  /** The question asked before closing, and the label of the button that closes anyway. */
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
    // After the question is rendered and the dialog was reopened: the content may be longer than the screen.
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
 * While on, the browser asks before the page is closed or reloaded. Navigation within the app is blocked, and `onStay`
 * receives the URL.
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
