import type { OutputJson } from '@svc/operations'
import { bondAge, bps, judgeLockBps, rulingFee } from '@svc/protocol'
import { useApi } from '../api.ts'
import { ActionButton } from '../parts/ActionButton.tsx'
import { InboxList } from '../parts/InboxList.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { computeJudgeStakes, judgeText as words } from '../text/judge.ts'
import { Amount, formatShort } from '../ui/Amount.tsx'
import { Note } from '../ui/Note.tsx'
import { formatLocal, Time, useNow } from '../ui/Time.tsx'
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
      <PageHead title={words.title} says={words.says} />
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
              <h2>{words.bond.title}</h2>
              <p className="soft">{words.bond.none}</p>
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
      <h2>{words.cases}</h2>
      <QueryView of={found}>
        {({ entries }) => {
          const cases = entries.filter(({ role }) => role !== 'poster' && role !== 'worker')
          return cases.length > 0 ? <InboxList entries={cases} /> : <p className="card pad soft">{words.noCases}</p>
        }}
      </QueryView>
    </section>
  )
}

function Bond({ address }: { address: string }) {
  const found = useApi('getWallet', { address, market: useMarket() })
  return (
    <section className="card pad panel">
      <h2>{words.bond.title}</h2>
      <QueryView of={found}>
        {(wallet) => (
          <>
            {wallet.arbitrator && BigInt(wallet.arbitrator.bondTokWei) > 0n ? (
              <BondFacts arbitrator={wallet.arbitrator} />
            ) : (
              <>
                <p className="soft">{words.bond.none}</p>
                <ActionButton name="register-arbitrator" label={words.bond.become} look="primary" wide />
              </>
            )}
            {BigInt(wallet.awardsTokWei) > 0n && (
              <div className="row between">
                <span className="small">
                  {words.bond.award}: <Amount of={wallet.awardsTokWei} />
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
  const { bondTokWei, lockedTokWei, bondedAt, unbondAt } = arbitrator
  const free = BigInt(bondTokWei) - BigInt(lockedTokWei)
  const drawableAt = (bondedAt ?? 0) + bondAge
  return (
    <>
      <p className="big-number">
        <Amount of={bondTokWei} usd />
      </p>
      {unbondAt !== null ? (
        <Note>
          <p>
            {now < unbondAt ? (
              <>
                {words.bond.unbonding} <Time at={unbondAt} />.
              </>
            ) : (
              words.bond.unbondReady
            )}
          </p>
        </Note>
      ) : (
        now < drawableAt && <Note>{words.bond.young(formatLocal(drawableAt))}</Note>
      )}
      <dl className="facts">
        <dt>{words.bond.locked}</dt>
        <dd>
          <Amount of={lockedTokWei} />
        </dd>
        <dt>{words.bond.free}</dt>
        <dd>
          <Amount of={free} />
        </dd>
        <dt>{words.bond.largest}</dt>
        <dd>
          <Amount of={(free * bps) / judgeLockBps} />
        </dd>
        <dt>{words.bond.openCases}</dt>
        <dd>{arbitrator.openCases}</dd>
        <dt>{words.bond.resolved}</dt>
        <dd>{arbitrator.resolved}</dd>
        <dt>{words.bond.timedOut}</dt>
        <dd>{arbitrator.timedOut}</dd>
        <dt>{words.bond.overturned}</dt>
        <dd>{arbitrator.overturned}</dd>
      </dl>
      <p className="row wrapping">
        {unbondAt === null ? (
          <>
            <ActionButton name="register-arbitrator" label={words.bond.add} />
            <ActionButton name="request-unbond" label={words.bond.stop} look="quiet" />
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
      <h2>{words.pays.title}</h2>
      <p className="soft">{words.pays.says}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone the table scrolls */}
      <section className="table-scroll" tabIndex={0} aria-label={words.pays.title}>
        <table className="numbers">
          <thead>
            <tr>
              <th scope="col">{words.pays.disputed}</th>
              <th scope="col">{words.pays.locks}</th>
              <th scope="col">{words.pays.earns}</th>
              <th scope="col">{words.pays.loses}</th>
            </tr>
          </thead>
          <tbody>
            {examples.map((amount) => {
              const { lock, share, loss } = computeJudgeStakes(amount)
              return (
                <tr key={String(amount)}>
                  <th scope="row">
                    <Amount of={amount} usd />
                  </th>
                  <td>
                    <Amount of={lock} />
                  </td>
                  <td>{words.pays.earnsValue(formatShort(rulingFee, 'usdc'), formatShort(share, 'tok'))}</td>
                  <td>
                    <Amount of={loss} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      <ul className="bullets small soft">
        {words.pays.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </section>
  )
}

function HowTo() {
  return (
    <section className="card pad panel">
      <h2>{words.how.title}</h2>
      <ol className="how-to">
        {words.how.steps.map(([title, says]) => (
          <li key={title}>
            <strong>{title}</strong>
            <p className="soft">{says}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
