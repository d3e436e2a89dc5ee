// In charge of the button of something that takes a moment: a second press does nothing meanwhile. It is not disabled in
// the browser's sense, which would take the focus from who uses the keyboard.
import type { ComponentChildren } from 'preact'

interface BusyButtonProps {
  readonly isBusy: boolean
  /** Without it, the form is submitted. */
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
        // Enter in a field presses the button too.
        if (isBusy) event.preventDefault()
        else onClick?.()
      }}
      {...rest}
    />
  )
}
