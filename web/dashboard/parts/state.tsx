// What a page shows when it has no data: a skeleton while loading, an empty state, or an error with a retry button.
import type { ComponentChildren } from 'preact'
import { Refusal } from '../ask.ts'

/** Placeholder lines for content that is loading. */
export function Skeleton({ lines = 4, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} />
      ))}
    </div>
  )
}

interface EmptyProps {
  /** Says what is missing. */
  readonly title: string
  /** Says why, and the next step. */
  readonly children: ComponentChildren
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty stack">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

interface TroubleProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

export function Trouble({ error, onRetry }: TroubleProps) {
  return (
    <div class="trouble" role="alert">
      <p>{messageOf(error)}</p>
      {onRetry !== undefined && (
        <button type="button" class="button quiet small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** The message for the user. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Refusal)) return 'Something went wrong on this page. Reload it and try again.'
  const told = Object.values(error.errors).flat()
  return told.length > 0 ? told.join(' ') : error.message
}

interface WithDataProps<T> {
  readonly query: {
    readonly data: T | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  readonly lines?: number
  readonly children: (data: T) => ComponentChildren
}

/** Renders the data once it is loaded; until then a skeleton or the error. */
export function WithData<T>({ query, lines, children }: WithDataProps<T>) {
  const { data, error, refetch } = query
  if (data !== undefined) return <>{children(data)}</>
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />
  return <Skeleton {...(lines !== undefined && { lines })} />
}
