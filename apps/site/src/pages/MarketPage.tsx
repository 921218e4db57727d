import { parseAmount } from '@svc/protocol'
import { useApi } from '../api.ts'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { PendingTransactions } from '../parts/PendingTransactions.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { TaskTable } from '../parts/TaskTable.tsx'
import { Time } from '../parts/values.tsx'
import { setQuery, useLocation } from '../router.tsx'
import { useLiveUpdates } from '../useLiveUpdates.ts'

/** The tasks of a market, updated live: open ones or all. Filters, order and page are in the URL. */
export function MarketPage() {
  const market = useMarket()
  const { searchParams } = useLocation()
  const isAll = searchParams.get('show') === 'all'
  const cursor = searchParams.get('cursor') ?? undefined
  const order = searchParams.get('order') ?? 'newest'
  const least = searchParams.get('least') ?? ''
  const list = useApi(isAll ? 'listRecentTasks' : 'listOpenTasks', { market, limit: 50, ...(cursor && { cursor }) })
  const isLive = useLiveUpdates(market)

  return (
    <>
      <h1>Market</h1>
      <div className="filters">
        <MarketChoice />
        <fieldset className="choice">
          <legend>Show</legend>
          {(['open', 'all'] as const).map((show) => (
            <label key={show}>
              <input
                type="radio"
                name="show"
                checked={(show === 'all') === isAll}
                onChange={() => setQuery({ show: show === 'all' ? 'all' : null, cursor: null })}
              />
              {show === 'open' ? 'claimable' : 'every state'}
            </label>
          ))}
        </fieldset>
        <label>
          Order of this page
          <select
            value={order}
            onChange={({ target }) => setQuery({ order: target.value === 'newest' ? null : target.value })}
          >
            <option value="newest">newest first</option>
            <option value="amount">best paid first</option>
            <option value="deadline">shortest clock first</option>
          </select>
        </label>
        <label>
          Pays at least, in TOK
          <input
            inputMode="decimal"
            defaultValue={least}
            onBlur={({ target }) => setQuery({ least: target.value.trim() || null })}
            onKeyDown={(event) =>
              event.key === 'Enter' && setQuery({ least: event.currentTarget.value.trim() || null })
            }
          />
        </label>
      </div>
      <PendingTransactions market={market} />
      <QueryView of={list}>
        {({ tasks, meta }) => (
          <>
            <p className="stamp">
              Block {meta.block.number}, <Time at={meta.block.timestamp} />
              {isLive ? ' · live' : ' · every 15 s'}
            </p>
            <TaskTable
              tasks={arrange(tasks, order, least)}
              empty={
                isAll
                  ? 'Nothing was posted in this market yet. Be the first: post a task.'
                  : 'Nothing can be claimed here now. Look at every state, or at the other market.'
              }
            />
            <nav className="pages" aria-label="Pages">
              {cursor && (
                <button type="button" onClick={() => setQuery({ cursor: null })}>
                  Newest
                </button>
              )}
              {meta.nextCursor && (
                <button type="button" onClick={() => setQuery({ cursor: meta.nextCursor })}>
                  Older
                </button>
              )}
            </nav>
          </>
        )}
      </QueryView>
    </>
  )
}

type Tasks = NonNullable<ReturnType<typeof useApi<'listOpenTasks'>>['body']>['tasks']

function arrange(tasks: Tasks, order: string, least: string): Tasks {
  let floor = 0n
  try {
    floor = least === '' ? 0n : parseAmount(least, 'tok')
  } catch {
    // Ignore a filter that is not an amount.
  }
  const fitting = tasks.filter(({ totalAmountTokWei }) => BigInt(totalAmountTokWei) >= floor)
  const clock = ({ claimableUntil, reviewEnd, deadline }: Tasks[number]) =>
    reviewEnd ?? deadline ?? claimableUntil ?? Number.MAX_SAFE_INTEGER
  if (order === 'amount') {
    return fitting.toSorted((a, b) => (BigInt(a.totalAmountTokWei) < BigInt(b.totalAmountTokWei) ? 1 : -1))
  }
  return order === 'deadline' ? fitting.toSorted((a, b) => clock(a) - clock(b)) : fitting
}
