import type { Market } from '@svc/protocol'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** At most one round of reads in this time, however many events arrive. */
const intervalMs = 1_000

/** A refused stream is requested again after this time, or up to twice as long. */
const retryMs = 10_000

/** Reads which task an event of the stream is about; null for events of wallets and of the market. */
function readTaskId(data: string): string | null {
  const event: unknown = JSON.parse(data)
  const isOfTask = typeof event === 'object' && event !== null && 'taskId' in event
  return isOfTask && typeof event.taskId === 'string' ? event.taskId : null
}

/** Reads again what an event of the market has changed: its task, the lists of its market, and the wallet. */
export function useLiveUpdates(market: Market): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refresh = createRefresher((touched) => invalidate(queries, market, touched))
    let retry: ReturnType<typeof setTimeout> | undefined
    let source = open()
    function open(): EventSource {
      const opened = new EventSource(`/api/market/events?market=${market}`)
      // The stream does not report what happened between the first read and now.
      opened.onopen = () => refresh.everything()
      opened.onmessage = ({ data }: MessageEvent<string>) => refresh.add(readTaskId(data))
      opened.addEventListener('reorg', refresh.everything)
      opened.addEventListener('lost', refresh.everything)
      // The browser reconnects after a lost connection, but never after a refusal such as 429 or 503.
      opened.onerror = () => {
        if (opened.readyState !== EventSource.CLOSED) return
        retry = setTimeout(
          () => {
            source = open()
          },
          retryMs * (1 + Math.random()),
        )
      }
      return opened
    }
    return () => {
      clearTimeout(retry)
      refresh.stop()
      source.close()
    }
  }, [market, queries])
}

/** Collects what events touch, and hands it on at once and then at most once per interval. Null means everything. */
export function createRefresher(flush: (touched: ReadonlySet<string> | null) => void) {
  let touched: Set<string> | null = new Set()
  let isDirty = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    if (!isDirty) return
    const batch = touched
    touched = new Set()
    isDirty = false
    // The next batch waits, also while events keep coming.
    timer = setTimeout(run, intervalMs)
    flush(batch)
  }
  const mark = () => {
    isDirty = true
    if (timer === undefined) run()
  }
  return {
    add(taskId: string | null) {
      if (taskId !== null) touched?.add(taskId)
      mark()
    },
    everything() {
      touched = null
      mark()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Reads of one task. All other reads of a market can change with any of its events. */
const taskReads: readonly string[] = ['getTask', 'listSteps']
/** Reads that no event changes. */
const fixedReads: readonly string[] = ['getSiteConfig', 'listTitles', 'getTokPrice', 'previewPlanPrice']

function invalidate(queries: QueryClient, market: Market, touched: ReadonlySet<string> | null): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey: [name, input] }) => {
      if (typeof name !== 'string' || fixedReads.includes(name)) return false
      const { id, market: of } = (input ?? {}) as { id?: string; market?: string }
      if (taskReads.includes(name)) return touched === null || touched.has(id ?? '')
      return of === undefined || of === market
    },
  })
}
