// Modal dialogs, and a dialog that confirms an action. The browser's <dialog> element keeps the focus inside.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { BusyButton } from './busy-button.tsx'
import { FormTrouble } from './field.tsx'
import { Said } from './said.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** Called before Escape closes the dialog; false keeps it open. */
  readonly mayClose?: () => boolean
  readonly children: ComponentChildren
}

/** The dialog is open as long as it is rendered. */
export function Dialog({ title, onClose, mayClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event: Event) => {
        event.preventDefault()
        if (mayClose?.() ?? true) onClose()
      }}
      // Chromium closes on a second Escape even if the cancel event was prevented.
      onClose={() => {
        if (mayClose?.() ?? true) onClose()
        else ref.current?.showModal()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <Said />
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly isBusy?: boolean
  readonly error?: unknown
  /** Fields that show their own errors, so the form need not repeat them. */
  readonly fields?: readonly string[]
  /** The form contains the fields among the children. */
  readonly onConfirm: (form: HTMLFormElement) => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Says what will happen and asks for confirmation. For a dangerous action the focus starts on Cancel. */
export function Confirm({
  title,
  action,
  isDangerous,
  isBusy,
  error,
  fields,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm(event.currentTarget)
        }}
      >
        {children}
        <FormTrouble error={error} {...(fields && { fields })} />
        <p class="actions">
          <BusyButton class={isDangerous ? 'button danger' : 'button'} isBusy={isBusy ?? false}>
            {action}
          </BusyButton>
          {/* biome-ignore lint/a11y/noAutofocus: a dialog takes the focus in any case; here it must not start on the dangerous button */}
          <button type="button" class="button quiet" autoFocus={isDangerous} onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  )
}
