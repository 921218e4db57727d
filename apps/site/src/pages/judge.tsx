import type { OutputJson } from '@svc/operations'
import { bps, computeJudgeLock, judgeLockBps, rulingFee } from '@svc/protocol/internal/money'
import { ActionButton } from '../actions/ActionButton.tsx'
import { useApi } from '../api.ts'
import { InboxList } from '../parts/InboxList.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { judgeText as labels } from '../text/judge.ts'
import { Amount } from '../ui/Amount.tsx'
import { Note } from '../ui/Note.tsx'
import { Time, useNow } from '../ui/Time.tsx'
import { useMarket } from '../useMarket.ts'
import { Connect } from '../wallet/Connect.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import '../style/judge.css'

/** Amounts of TOK that the table of pay and risk shows. */
const examples = [8_000n, 200_000n, 2_000_000n].map((tok) => tok * 10n ** 18n)

/** The user as a judge: cases, bond, pay and risk, and for everybody how to become one. */
export function JudgePage() {
  const { address } = useWallet()
  return (
    <>
      <PageHead title={labels.title} description={labels.description} />
      {address && <Cases address={address} />}
      <div className="split side-first">
        <div className="stack">
          <Pay />
          <HowTo />
        </div>
        <div className="stack">
          {address ? (
            <Bond address={address} />
          ) : (
            <section className="card pad panel">
              <h2>{labels.bond.title}</h2>
              <p className="soft">{labels.bond.none}</p>
              <p>
                <Connect />
              </p>
            </section>
          )}
        </div>
      </div>
    </>
  )
}

function Cases({ address }: { address: string }) {
  const found = useApi('listInbox', { address, market: useMarket() })
  return (
    <section className="panel cases">
      <h2>{labels.cases}</h2>
      <QueryView of={found}>
        {({ entries }) => {
          const cases = entries.filter(({ role }) => role !== 'poster' && role !== 'worker')
          return cases.length > 0 ? <InboxList entries={cases} /> : <p className="card pad soft">{labels.noCases}</p>
        }}
      </QueryView>
    </section>
  )
}

function Bond({ address }: { address: string }) {
  const found = useApi('getWallet', { address, market: useMarket() })
  return (
    <section className="card pad panel">
      <h2>{labels.bond.title}</h2>
      <QueryView of={found}>
        {(wallet) => (
          <>
            {wallet.arbitrator && BigInt(wallet.arbitrator.bondTokWei) > 0n ? (
              <BondFacts arbitrator={wallet.arbitrator} />
            ) : (
              <>
                <p className="soft">{labels.bond.none}</p>
                <ActionButton name="register-arbitrator" label={labels.bond.become} look="primary" wide />
              </>
            )}
            {BigInt(wallet.awardsTokWei) > 0n && (
              <div className="row between">
                <span className="small">
                  {labels.bond.award}: <Amount of={wallet.awardsTokWei} />
                </span>
                <ActionButton name="withdraw-award" size="small" start={{ to: address }} />
              </div>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

type Arbitrator = NonNullable<OutputJson<'getWallet'>['arbitrator']>

function BondFacts({ arbitrator }: { arbitrator: Arbitrator }) {
  const now = useNow()
  const { bondTokWei, lockedTokWei, unbondAt } = arbitrator
  const free = BigInt(bondTokWei) - BigInt(lockedTokWei)
  return (
    <>
      <p className="big-number">
        <Amount of={bondTokWei} usd />
      </p>
      {unbondAt !== null && (
        <Note>
          <p>
            {now < unbondAt ? (
              <>
                {labels.bond.unbonding} <Time at={unbondAt} />.
              </>
            ) : (
              labels.bond.unbondReady
            )}
          </p>
        </Note>
      )}
      <dl className="facts">
        <dt>{labels.bond.locked}</dt>
        <dd>
          <Amount of={lockedTokWei} />
        </dd>
        <dt>{labels.bond.free}</dt>
        <dd>
          <Amount of={free} />
        </dd>
        <dt>{labels.bond.largest}</dt>
        <dd>
          <Amount of={(free * bps) / judgeLockBps} />
        </dd>
        <dt>{labels.bond.openCases}</dt>
        <dd>{arbitrator.openCases}</dd>
        <dt>{labels.bond.resolved}</dt>
        <dd>{arbitrator.resolved}</dd>
        <dt>{labels.bond.timedOut}</dt>
        <dd>{arbitrator.timedOut}</dd>
        <dt>{labels.bond.overturned}</dt>
        <dd>{arbitrator.overturned}</dd>
      </dl>
      <p className="row wrapping">
        {unbondAt === null ? (
          <>
            <ActionButton name="register-arbitrator" label={labels.bond.add} />
            <ActionButton name="request-unbond" label={labels.bond.stop} look="quiet" />
          </>
        ) : (
          <ActionButton name="unbond" disabled={now < unbondAt} />
        )}
      </p>
    </>
  )
}

function Pay() {
  return (
    <section className="card pad panel">
      <h2>{labels.pays.title}</h2>
      <p className="soft">{labels.pays.description}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone the table scrolls */}
      <section className="table-scroll" tabIndex={0} aria-label={labels.pays.title}>
        <table className="numbers judge-numbers">
          <thead>
            <tr>
              <th scope="col">{labels.pays.disputed}</th>
              <th scope="col">{labels.pays.locks}</th>
              <th scope="col">{labels.pays.earns}</th>
              <th scope="col">{labels.pays.loses}</th>
            </tr>
          </thead>
          <tbody>
            {examples.map((amount) => {
              // If all of it is between the two shares, that is also what an overturned ruling costs.
              const lock = computeJudgeLock(amount)
              return (
                <tr key={String(amount)}>
                  <th scope="row">
                    <Amount of={amount} usd />
                  </th>
                  <td data-label={labels.pays.locks}>
                    <Amount of={lock} />
                  </td>
                  <td data-label={labels.pays.earns}>
                    <Amount of={rulingFee} token="usdc" />
                  </td>
                  <td data-label={labels.pays.loses}>
                    <Amount of={lock} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      <ul className="bullets small soft">
        {labels.pays.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </section>
  )
}

function HowTo() {
  return (
    <section className="card pad panel">
      <h2>{labels.how.title}</h2>
      <ol className="how-to">
        {labels.how.steps.map(([title, description]) => (
          <li key={title}>
            <strong>{title}</strong>
            <p className="soft">{description}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
