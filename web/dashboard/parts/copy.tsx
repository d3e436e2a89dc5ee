// A button that copies text, and a code block with such a button.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { copyText } from '../../scripts/copy-text.ts'
import { say } from './say.ts'

interface CopyProps {
  readonly text: string
  /** Names the copied text for screen readers: `key`. */
  readonly what: string
  readonly onCopied?: () => void
}

const saidMs = 2_000

export function CopyButton({ text, what, onCopied }: CopyProps) {
  const [isCopied, setCopied] = useState(false)
  const timer = useRef(0)
  const copy = async () => {
    if (!(await copyText(text))) {
      say('Your browser blocked copying. Select the text and press Ctrl+C.')
      return
    }
    setCopied(true)
    say(`Copied the ${what}.`)
    onCopied?.()
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setCopied(false), saidMs)
  }
  return (
    <button type="button" class="copy" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
      <span class="unseen"> {what}</span>
    </button>
  )
}

interface CodeProps {
  readonly label: string
  readonly text: string
  /** Shown instead of the plain text, for example with highlighting. */
  readonly children?: ComponentChildren
  readonly onCopied?: () => void
}

/** A code block with a copy button. If it is wider than the screen, it scrolls inside itself, by keyboard too. */
export function Code({ label, text, children, onCopied }: CodeProps) {
  return (
    <figure class="code">
      <figcaption>
        {label}
        <CopyButton text={text} what={label.toLowerCase()} {...(onCopied && { onCopied })} />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would not preserve the white space of code */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be reachable by keyboard */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{children ?? text}</code>
      </pre>
    </figure>
  )
}
