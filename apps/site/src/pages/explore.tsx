import type { TaskJson } from '@svc/client'
import { accessFee, formatAmount } from '@svc/protocol'
import { ChevronDown, Search, X } from 'lucide-react'
import { useApi } from '../api.ts'
import { PendingTransactions } from '../parts/PendingTransactions.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { TaskList, TaskListLoading } from '../parts/TaskList.tsx'
import { type TaskWords, useTaskTexts } from '../parts/useTaskTexts.ts'
import { setQuery, useLocation } from '../router.tsx'
import '../style/explore.css'
import { text } from '../text/common.ts'
import { exploreText as words } from '../text/explore.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { Note } from '../ui/Note.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { type Price, usePrice } from '../usePrice.ts'

const payFloors = [5, 20, 50, 200, 1_000] as const
const dayCaps = [1, 3, 7, 30] as const
const orders = ['newest', 'paid', 'closing'] as const

/** What the URL asks for. */
interface Filters {
  isAll: boolean
  word: string
  isFunded: boolean
  isAnyone: boolean
  /** The least pay in dollars; 0 for any. */
  pays: number
  /** The longest work in days; 0 for any. */
  days: number
  order: (typeof orders)[number]
}

/** What is cleared together. */
const noFilters = { q: null, funded: null, anyone: null, pays: null, days: null } as const

/** The tasks of a market, updated live. Filters, order and page are in the URL. */
export function ExplorePage() {
  usePageTitle(words.title)
  const market = useMarket()
  const { searchParams } = useLocation()
  const filters = readFilters(searchParams)
  const cursor = searchParams.get('cursor') ?? undefined
  const list = useApi(filters.isAll ? 'listRecentTasks' : 'listOpenTasks', {
    market,
    limit: 100,
    ...(cursor && { cursor }),
  })
  const tasks = list.body?.tasks ?? []
  const { texts, isPending: isReadingTexts } = useTaskTexts(tasks)
  const price = usePrice()
  const shown = arrange(tasks, texts, filters, price)
  const isMore = list.body ? list.body.meta.nextCursor !== null || cursor !== undefined : false
  // On a later page the number of all open tasks is not known.
  const open = cursor ? null : (list.body?.tasks.length ?? null)

  return (
    <>
      <div className="explore-head">
        <h1>{filters.isAll ? words.headingAll : words.heading(open, isMore)}</h1>
        <MarketSwitch />
      </div>
      <PendingTransactions market={market} />
      <FilterBar filters={filters} />
      <QueryView
        of={list}
        loading={
          <>
            <p className="explore-count" />
            <TaskListLoading />
          </>
        }
      >
        {({ meta }) => (
          <>
            <p className="explore-count small soft" role="status">
              {words.matching(shown.length, tasks.length)} · {text.asOfBlock(meta.block.number)}
            </p>
            {filters.pays > 0 && !price && <Note>{words.noPrice}</Note>}
            {isReadingTexts ? (
              // Rows without their first lines would grow under the reader's eyes.
              <TaskListLoading />
            ) : shown.length > 0 ? (
              <TaskList tasks={shown} texts={texts} market={market} withState={filters.isAll} />
            ) : (
              <Nothing filters={filters} />
            )}
            <nav className="explore-pages" aria-label={words.pages}>
              {isMore && <p className="small soft">{words.more(tasks.length)}</p>}
              {cursor && (
                <Button size="small" onClick={() => setQuery({ cursor: null })}>
                  {words.newest}
                </Button>
              )}
              {meta.nextCursor && (
                <Button size="small" onClick={() => setQuery({ cursor: meta.nextCursor })}>
                  {words.older}
                </Button>
              )}
            </nav>
            {shown.length > 0 && (
              <p className="tiny faint explore-foot">{words.keepExplained(formatAmount(accessFee, 'tok'))}</p>
            )}
          </>
        )}
      </QueryView>
    </>
  )
}

function FilterBar({ filters }: { filters: Filters }) {
  const { word, isFunded, isAnyone, pays, days, order, isAll } = filters
  return (
    <search className="explore-filters">
      <label className="explore-search">
        <Search size={18} aria-hidden="true" />
        <span className="visually-hidden">{words.search}</span>
        <input
          type="text"
          enterKeyHint="search"
          placeholder={words.searchHint}
          value={word}
          // The first letter is a step in the history, so Back clears the word as a whole.
          onChange={({ target }) => setQuery({ q: target.value || null }, { replace: word !== '' })}
        />
        {word && (
          <button type="button" className="copy" aria-label={words.clearSearch} onClick={() => setQuery({ q: null })}>
            <X size={16} aria-hidden="true" />
          </button>
        )}
      </label>
      <fieldset className="explore-chips">
        <legend className="visually-hidden">{words.filters}</legend>
        <Chip isOn={isFunded} onChange={(isOn) => setQuery({ funded: isOn ? '1' : null })}>
          {words.funded}
        </Chip>
        <Choice
          label={words.pays}
          value={String(pays)}
          options={[['0', words.paysAny], ...payFloors.map((usd) => [String(usd), words.paysAtLeast(usd)] as const)]}
          onChange={(value) => setQuery({ pays: value === '0' ? null : value })}
        />
        <Choice
          label={words.days}
          value={String(days)}
          options={[['0', words.daysAny], ...dayCaps.map((cap) => [String(cap), words.daysUpTo(cap)] as const)]}
          onChange={(value) => setQuery({ days: value === '0' ? null : value })}
        />
        <Chip isOn={isAnyone} onChange={(isOn) => setQuery({ anyone: isOn ? '1' : null })}>
          {words.anyone}
        </Chip>
        <Choice
          label={words.order}
          value={order}
          isPlain
          options={orders.map((each) => [each, words.orders[each]] as const)}
          onChange={(value) => setQuery({ order: value === 'newest' ? null : value })}
        />
        <Choice
          label={words.show}
          value={isAll ? 'all' : 'open'}
          options={[
            ['open', words.showOpen],
            ['all', words.showAll],
          ]}
          onChange={(value) => setQuery({ show: value === 'all' ? 'all' : null, cursor: null })}
        />
        {isFiltered(filters) && (
          <Button look="quiet" size="small" onClick={() => setQuery(noFilters)}>
            {words.clear}
          </Button>
        )}
      </fieldset>
    </search>
  )
}

function Chip({ isOn, onChange, children }: { isOn: boolean; onChange: (isOn: boolean) => void; children: string }) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {children}
    </button>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
  /** Whether every choice looks alike: sorting is not a filter. */
  isPlain?: boolean
}

/** A chip that opens a list of choices. The first is the usual one. */
function Choice({ label, value, options, onChange, isPlain = false }: ChoiceProps) {
  const isChosen = !isPlain && value !== options[0]?.[0]
  return (
    <label className={isChosen ? 'chip chip-choice chosen' : 'chip chip-choice'}>
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([each, shown]) => (
          <option key={each} value={each}>
            {shown}
          </option>
        ))}
      </select>
      <ChevronDown size={15} aria-hidden="true" />
    </label>
  )
}

function Nothing({ filters }: { filters: Filters }) {
  if (isFiltered(filters)) {
    return (
      <div className="card">
        <Empty action={<Button onClick={() => setQuery(noFilters)}>{words.clear}</Button>}>{words.emptyFiltered}</Empty>
      </div>
    )
  }
  return (
    <div className="card">
      <Empty
        action={
          <ButtonLink look="primary" href="/post">
            {words.post}
          </ButtonLink>
        }
      >
        {filters.isAll ? words.emptyAll : words.emptyOpen}
      </Empty>
    </div>
  )
}

const isFiltered = ({ word, isFunded, isAnyone, pays, days }: Filters) =>
  word !== '' || isFunded || isAnyone || pays > 0 || days > 0

function readFilters(query: URLSearchParams): Filters {
  // Only the offered values: a select cannot show another one.
  const readOneOf = (name: string, offered: readonly number[]) =>
    offered.find((each) => String(each) === query.get(name)) ?? 0
  return {
    isAll: query.get('show') === 'all',
    word: query.get('q') ?? '',
    isFunded: query.get('funded') === '1',
    isAnyone: query.get('anyone') === '1',
    pays: readOneOf('pays', payFloors),
    days: readOneOf('days', dayCaps),
    order: orders.find((each) => each === query.get('order')) ?? 'newest',
  }
}

/** Filters and sorts the loaded tasks. */
function arrange(
  tasks: readonly TaskJson[],
  texts: ReadonlyMap<string, TaskWords>,
  { word, isFunded, isAnyone, pays, days, order }: Filters,
  price: Price | null,
): readonly TaskJson[] {
  const wanted = word.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = tasks.filter((task) => {
    const total = BigInt(task.totalAmountTokWei)
    if (isFunded && BigInt(task.fundedTokWei) < total) return false
    if (isAnyone && task.claimPolicy !== 'ANYONE') return false
    if (pays > 0 && price && (Number(total) / 1e18) * price.usdPerTok < pays) return false
    if (days > 0 && task.milestones.reduce((sum, each) => sum + each.durationSeconds, 0) > days * 86_400) return false
    if (wanted.length === 0) return true
    const { title = '', excerpt = '' } = texts.get(task.id) ?? {}
    const haystack = `${title} ${excerpt}`.toLowerCase()
    return wanted.every((each) => haystack.includes(each))
  })
  if (order === 'paid') {
    return fitting.toSorted((a, b) => Number(BigInt(b.totalAmountTokWei) - BigInt(a.totalAmountTokWei)))
  }
  const close = ({ claimableUntil }: TaskJson) => claimableUntil ?? Number.MAX_SAFE_INTEGER
  return order === 'closing' ? fitting.toSorted((a, b) => close(a) - close(b)) : fitting
}
