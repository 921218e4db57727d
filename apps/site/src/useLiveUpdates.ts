import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Refetches all queries when the event stream of the market reports a change. */
export function useLiveUpdates(market: string): boolean {
  const queries = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const source = new EventSource(`/api/market/events?market=${market}`)
    let timer: ReturnType<typeof setTimeout> | undefined
    const refetch = () => {
      // Events come in bursts, so refetch only once.
      clearTimeout(timer)
      timer = setTimeout(() => void queries.invalidateQueries(), 300)
    }
    source.onopen = () => {
      setLive(true)
      // The stream does not report what happened between the first query and now.
      refetch()
    }
    source.onerror = () => setLive(false)
    source.onmessage = refetch
    source.addEventListener('reorg', refetch)
    source.addEventListener('lost', refetch)
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [market, queries])
  return isLive
}
