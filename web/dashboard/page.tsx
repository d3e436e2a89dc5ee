// What every page of the app has: a title, and a heading that takes the focus after navigation.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface PageProps {
  readonly title: string
  readonly lede?: ComponentChildren
  /** Shown next to the heading. */
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}

let isFirst = true

export function Page({ title, lede, action, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // A layout effect, because a later one could take the focus from a user who has begun to type.
  useLayoutEffect(() => {
    document.title = `${title} · watchdata`
    // Not on the first page: after a page load the focus starts at the top.
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
