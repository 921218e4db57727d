import { useEffect } from 'react'
import { text } from './text/common.ts'

/** Sets the title of the browser's tab. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${text.siteName}` : text.siteName
  }, [title])
}
