import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}
window.addEventListener('popstate', notifyListeners)

/** The current URL. Path and query contain all state that a link must restore. */
export function useLocation(): URL {
  const href = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => location.href,
  )
  return new URL(href)
}

/** Navigates to another page of the site. */
export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  notifyListeners()
  if (!replace) {
    window.scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
}

/**
 * Changes the query of the current page. Null removes a parameter. Each change is a step in the history, so Back undoes it;
 * `replace` is for what nobody would want to go back to.
 */
export function setQuery(changes: Readonly<Record<string, string | null>>, { replace = false } = {}): void {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  if (url.href === location.href) return
  history[replace ? 'replaceState' : 'pushState'](null, '', `${url.pathname}${url.search}`)
  notifyListeners()
}

/** A link that navigates without reloading the page. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}
