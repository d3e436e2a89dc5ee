// A dialog that asks for the password before a sensitive change.
import { useMutation } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { ask } from '../ask.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { secretOf } from './settings-form.tsx'

interface AskPasswordProps<T> {
  readonly title: string
  readonly action: string
  readonly isDangerous?: boolean
  /** The path that receives the password, relative to /api/auth. */
  readonly path: string
  readonly onDone: (answer: T) => unknown
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function AskPassword<T>(props: AskPasswordProps<T>) {
  const { path, onDone, children, ...confirm } = props
  const asking = useMutation({
    mutationFn: (password: string) => ask<T>('POST', `/api/auth${path}`, { password }),
    onSuccess: onDone,
  })
  return (
    <Confirm
      {...confirm}
      isBusy={asking.isPending}
      error={asking.error}
      fields={['password']}
      onConfirm={(form) => asking.mutate(secretOf(form, 'password'))}
    >
      {children}
      <Field
        name="password"
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        error={asking.error}
      />
    </Confirm>
  )
}
