// The router: the URL is the state, links change it without a page load, and back and forward work.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const moved = 'watchdata:moved'

/** Whether the current page may be left for that URL. */
type Guard = (href: string) => boolean

let guard: Guard | undefined
let here = addressOf(location)

interface Place {
  /** The path of the URL: `/dashboard/keys`. */
  readonly path: string
  readonly query: URLSearchParams
}

export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace)
  useEffect(() => {
    const read = () => setPlace(readPlace())
    window.addEventListener('popstate', read)
    window.addEventListener(moved, read)
    return () => {
      window.removeEventListener('popstate', read)
      window.removeEventListener(moved, read)
    }
  }, [])
  return place
}

/** Sets a guard that is called before another page is shown and can prevent it. Undefined removes the guard. */
export function setNavigationGuard(next: Guard | undefined): void {
  guard = next
}

export function navigate(href: string, options: { replace?: boolean } = {}): void {
  if (!mayLeaveFor(href)) return
  if (options.replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  here = addressOf(location)
  window.dispatchEvent(new Event(moved))
}

interface LinkProps {
  readonly href: string
  readonly class?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

export function Link({ href, isCurrent, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    // The browser handles clicks that open a new tab or window.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
  }
  return (
    <a href={href} {...rest} {...(isCurrent && { 'aria-current': 'page' as const })} onClick={follow}>
      {children}
    </a>
  )
}

// Registered before the listeners of usePlace: when popstate fires, back and forward have already changed the URL.
window.addEventListener('popstate', (event) => {
  const href = addressOf(location)
  if (mayLeaveFor(href)) {
    here = href
    return
  }
  event.stopImmediatePropagation()
  history.pushState(null, '', here)
})

function mayLeaveFor(href: string): boolean {
  const isElsewhere = new URL(href, location.origin).pathname !== new URL(here, location.origin).pathname
  return guard === undefined || !isElsewhere || guard(href)
}

function addressOf({ pathname, search }: Location): string {
  return pathname + search
}

function readPlace(): Place {
  return { path: location.pathname.replace(/\/$/, ''), query: new URLSearchParams(location.search) }
}
