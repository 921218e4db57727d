import type { OutputJson } from '@svc/operations'
import { accessFee, defaultReviewWindow, entryDeposit, exitDeposit, formatAmount, taskReserve } from '@svc/protocol'
import { CircleCheck, PackageCheck, Plus } from 'lucide-react'
import { useApi } from '../../api.ts'
import { Link } from '../../router.tsx'
import '../../style/home.css'
import { text } from '../../text/common.ts'
import { spellDuration } from '../../text/duration.ts'
import { listQuestions, homeText as words } from '../../text/home.ts'
import { Amount, formatShort, formatUsd, formatWhole } from '../../ui/Amount.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { MarketSwitch } from '../../ui/MarketSwitch.tsx'
import { useMarket } from '../../useMarket.ts'
import { usePageTitle } from '../../usePageTitle.ts'
import { type Price, usePrice } from '../../usePrice.ts'
import { ExampleTask } from './ExampleTask.tsx'
import { firstPageInput } from './lists.ts'
import { addUpTasks } from './marketNumbers.ts'
import { OpenTasks } from './OpenTasks.tsx'

const stepIcons = [Plus, PackageCheck, CircleCheck] as const

type TaskListJson = OutputJson<'listOpenTasks'>

/** What a stranger reads first: what this is, who pays whom, what it costs, and real work. */
export function StrangerHome() {
  usePageTitle(words.title)
  const market = useMarket()
  const open = useApi('listOpenTasks', firstPageInput(market)).body
  return (
    <div className="home">
      <section className="hero">
        <div className="hero-text">
          <h1>
            {words.titleLines.map((line) => (
              <span key={line}>{line} </span>
            ))}
          </h1>
          <p className="hero-lead soft">{words.lead}</p>
          <div className="hero-buttons">
            <ButtonLink look="primary" size="big" href="/tasks">
              {words.explore(open ? words.count(open.tasks.length, open.meta.nextCursor !== null) : null)}
            </ButtonLink>
            <ButtonLink size="big" href="/post">
              {words.post}
            </ButtonLink>
          </div>
          <p className="small faint">{words.noAccount}</p>
        </div>
        <ExampleTask market={market} />
      </section>
      <Numbers />
      <Steps />
      <OpenTasks />
      <Costs />
      <Questions />
    </div>
  )
}

/** Live numbers of one market, from its newest tasks. Those that are zero are left out. */
function Numbers() {
  const market = useMarket()
  const open = useApi('listOpenTasks', firstPageInput(market)).body
  const { body: recent, error } = useApi('listRecentTasks', firstPageInput(market))
  const price = usePrice()
  if (!recent && error) return null
  return (
    <section className="stack" aria-labelledby="numbers">
      <div className="row wrapping between">
        <h2 id="numbers">{words.stats.heading(text.market[market])}</h2>
        <MarketSwitch />
      </div>
      <ul className="numbers">
        {recent && open
          ? listNumbers(open, recent, price).map(([value, label]) => (
              <li key={label}>
                <b>{value}</b>
                <span className="small soft">{label}</span>
              </li>
            ))
          : [0, 1, 2, 3].map((each) => (
              <li key={each} className="loading">
                <span className="skeleton skeleton-1" />
                <span className="skeleton skeleton-0" />
              </li>
            ))}
      </ul>
      <p className="tiny faint numbers-foot">
        {recent && (
          <>
            {text.asOfBlock(recent.meta.block.number)}.{' '}
            {recent.meta.nextCursor === null ? words.stats.ofAll : words.stats.ofNewest(recent.tasks.length)}{' '}
            <a href={`/api/market/recent?market=${market}`}>{words.stats.raw}</a>
          </>
        )}
      </p>
    </section>
  )
}

function listNumbers(open: TaskListJson, recent: TaskListJson, price: Price | null) {
  const { paidTokWei, heldTokWei, paidTasks } = addUpTasks(recent.tasks)
  const worth = (amount: bigint, label: (tok: string | null) => string) =>
    price
      ? ([formatUsd(amount, price), label(formatShort(amount, 'tok'))] as const)
      : ([formatShort(amount, 'tok'), label(null)] as const)
  return [
    [words.count(open.tasks.length, open.meta.nextCursor !== null), words.stats.open] as const,
    ...(heldTokWei > 0n ? [worth(heldTokWei, words.stats.held)] : []),
    ...(paidTokWei > 0n ? [worth(paidTokWei, words.stats.paid)] : []),
    ...(paidTasks > 0 ? [[words.count(paidTasks, false), words.stats.paidTasks] as const] : []),
  ]
}

const Steps = () => (
  <section className="stack loose" aria-labelledby="steps">
    <h2 id="steps">{words.steps.heading}</h2>
    <ol className="three-steps">
      {words.steps.list.map(([title, says], index) => {
        const Icon = stepIcons[index] ?? Plus
        return (
          <li key={title}>
            <span className="step-icon">
              <Icon size={22} aria-hidden="true" />
            </span>
            <h3>{title}</h3>
            <p className="soft">{says}</p>
          </li>
        )
      })}
    </ol>
  </section>
)

function Costs() {
  const price = usePrice()
  const fee = formatAmount(accessFee, 'tok')
  return (
    <section className="costs" aria-labelledby="costs">
      <div className="stack">
        <h2 id="costs">{words.costs.heading}</h2>
        <p className="soft">{words.costs.tok(price && formatUsd(accessFee, price), fee)}</p>
        <p className="soft">{words.costs.gas}</p>
        <p>
          <Link href="/fees">{words.costs.all}</Link>
        </p>
      </div>
      <dl className="cost-list">
        <div>
          <dt>{words.costs.post}</dt>
          <dd>
            <Amount of={accessFee} usd />
          </dd>
        </div>
        <div>
          <dt>{words.costs.claim}</dt>
          <dd>
            <Amount of={accessFee} usd />
          </dd>
        </div>
        <div>
          <dt>{words.costs.exit}</dt>
          <dd>
            <Amount of={exitDeposit} usd />
          </dd>
        </div>
        <div>
          <dt>{words.costs.deposit}</dt>
          <dd>{formatWhole(entryDeposit, 'usdc')}</dd>
        </div>
        <div>
          <dt>{words.costs.share}</dt>
          <dd>{words.costs.nothing}</dd>
        </div>
      </dl>
    </section>
  )
}

function Questions() {
  const market = useMarket()
  const price = usePrice()
  const questions = listQuestions({
    fee: formatAmount(accessFee, 'tok'),
    feeUsd: price && formatUsd(accessFee, price),
    deposit: formatWhole(entryDeposit, 'usdc'),
    reserve: formatWhole(taskReserve, 'usdc'),
    review: spellDuration(defaultReviewWindow[market]),
  })
  return (
    <section className="costs" aria-labelledby="questions">
      <div className="stack">
        <h2 id="questions">{words.questions.heading}</h2>
        <p>
          <Link href="/help">{words.questions.more}</Link>
        </p>
      </div>
      <div className="questions">
        {questions.map(([question, answer]) => (
          <details key={question}>
            <summary>{question}</summary>
            <p className="soft">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
