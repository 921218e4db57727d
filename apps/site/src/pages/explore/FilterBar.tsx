import { ChevronDown, Search as SearchIcon, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { setQuery } from '../../router.tsx'
import { exploreText as labels } from '../../text/explore.ts'
import { formatShort } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import {
  closingDays,
  isFiltered,
  maxWords,
  noFilters,
  payRanges,
  posterScores,
  readRange,
  type Search,
} from './search.ts'

const typingPauseMs = 250

/** The choice of a range in TOK, which only a link can bring. */
const tokRange = 'tok'

/** What the page shows: tasks that can be claimed, all that wait for a worker, or all that there are. */
export type Shown = 'open' | 'waiting' | 'all'

/** The words, filters and order of a search. Every choice is in the URL. */
export function FilterBar({ search, shown }: { search: Search; shown: Shown }) {
  const { q, tags, pays, minPayTokWei, maxPayTokWei, funded, claimPolicy, closes, minPosterScore, sort } = search
  const hasTokRange = minPayTokWei !== null || maxPayTokWei !== null
  // The list of all tasks cannot be searched: a filter goes back to those that wait for a worker.
  const change = (changes: Readonly<Record<string, string | null>>, options?: { replace: boolean }) =>
    setQuery({ cursor: null, ...(shown === 'all' && { show: null }), ...changes }, options)
  return (
    <search className="explore-filters">
      <SearchBox
        words={q}
        // The first word is a step in the history, so Back clears it as a whole.
        onSearch={(next) => change({ q: next || null }, { replace: q !== '' && next !== '' })}
      />
      <fieldset className="explore-chips">
        <legend className="visually-hidden">{labels.filters}</legend>
        {tags.map((tag) => (
          <button
            key={tag}
            type="button"
            className="chip chip-tag"
            aria-label={labels.removeTag(tag)}
            onClick={() => change({ tags: tags.filter((each) => each !== tag).join(',') || null })}
          >
            {tag} <X size={14} aria-hidden="true" />
          </button>
        ))}
        <Chip isOn={funded} onChange={(isOn) => change({ funded: isOn ? 'true' : null })}>
          {labels.funded}
        </Chip>
        <Choice
          label={labels.pays}
          value={pays || (hasTokRange ? tokRange : '')}
          usual={['', labels.paysAny]}
          options={payRanges}
          describe={(value) => (value === tokRange ? describeTokRange(search) : describeRange(value))}
          onChange={(value) => change({ pays: value || null, minPayTokWei: null, maxPayTokWei: null })}
        />
        <Choice
          label={labels.policies}
          value={claimPolicy ?? ''}
          usual={['', labels.policyAny]}
          options={['ANYONE', 'PERMIT']}
          describe={(value) => labels.policy[value === 'PERMIT' ? 'PERMIT' : 'ANYONE']}
          onChange={(value) => change({ claimPolicy: value || null })}
        />
        <Choice
          label={labels.closes}
          value={closes === 0 ? '' : String(closes)}
          usual={['', labels.closesAny]}
          options={closingDays.map(String)}
          describe={(value) => labels.closesWithin(Number(value))}
          onChange={(value) => change({ closes: value || null })}
        />
        {/* A bare number says little, so only a link brings it. */}
        {minPosterScore > 0 && (
          <Choice
            label={labels.score}
            value={minPosterScore === 0 ? '' : String(minPosterScore)}
            usual={['', labels.scoreAny]}
            options={posterScores.map(String)}
            describe={(value) => labels.scoreAtLeast(Number(value))}
            onChange={(value) => change({ minPosterScore: value || null })}
          />
        )}
        <Choice
          label={labels.show}
          value={shown}
          usual={['open', labels.shown.open]}
          options={['waiting', 'all']}
          describe={(value) => labels.shown[value === 'all' ? 'all' : 'waiting']}
          onChange={(value) =>
            // A list that cannot be searched has no filters.
            setQuery({
              cursor: null,
              status: null,
              ...(value === 'all' && noFilters),
              show: value === 'open' ? null : value,
            })
          }
        />
        {shown !== 'all' && (
          <Choice
            label={labels.order}
            value={sort}
            isPlain
            usual={q === '' ? ['newest', labels.orders.newest] : ['relevance', labels.orders.relevance]}
            options={(['newest', 'pay', 'payPerHour', 'closing'] as const).filter(
              (each) => q !== '' || each !== 'newest',
            )}
            describe={(value) => Object.entries(labels.orders).find(([name]) => name === value)?.[1] ?? value}
            onChange={(value) => change({ sort: value === (q === '' ? 'newest' : 'relevance') ? null : value })}
          />
        )}
        {isFiltered(search) && (
          <Button look="quiet" size="small" onClick={() => change(noFilters)}>
            {labels.clear}
          </Button>
        )}
      </fieldset>
    </search>
  )
}

/** The field for words. A search starts when the typing pauses, or with Enter. */
function SearchBox({ words: given, onSearch }: { words: string; onSearch: (words: string) => void }) {
  const [typed, setTyped] = useState(given)
  const sent = useRef(given)
  const search = useRef(onSearch)
  useEffect(() => {
    search.current = onSearch
  })
  useEffect(() => {
    if (given === sent.current) return
    // Back, or "Clear filters".
    sent.current = given
    setTyped(given)
  }, [given])
  const send = (next: string) => {
    if (next.trim() === sent.current) return
    sent.current = next.trim()
    search.current(sent.current)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the wait
  useEffect(() => {
    const timer = setTimeout(() => send(typed), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(typed)
      }}
    >
      <label className="explore-search">
        <SearchIcon size={18} aria-hidden="true" />
        <span className="visually-hidden">{labels.search}</span>
        <input
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={maxWords}
          placeholder={labels.searchHint}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {typed && (
          <button
            type="button"
            className="copy"
            aria-label={labels.clearSearch}
            onClick={() => {
              setTyped('')
              send('')
            }}
          >
            <X size={16} aria-hidden="true" />
          </button>
        )}
      </label>
    </form>
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
  /** The usual choice and its label. */
  usual: readonly [value: string, label: string]
  options: readonly string[]
  describe: (value: string) => string
  onChange: (value: string) => void
  /** Whether every choice looks alike: sorting is not a filter. */
  isPlain?: boolean
}

/** A chip that opens a list of choices. A value of the URL that is not offered is one of them. */
function Choice({ label, value, usual, options, describe, onChange, isPlain = false }: ChoiceProps) {
  const isChosen = !isPlain && value !== usual[0]
  const offered = value === usual[0] || options.includes(value) ? options : [...options, value]
  return (
    <label className={isChosen ? 'chip chip-choice chosen' : 'chip chip-choice'}>
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value={usual[0]}>{usual[1]}</option>
        {offered.map((each) => (
          <option key={each} value={each}>
            {describe(each)}
          </option>
        ))}
      </select>
      <ChevronDown size={15} aria-hidden="true" />
    </label>
  )
}

function describeRange(text: string): string {
  const { min, max } = readRange(text) ?? { min: 0, max: null }
  const usd = (amount: number) => `$${amount.toLocaleString('en')}`
  if (max === null) return labels.paysAtLeast(usd(min))
  return min === 0 ? labels.paysAtMost(usd(max)) : labels.paysBetween(usd(min), usd(max))
}

function describeTokRange({ minPayTokWei, maxPayTokWei }: Search): string {
  const tok = (amount: string) => formatShort(BigInt(amount), 'tok')
  if (maxPayTokWei === null) return labels.paysAtLeast(tok(minPayTokWei ?? '0'))
  return minPayTokWei === null
    ? labels.paysAtMost(tok(maxPayTokWei))
    : labels.paysBetween(tok(minPayTokWei), tok(maxPayTokWei))
}
