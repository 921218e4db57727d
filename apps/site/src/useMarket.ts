import { isMarket, type Market } from '@svc/protocol'
import { setQuery, useLocation } from './router.tsx'

const key = 'svc-market'

/** The path of a task names its market. */
const taskPath = /^\/tasks?\/v2(?::|%3A)([a-z]+)/i

/** The market of the current page: that of its task, then that of the URL, then the one chosen last. */
export function useMarket(): Market {
  const { pathname, searchParams } = useLocation()
  const named = taskPath.exec(pathname)?.[1]
  const given = searchParams.get('market')
  if (isMarket(named)) return named
  return isMarket(given) ? given : recallMarket()
}

/** Switches the market of this page and of those that are opened next. */
export function chooseMarket(market: Market): void {
  try {
    localStorage.setItem(key, market)
  } catch {
    // Without storage, the choice is only in the URL.
  }
  setQuery({ market, cursor: null })
}

function recallMarket(): Market {
  try {
    const stored = localStorage.getItem(key)
    return isMarket(stored) ? stored : 'standard'
  } catch {
    return 'standard'
  }
}
