import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
window.addEventListener('popstate', tell)

/** Where the page is: the path and the query, which hold all that a link must bring back. */
export function usePlace(): URL {
  const href = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => location.href,
  )
  return new URL(href)
}

/** Goes to another page of the site. */
function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  tell()
  if (!replace) {
    window.scrollTo(0, 0)
    document.getElementById('main')?.focus()
  }
}

/** Changes the query of this page; null takes a name out. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  go(`${url.pathname}${url.search}`, { replace: true })
}

/** A link that does not load the page anew. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}
