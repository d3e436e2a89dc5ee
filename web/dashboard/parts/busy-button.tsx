// A button for an action that takes a moment: while busy, a second press does nothing. It uses aria-disabled, because
// the `disabled` attribute would take away keyboard focus.
import type { ComponentChildren } from 'preact'

interface BusyButtonProps {
  readonly isBusy: boolean
  /** Without it, the button submits the form. */
  readonly onClick?: () => void
  readonly class?: string
  readonly children: ComponentChildren
}

export function BusyButton({ isBusy, onClick, ...rest }: BusyButtonProps) {
  return (
    <button
      type={onClick === undefined ? 'submit' : 'button'}
      {...(isBusy && { 'aria-disabled': 'true' as const })}
      onClick={(event) => {
        // Enter in a field clicks the submit button too.
        if (isBusy) event.preventDefault()
        else onClick?.()
      }}
      {...rest}
    />
  )
}
