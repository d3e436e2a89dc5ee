// In charge of where in the app one is: the address is the state, links change it without loading a page, and back and
// forward work.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const moved = 'watchdata:moved'

/** Whether this page of the app may be left for that address. */
type Guard = (href: string) => boolean

let guard: Guard | undefined
let here = addressOf(location)

interface Place {
  /** Below the origin, as `/dashboard/keys`. */
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

/** Asked before another page of the app is shown; who says no may navigate there later. Undefined lets everyone go. */
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
    // A click that asks for a new tab or window is the browser's.
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

// Before all who read the place: back and forward have changed the address already when they are heard of.
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
