import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Reads again whenever the market's stream of events says something. */
export function useLive(market: string): boolean {
  const queries = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const source = new EventSource(`/api/market/events?market=${market}`)
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      // Events come in bursts; one reading covers them.
      clearTimeout(timer)
      timer = setTimeout(() => void queries.invalidateQueries(), 300)
    }
    source.onopen = () => {
      setLive(true)
      // What happened between the first reading and now came by nobody's word.
      again()
    }
    source.onerror = () => setLive(false)
    source.onmessage = again
    source.addEventListener('reorg', again)
    source.addEventListener('lost', again)
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [market, queries])
  return isLive
}
