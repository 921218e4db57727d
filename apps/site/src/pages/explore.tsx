import { type Market, sanitizeText } from '@svc/protocol'
import { SearchX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { PendingTransactions } from '../actions/PendingTransactions.tsx'
import { useApi } from '../api.ts'
import { Faces } from '../parts/Faces.tsx'
import { MarketNotice } from '../parts/MarketNotice.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { TagLink } from '../parts/TagLink.tsx'
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
import { useWallet } from '../wallet/useWallet.ts'
import { chooseFirst } from './explore/chooseFirst.ts'
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
/** The most tags beside the list. */
const mostSkills = 9

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
    <div className="explore">
      <div className="explore-main">
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
                <p
                  className={open === null && tasks?.length ? 'explore-count small soft' : 'visually-hidden'}
                  role="status"
                >
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
      </div>
      <aside className="explore-side" aria-label={labels.side}>
        <Faces market={market} count={3} heading={labels.people(search.q)} words={search.q} isList />
        {canLast && (
          <section className="card pad stack">
            {hasNotifier && (
              <details open={isSaving} onToggle={(event) => setSaving(event.currentTarget.open)}>
                <summary>{labels.save.title}</summary>
                {isSaving && (
                  <Suspense fallback={<Skeleton lines={2} />}>
                    <SaveSearch query={buildLastingQuery(input)} name={nameSearch(search, market)} />
                  </Suspense>
                )}
              </details>
            )}
            <p className="small">
              <a href={buildFeedPath(input)}>{labels.feed}</a>
            </p>
          </section>
        )}
        <PopularSkills tasks={tasks ?? []} market={market} />
      </aside>
    </div>
  )
}

/** The tags that most of these tasks have. */
function PopularSkills({ tasks, market }: { tasks: readonly FoundTask[]; market: Market }) {
  const counts = new Map<string, number>()
  for (const tag of tasks.flatMap(({ tags }) => tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const popular = [...counts].sort(([, a], [, b]) => b - a).slice(0, mostSkills)
  if (popular.length === 0) return null
  return (
    <section className="stack tight">
      <h2 className="small">{labels.skills}</h2>
      <p className="row wrapping">
        {popular.map(([tag]) => (
          <TagLink key={tag} tag={tag} market={market} />
        ))}
      </p>
    </section>
  )
}

/** A name for a search, from what people know it by. */
function nameSearch({ q, tags }: Search, market: Market): string {
  const known = [q, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' ')
  return (known || labels.save.unnamed(market)).slice(0, maxName).toWellFormed()
}

/** The tasks that the visitor finished here. */
function useFinished(market: Market) {
  const { address } = useWallet()
  const { body } = useApi(
    'listTasksByWorker',
    { address: address ?? '', market, limit: 50, texts: 'true' },
    address !== undefined,
  )
  return body?.tasks.filter(({ state }) => state === 'COMPLETED') ?? []
}

/** Fewer tasks than this are full rows. */
const fewest = 4
/** How many tasks are full rows, after the cards. The rest is a line each. */
const fullRows = 5

interface ResultsProps {
  tasks: readonly FoundTask[]
  /** Words that would find something. */
  suggestion: string | undefined
  market: Market
  search: Search
}

function Results({ tasks, suggestion, market, search }: ResultsProps) {
  const finished = useFinished(market)
  if (tasks.length === 0) return <Nothing isFiltered={isFiltered(search)} suggestion={suggestion} />
  const isPlain = isFiltered(search) || search.isWaiting || search.sort !== 'newest' || tasks.length < fewest
  if (isPlain)
    return (
      <TaskList tasks={tasks} market={market} withState={search.isWaiting} withRate={search.sort === 'payPerHour'} />
    )
  const first = chooseFirst(tasks, finished)
  const others = tasks.filter((task) => first.every((each) => each.task !== task))
  const rest = others.slice(fullRows)
  return (
    <>
      <TaskCards tasks={first} />
      <TaskList tasks={others.slice(0, fullRows)} market={market} />
      {rest.length > 0 && (
        <>
          <div className="row between explore-rest">
            <h2>{labels.rest}</h2>
            <span className="small soft">{labels.newestFirst}</span>
          </div>
          <ThinTasks tasks={rest} />
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
        <Empty icon={SearchX} action={<Button onClick={() => setQuery(noFilters)}>{labels.clear}</Button>}>
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
