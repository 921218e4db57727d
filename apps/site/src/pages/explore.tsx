import { type Market, sanitizeText } from '@svc/protocol'
import { lazy, Suspense, useState } from 'react'
import { PendingTransactions } from '../actions/PendingTransactions.tsx'
import { useApi } from '../api.ts'
import { MarketNotice } from '../parts/MarketNotice.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { TaskCards, TaskList, TaskListLoading, ThinTasks } from '../parts/TaskList.tsx'
import { Link, setQuery, useLocation } from '../router.tsx'
import { exploreText as labels } from '../text/explore.ts'
import { formatUsd } from '../ui/Amount.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useNow } from '../ui/Time.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { usePrice } from '../usePrice.ts'
import { FilterBar } from './explore/FilterBar.tsx'
import { NewestList } from './explore/NewestList.tsx'
import {
  buildFeedPath,
  buildLastingQuery,
  buildSearchInput,
  isFiltered,
  noFilters,
  readSearch,
  type Search,
} from './explore/search.ts'
import { type FoundTask, isWithoutIndex, useSearch } from './explore/useSearch.ts'
import '../style/explore.css'

// Signing in and the notifier are for few visitors.
const SaveSearch = lazy(async () => ({ default: (await import('./explore/SaveSearch.tsx')).SaveSearch }))

/** The most characters of a name of a saved search. */
const maxName = 80

/** The tasks of a market, searched and updated live. The search is in the URL. */
export function ExplorePage() {
  usePageTitle(labels.title)
  const market = useMarket()
  const { searchParams } = useLocation()
  const search = readSearch(searchParams)
  const isAll = searchParams.get('show') === 'all'
  const price = usePrice()
  const hasNotifier = Boolean(useApi('getSiteConfig', { market }).body?.notifier)
  const [isSaving, setSaving] = useState(false)
  const input = buildSearchInput(search, { market, usdPerTok: price?.usdPerTok ?? null, now: useNow() })
  const found = useSearch(input, !isAll)
  const tasks = found.body?.tasks
  // How many there are is known only if nothing is left out.
  const open = isFiltered(search) || search.isWaiting ? null : (tasks?.length ?? null)
  const worth =
    price && tasks && !found.hasMore
      ? formatUsd(
          tasks.reduce((sum, each) => sum + BigInt(each.totalAmountTokWei), 0n),
          price,
        )
      : null
  const isWithoutSearch = !isAll && isWithoutIndex(found.error)
  // Dollars are not compared then. What lasts must not lose the range of pay, so it waits for a price.
  const isWithoutPrice = search.pays !== '' && !price
  const canLast = !isAll && !isWithoutPrice
  return (
    <>
      <div className="explore-head">
        <h1>
          {isAll
            ? labels.headingAll
            : search.isWaiting
              ? labels.headingWaiting
              : worth !== null && open
                ? labels.headingWorth(open, worth)
                : labels.heading(open, found.hasMore ?? false)}
        </h1>
        <MarketSwitch />
      </div>
      <MarketNotice />
      <PendingTransactions market={market} />
      <FilterBar search={search} shown={isAll ? 'all' : search.isWaiting ? 'waiting' : 'open'} />
      {isWithoutPrice && <Note>{labels.noPrice}</Note>}
      {isAll || isWithoutSearch ? (
        <div className="stack">
          {isWithoutSearch && <Note tone="turn">{labels.noIndex}</Note>}
          <NewestList market={market} isAll={isAll} />
        </div>
      ) : (
        <QueryView of={found} loading={<ResultsLoading />}>
          {({ suggestion }) => (
            <div aria-busy={found.isBefore}>
              <p className="explore-count small soft" role="status">
                {labels.found(tasks?.length ?? 0, found.hasMore ?? false)}
              </p>
              <Results tasks={tasks ?? []} suggestion={suggestion} market={market} search={search} />
              {found.hasMore && (
                <p className="explore-pages">
                  <Button busy={found.isLoadingMore} onClick={found.loadMore}>
                    {labels.more}
                  </Button>
                </p>
              )}
            </div>
          )}
        </QueryView>
      )}
      {canLast && (
        <p className="small explore-foot">
          <a href={buildFeedPath(input)}>{labels.feed}</a>
        </p>
      )}
      {canLast && hasNotifier && (
        <details
          className="small explore-foot"
          open={isSaving}
          onToggle={(event) => setSaving(event.currentTarget.open)}
        >
          <summary>{labels.save.title}</summary>
          {isSaving && (
            <Suspense fallback={<Skeleton lines={2} />}>
              <SaveSearch query={buildLastingQuery(input)} name={nameSearch(search, market)} />
            </Suspense>
          )}
        </details>
      )}
    </>
  )
}

/** A name for a search, from what people know it by. */
function nameSearch({ q, tags }: Search, market: Market): string {
  const known = [q, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' ')
  return (known || labels.save.unnamed(market)).slice(0, maxName).toWellFormed()
}

/** How many tasks are cards, and how many full rows. The rest is a line each. */
const weights = { first: 2, rows: 5 } as const

interface ResultsProps {
  tasks: readonly FoundTask[]
  /** Words that would find something. */
  suggestion: string | undefined
  market: Market
  search: Search
}

function Results({ tasks, suggestion, market, search }: ResultsProps) {
  if (tasks.length === 0) return <Nothing isFiltered={isFiltered(search)} suggestion={suggestion} />
  const isPlain = isFiltered(search) || search.isWaiting || search.sort !== 'newest' || tasks.length < weights.first + 2
  if (isPlain)
    return (
      <TaskList tasks={tasks} market={market} withState={search.isWaiting} withRate={search.sort === 'payPerHour'} />
    )
  const best = tasks
    .toSorted((a, b) => Number(BigInt(b.totalAmountTokWei) - BigInt(a.totalAmountTokWei)))
    .slice(0, weights.first)
  const others = tasks.filter((task) => !best.includes(task))
  const rest = others.slice(weights.rows)
  return (
    <>
      <TaskCards tasks={best} market={market} />
      <TaskList tasks={others.slice(0, weights.rows)} market={market} />
      {rest.length > 0 && (
        <>
          <h2 className="explore-rest">{labels.rest}</h2>
          <ThinTasks tasks={rest} market={market} />
        </>
      )}
    </>
  )
}

/** The place of the count and of the rows. */
const ResultsLoading = () => (
  <>
    <p className="explore-count" />
    <TaskListLoading />
  </>
)

function Nothing({ isFiltered: isSearch, suggestion }: { isFiltered: boolean; suggestion: string | undefined }) {
  const query = new URLSearchParams(useLocation().searchParams)
  if (suggestion !== undefined) query.set('q', suggestion)
  return (
    <div className="card">
      {isSearch ? (
        <Empty action={<Button onClick={() => setQuery(noFilters)}>{labels.clear}</Button>}>
          {labels.emptyFiltered}
          {suggestion !== undefined && (
            <>
              {' '}
              {labels.suggests}{' '}
              <Link href={`/tasks?${query}`} dir="auto">
                {sanitizeText(suggestion)}
              </Link>
              ?
            </>
          )}
        </Empty>
      ) : (
        <Empty
          action={
            <ButtonLink look="primary" href="/post">
              {labels.post}
            </ButtonLink>
          }
        >
          {labels.emptyOpen}
        </Empty>
      )}
    </div>
  )
}
