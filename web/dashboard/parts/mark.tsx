// In charge of the small mark that says how something stands: a word, with a colour beside it and never alone.

export type Tone = 'good' | 'waiting' | 'bad' | 'ended'

export function Mark({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`mark-${tone} state-mark`}>{children}</span>
}

/** Of an HTTP status. */
export function toneOf(status: number): Tone {
  if (status < 400) return 'good'
  return status < 500 ? 'waiting' : 'bad'
}
