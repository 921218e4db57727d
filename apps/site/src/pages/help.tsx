import {
  accessFee,
  entryDeposit,
  exitDeposit,
  formatAmount,
  marketParams,
  postingPlans,
  taskReserve,
} from '@svc/protocol'
import {
  appealFee,
  bps,
  defaultReviewWindow,
  judgeLockBps,
  maxRevisions,
  minBond,
  openerStakeBps,
} from '@svc/protocol/internal/money'
import { Link, setQuery, useLocation } from '../router.tsx'
import '../style/fees.css'
import '../style/help.css'
import { formatWhole } from '../text/amounts.ts'
import { spellDuration } from '../text/duration.ts'
import { feesText } from '../text/fees.ts'
import { type Guide, helpText as labels } from '../text/help.ts'
import { formatUsd } from '../ui/Amount.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { Stepper } from '../ui/Stepper.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { usePrice } from '../usePrice.ts'

const sides = ['poster', 'worker', 'judge'] as const
const share = (part: bigint) => `${Number((part * 1_000n) / bps) / 10} %`

const amounts = {
  deposit: formatWhole(entryDeposit, 'usdc'),
  reserve: formatWhole(taskReserve, 'usdc'),
  appeal: formatWhole(appealFee, 'usdc'),
  stake: share(openerStakeBps),
  lock: share(judgeLockBps),
  plan: feesText.plans.perDay(postingPlans[0].dailyLimit),
  revisions: maxRevisions,
}

/** How a task goes from a post to its payment, with the times of the chosen market. */
export function HelpPage() {
  usePageTitle(labels.title)
  const market = useMarket()
  const params = marketParams[market]
  const asked = useLocation().searchParams.get('as')
  const side = sides.find((each) => each === asked) ?? 'poster'
  const windows = {
    vet: spellDuration(params.vetWindow),
    funding: spellDuration(params.fundingWindow),
    cutoff: spellDuration(params.claimCutoff),
    review: spellDuration(defaultReviewWindow[market]),
    evidence: spellDuration(params.evidenceWindow),
    consent: spellDuration(params.consentWindow),
    ruling: spellDuration(params.rulingWindow),
    appeal: spellDuration(params.appealWindow),
    court: spellDuration(params.courtWindow),
    revision: spellDuration(params.minRevisionTime),
  }
  const price = usePrice()
  const format = (tokWei: bigint) => (price ? formatUsd(tokWei, price) : formatAmount(tokWei, 'tok'))
  const shown = { ...amounts, fee: format(accessFee), exit: format(exitDeposit), bond: format(minBond) }
  const guides = {
    poster: labels.listPoster(shown, windows),
    worker: labels.listWorker(shown, windows),
    judge: labels.listJudge(shown, windows),
  }
  return (
    <div className="fees">
      <header className="stack">
        <div className="row wrapping between">
          <h1>{labels.title}</h1>
          <MarketSwitch />
        </div>
        <p className="fees-lead soft">{labels.lead}</p>
        <div className="card pad">
          <Stepper steps={labels.steps} at={labels.steps.length} />
        </div>
      </header>
      <section className="stack" aria-label={labels.guideLabel}>
        <Tabs
          chosen={side}
          onChoose={(id) => setQuery({ as: id === 'poster' ? null : id })}
          tabs={sides.map((each) => ({
            id: each,
            label: labels.guides[each],
            content: () => <Steps of={guides[each]} />,
          }))}
        />
        <p>
          <Link href="/fees">{labels.fees}</Link>
        </p>
      </section>
      <section className="stack" aria-labelledby="silence">
        <h2 id="silence">{labels.silence.heading}</h2>
        <p className="soft">{labels.silence.description}</p>
        <table className="card fee-table">
          <thead>
            <tr>
              <th scope="col">{labels.silence.who}</th>
              <th scope="col">{labels.silence.when}</th>
              <th scope="col">{labels.silence.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {labels.silence.rows(windows).map(([who, when, then]) => (
              <tr key={who}>
                <th scope="row">{who}</th>
                <td>{when}</td>
                <td className="soft">{then}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className="stack" aria-labelledby="disputes">
        <h2 id="disputes">{labels.disputes.heading}</h2>
        <Steps of={labels.disputes.list(shown, windows)} />
      </section>
      <section className="stack" aria-labelledby="wallets">
        <h2 id="wallets">{labels.wallets.heading}</h2>
        <Steps of={labels.wallets.list} isNumbered={false} />
      </section>
      <section className="stack" aria-labelledby="agents">
        <h2 id="agents">{labels.agents.heading}</h2>
        <p className="soft fees-lead">{labels.agents.description}</p>
        <p>
          <a className="button" href="/docs">
            {labels.agents.docs}
          </a>
        </p>
      </section>
    </div>
  )
}

function Steps({ of, isNumbered = true }: { of: Guide; isNumbered?: boolean }) {
  return (
    <ol className={isNumbered ? 'guide numbered' : 'guide'}>
      {of.map(([title, description]) => (
        <li key={title}>
          <h3>{title}</h3>
          <p className="soft">{description}</p>
        </li>
      ))}
    </ol>
  )
}
