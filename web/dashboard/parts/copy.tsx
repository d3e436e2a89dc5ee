// In charge of the button that copies a text, and of code one may want to copy.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { copyText } from '../../scripts/copy-text.ts'
import { say } from './say.ts'

interface CopyProps {
  readonly text: string
  /** What is copied, as the button says it to who cannot see beside what it stands. */
  readonly what: string
  readonly onCopied?: () => void
}

const saidMs = 2_000

export function CopyButton({ text, what, onCopied }: CopyProps) {
  const [isCopied, setCopied] = useState(false)
  const timer = useRef(0)
  const copy = async () => {
    if (!(await copyText(text))) {
      say('The browser does not let this page copy: select the text and press Ctrl+C.')
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
  /** What is shown in place of the text, with some colour for instance. */
  readonly children?: ComponentChildren
  readonly onCopied?: () => void
}

/** A block of code with its button; wider than the screen it scrolls inside itself, by keyboard too. */
export function Code({ label, text, children, onCopied }: CodeProps) {
  return (
    <figure class="code">
      <figcaption>
        {label}
        <CopyButton text={text} what={label.toLowerCase()} {...(onCopied && { onCopied })} />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a section cannot keep the white space of code */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be reached by keyboard */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{children ?? text}</code>
      </pre>
    </figure>
  )
}
