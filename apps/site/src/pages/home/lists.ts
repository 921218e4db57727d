import type { Market } from '@svc/protocol'
import { useApi } from '../../api.ts'

/** What the parts of the first page ask the list for: the same, so that it is read once, and no more than is shown. */
export const openInput = (market: Market) => ({ market, limit: 6, texts: 'true' }) as const

/** Work that was paid. */
export interface PaidWork {
  id: string
  title: string
  excerpt: string
  poster: string
  worker: string
  amountTokWei: string
  /** Unix seconds. */
  at: number
}

/** The newest payments of a market, from its events: who paid whom for what. Undefined until they are known. */
export function usePaidWork(market: Market): readonly PaidWork[] | undefined {
  const paid = useApi('listEvents', { market, event: 'PaymentRecorded', limit: 8 }).body
  const newest = paid?.events.toReversed() ?? []
  const ids = [...new Set(newest.flatMap(({ taskId }) => taskId ?? []))].slice(0, 4)
  const titles = useApi('listTitles', { ids: ids.join(',') }, ids.length > 0).body
  if (!paid || (ids.length > 0 && !titles)) return undefined
  return ids.flatMap((id) => {
    const text = titles?.titles.find((each) => each.id === id)
    const payment = newest.find(({ taskId }) => taskId === id)
    if (!text || !payment) return []
    const { poster, worker, amount } = payment.args
    return { ...text, poster: `${poster}`, worker: `${worker}`, amountTokWei: `${amount}`, at: payment.timestamp }
  })
}
