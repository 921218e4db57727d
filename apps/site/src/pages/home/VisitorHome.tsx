import type { TaskJson } from '@svc/client'
import type { OutputJson } from '@svc/operations'
import { accessFee, entryDeposit, exitDeposit, formatAmount, taskReserve } from '@svc/protocol'
import { defaultReviewWindow } from '@svc/protocol/internal/money'
import { CircleCheck, PackageCheck, Plus } from 'lucide-react'
import { useApi } from '../../api.ts'
import { Link } from '../../router.tsx'
import { formatWhole } from '../../text/amounts.ts'
import { text } from '../../text/common.ts'
import { spellDuration } from '../../text/duration.ts'
import { homeText as labels, listQuestions } from '../../text/home.ts'
import { Amount, formatShort, formatUsd } from '../../ui/Amount.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { MarketSwitch } from '../../ui/MarketSwitch.tsx'
import { useMarket } from '../../useMarket.ts'
import { usePageTitle } from '../../usePageTitle.ts'
import { type Price, usePrice } from '../../usePrice.ts'
import { ExampleTask } from './ExampleTask.tsx'
import { firstPageInput } from './lists.ts'
import { OpenTasks } from './OpenTasks.tsx'
import '../../style/home.css'

const stepIcons = [Plus, PackageCheck, CircleCheck] as const

type TaskListJson = OutputJson<'listOpenTasks'>

/** What a stranger reads first: what this is, who pays whom, what it costs, and real work. */
export function VisitorHome() {
  usePageTitle(labels.title)
  const market = useMarket()
  const open = useApi('listOpenTasks', firstPageInput(market)).body
  return (
    <div className="home">
      <section className="hero">
        <div className="hero-text">
          <h1>
            {labels.titleLines.map((line) => (
              <span key={line}>{line} </span>
            ))}
          </h1>
          <p className="hero-lead soft">{labels.lead}</p>
          <div className="hero-buttons">
            <ButtonLink look="primary" size="big" href="/tasks">
              {labels.explore(open ? labels.count(open.tasks.length, open.meta.nextCursor !== null) : null)}
            </ButtonLink>
            <ButtonLink size="big" href="/post">
              {labels.post}
            </ButtonLink>
          </div>
          <p className="small faint">{labels.noAccount}</p>
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
        <h2 id="numbers">{labels.stats.heading(text.market[market])}</h2>
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
            {recent.meta.nextCursor === null ? labels.stats.ofAll : labels.stats.ofNewest(recent.tasks.length)}{' '}
            <a href={`/api/market/recent?market=${market}`}>{labels.stats.raw}</a>
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
    [labels.count(open.tasks.length, open.meta.nextCursor !== null), labels.stats.open] as const,
    ...(heldTokWei > 0n ? [worth(heldTokWei, labels.stats.held)] : []),
    ...(paidTokWei > 0n ? [worth(paidTokWei, labels.stats.paid)] : []),
    ...(paidTasks > 0 ? [[labels.count(paidTasks, false), labels.stats.paidTasks] as const] : []),
  ]
}

const Steps = () => (
  <section className="stack loose" aria-labelledby="steps">
    <h2 id="steps">{labels.steps.heading}</h2>
    <ol className="three-steps">
      {labels.steps.list.map(([title, description], index) => {
        const Icon = stepIcons[index] ?? Plus
        return (
          <li key={title}>
            <span className="step-icon">
              <Icon size={22} aria-hidden="true" />
            </span>
            <h3>{title}</h3>
            <p className="soft">{description}</p>
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
        <h2 id="costs">{labels.costs.heading}</h2>
        <p className="soft">{labels.costs.tok(price && formatUsd(accessFee, price), fee)}</p>
        <p className="soft">{labels.costs.gas}</p>
        <p>
          <Link href="/fees">{labels.costs.all}</Link>
        </p>
      </div>
      <dl className="cost-list">
        <div>
          <dt>{labels.costs.post}</dt>
          <dd>
            <Amount of={accessFee} usd />
          </dd>
        </div>
        <div>
          <dt>{labels.costs.claim}</dt>
          <dd>
            <Amount of={accessFee} usd />
          </dd>
        </div>
        <div>
          <dt>{labels.costs.exit}</dt>
          <dd>
            <Amount of={exitDeposit} usd />
          </dd>
        </div>
        <div>
          <dt>{labels.costs.deposit}</dt>
          <dd>{formatWhole(entryDeposit, 'usdc')}</dd>
        </div>
        <div>
          <dt>{labels.costs.share}</dt>
          <dd>{labels.costs.nothing}</dd>
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
        <h2 id="questions">{labels.questions.heading}</h2>
        <p>
          <Link href="/help">{labels.questions.more}</Link>
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

/** What the newest tasks of a market add up to. */
interface MarketNumbers {
  paidTokWei: bigint
  heldTokWei: bigint
  /** Tasks that paid their worker anything. */
  paidTasks: number
}

/** Adds up what tasks paid, and what they hold now. */
function addUpTasks(tasks: readonly TaskJson[]): MarketNumbers {
  const numbers: MarketNumbers = { paidTokWei: 0n, heldTokWei: 0n, paidTasks: 0 }
  for (const { fundedTokWei, releasedTokWei, refundedTokWei } of tasks) {
    const released = BigInt(releasedTokWei)
    numbers.paidTokWei += released
    numbers.heldTokWei += BigInt(fundedTokWei) - released - BigInt(refundedTokWei)
    if (released > 0n) numbers.paidTasks++
  }
  return numbers
}
