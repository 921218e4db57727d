import { useEffect } from 'react'
import { text } from './text/common.ts'

let current: string = text.siteName
let unread = 0

const write = () => {
  document.title = unread > 0 ? `(${unread > 99 ? '99+' : unread}) ${current}` : current
}

/** Sets the title of the browser's tab. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    current = title ? `${title} · ${text.siteName}` : text.siteName
    write()
  }, [title])
}

/** Puts the number of unread notifications before the title. */
export function setUnreadCount(count: number): void {
  unread = count
  write()
}
