import type { OutputJson } from '@svc/operations'
import { useEffect } from 'react'
import { ActionButton } from '../actions/ActionButton.tsx'
import { useApi } from '../api.ts'
import { Ledger } from '../parts/Ledger.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { RequireWallet } from '../parts/RequireWallet.tsx'
import { useLocation } from '../router.tsx'
import { moneyText as labels } from '../text/money.ts'
import { plansText } from '../text/plans.ts'
import { readinessText } from '../text/readiness.ts'
import { addMoneyText } from '../text/wallet.ts'
import { Amount, formatShort } from '../ui/Amount.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { formatEth } from '../ui/formatEth.ts'
import { SkeletonList } from '../ui/Skeleton.tsx'
import { Time } from '../ui/Time.tsx'
import { useMarket } from '../useMarket.ts'
import { AddMoney } from '../wallet/AddMoney.tsx'
import { useGas } from '../wallet/useGas.ts'
import { Deposit } from './wallet/Deposit.tsx'
import { ReadinessChecklist, useReadiness } from './wallet/ReadinessChecklist.tsx'
import { Union } from './wallet/Union.tsx'
import '../style/wallet.css'

/** The user's money in this market. Its sections have paths of their own: /deposit, /ledger and /union. */
export function WalletPage() {
  return (
    <>
      <PageHead title={labels.title} description={labels.description} />
      <RequireWallet description={labels.connect}>{(address) => <Wallet address={address} />}</RequireWallet>
    </>
  )
}

function Wallet({ address }: { address: string }) {
  const market = useMarket()
  const found = useApi('getWallet', { address, market })
  const readiness = useReadiness()
  return (
    <QueryView of={found} loading={<SkeletonList rows={3} />}>
      {(wallet) => (
        <div className="stack loose">
          <Balances wallet={wallet} />
          <p>
            <AddMoney wallet={address} missing={null} note={addMoneyText.note} />
          </p>
          {readiness?.isReady === false && (
            <section className="card pad panel">
              <header>
                <h2>{labels.notReadyTitle}</h2>
                <span className="pill turn">
                  {readinessText.missing(readiness.rows.filter(({ ok }) => !ok).length)}
                </span>
              </header>
              <ReadinessChecklist />
            </section>
          )}
          <ShowSection />
          <div className="split" key={market}>
            <div className="stack">
              <Deposit wallet={wallet} />
              <Ledger address={address} />
              <Union wallet={wallet} />
            </div>
            <div className="stack">
              <Withdrawals wallet={wallet} />
              {readiness?.isReady && (
                <section className="card pad panel">
                  <h2>{labels.readyTitle}</h2>
                  <ReadinessChecklist />
                </section>
              )}
              <Plan address={address} />
              <section className="card pad panel">
                <h2>{labels.allowances.title}</h2>
                <p className="small soft">{labels.allowances.description}</p>
                <p className="row wrapping">
                  <ActionButton name="approve-tok-router" label={labels.allowances.tok} size="small" />
                  <ActionButton name="approve-usdc-vault" label={labels.allowances.usdc} size="small" />
                  <ActionButton name="invalidate-nonce" label={labels.allowances.revoke} size="small" look="quiet" />
                </p>
              </section>
            </div>
          </div>
        </div>
      )}
    </QueryView>
  )
}

/** Scrolls to the section that the path or the hash names. */
function ShowSection() {
  const { pathname, hash } = useLocation()
  useEffect(() => {
    const id = hash ? hash.slice(1) : pathname.slice(1)
    document.getElementById(id)?.scrollIntoView()
  }, [pathname, hash])
  return null
}

type WalletProps = { wallet: OutputJson<'getWallet'> }

function Balances({ wallet }: WalletProps) {
  const gas = useGas()
  return (
    <dl className="card balances" aria-label={labels.balances.label}>
      <div>
        <dt>{labels.balances.tok}</dt>
        <dd className="big-number">
          <Amount of={wallet.tokWei} usd />
        </dd>
      </div>
      <div>
        <dt>{labels.balances.usdc}</dt>
        <dd className="big-number">
          <Amount of={wallet.usdcUnits} token="usdc" />
        </dd>
      </div>
      {gas && (
        <div>
          <dt>
            {labels.balances.eth}, {labels.balances.ethSays}
          </dt>
          <dd className="big-number">{formatEth(gas.eth)}</dd>
        </div>
      )}
    </dl>
  )
}

/** Money that waits to be taken out. Nothing is shown if there is none. */
function Withdrawals({ wallet: { address, payoutsTokWei, awardsTokWei, rewardsTokWei } }: WalletProps) {
  const rows = [
    ['withdraw-payout', labels.payout, payoutsTokWei, labels.withdraw],
    ['withdraw-award', labels.award, awardsTokWei, labels.withdraw],
    ['claim-rewards', labels.reward, rewardsTokWei, labels.claim],
  ] as const
  const open = rows.filter(([, , amount]) => BigInt(amount) > 0n)
  if (open.length === 0) return null
  return (
    <section className="card pad panel">
      <h2>{labels.withdrawTitle}</h2>
      {open.map(([name, what, amount, label]) => (
        <div key={name} className="stack tight">
          <p className="small soft">{what}</p>
          <ActionButton name={name} label={label(formatShort(BigInt(amount), 'tok'))} start={{ to: address }} wide />
        </div>
      ))}
    </section>
  )
}

function Plan({ address }: { address: string }) {
  const { body } = useApi('getQuota', { address, market: useMarket() })
  return (
    <section className="card pad panel">
      <header>
        <h2>{labels.plan.title}</h2>
        {body && <span className="pill good">{plansText.names[body.tier]}</span>}
      </header>
      {body && (
        <>
          <meter className="quota" min={0} max={body.limit} value={body.used} aria-label={labels.plan.title} />
          <p className="small soft">
            {labels.plan.used(body.used, body.limit)}. {labels.plan.resets} <Time at={body.resetsAt} />.
          </p>
        </>
      )}
      <p>
        <ButtonLink href="/plans" size="small">
          {labels.plan.change}
        </ButtonLink>
      </p>
    </section>
  )
}
