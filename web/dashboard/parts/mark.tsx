// A small status badge: a word with a colour. The colour never stands alone, so the badge is readable without it.

export type Tone = 'good' | 'waiting' | 'bad' | 'ended'

export function Mark({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`mark-${tone} state-mark`}>{children}</span>
}

/** The tone of an HTTP status. */
export function toneOf(status: number): Tone {
  if (status < 400) return 'good'
  return status < 500 ? 'waiting' : 'bad'
}
