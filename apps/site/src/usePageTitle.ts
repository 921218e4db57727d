import { useEffect } from 'react'
import { text } from './text/common.ts'

let current: string = text.siteName
let prefix = ''

const write = () => {
  document.title = prefix + current
}

/** Sets the title of the browser's tab. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    current = title ? `${title} · ${text.siteName}` : text.siteName
    write()
  }, [title])
}

/** Puts something before the title, such as the number of unread notifications. */
export function setTitlePrefix(text: string): void {
  prefix = text
  write()
}
