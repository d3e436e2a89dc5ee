// In charge of what every page of the app has: its heading, which takes the focus when one comes to it, and its title.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface PageProps {
  readonly title: string
  readonly lede?: ComponentChildren
  /** Beside the heading. */
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}

let isFirst = true

export function Page({ title, lede, action, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // With the page itself: later it would take the focus from who has begun to write.
  useLayoutEffect(() => {
    document.title = `${title} · watchdata`
    // Not on the first one: a page that was loaded begins at its top.
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [title])
  return (
    <div class="app-page">
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {action}
      </div>
      {lede !== undefined && <p class="lede">{lede}</p>}
      {children}
    </div>
  )
}
