import { prices } from 'virtual:prices'
import {
  accessFee,
  entryDeposit,
  marketParams,
  pauseThreshold,
  postingPlans,
  recommendedDeposit,
  taskReserve,
} from '@svc/protocol'
import {
  appealFee,
  courtShareBps,
  judgeLockBps,
  lockedDeposit,
  maxCourtShare,
  minBond,
  minJudgeLock,
  minLostStakeBps,
  openerStakeBps,
  type PostingTier,
  planPrices,
  rulingFee,
  settlementBps,
  unbondCooldown,
  unionFeeBps,
} from '@svc/protocol/internal/money'
import type { ReactNode } from 'react'
import { useApi } from '../api.ts'
import '../style/fees.css'
import { CourtLine } from '../parts/CourtLine.tsx'
import { formatWhole } from '../text/amounts.ts'
import { spellDuration } from '../text/duration.ts'
import { feesText as labels } from '../text/fees.ts'
import { formatShort, formatUsd, Worth } from '../ui/Amount.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { type Price, usePrice } from '../usePrice.ts'
import { findEntryPrice, formatFeeShare, formatLoss, type Loss, listWaysOut, type WayOut } from './fees/feeRows.ts'

const entryPrice = findEntryPrice(prices)

const tok = (amount: bigint) => formatShort(amount, 'tok')
const usdc = (amount: bigint) => formatWhole(amount, 'usdc')

/** Every fee, deposit and penalty, from the tables of the protocol. */
export function FeesPage() {
  usePageTitle(labels.title)
  const price = usePrice()
  return (
    <div className="fees">
      <header className="stack">
        <div className="row wrapping between">
          <h1>{labels.title}</h1>
          <MarketSwitch />
        </div>
        <p className="fees-lead soft">
          {labels.lead} {price ? labels.price(tok(accessFee), formatUsd(accessFee, price)) : labels.noPrice}
        </p>
      </header>
      <Enter />
      <WaysOut price={price} />
      <Disputes />
      <Judges />
      <Plans />
      <p className="small faint">{labels.source}</p>
    </div>
  )
}

type Row = readonly [what: string, amount: ReactNode, then: string]

/** A table of amounts with what becomes of them. On a phone each row is a block. */
function FeeTable({
  id,
  heading,
  description,
  rows,
}: {
  id: string
  heading: string
  description: string
  rows: readonly Row[]
}) {
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <p className="soft">{description}</p>
      <table className="card fee-table">
        <thead>
          <tr>
            <th scope="col">{labels.what}</th>
            <th scope="col">{labels.amount}</th>
            <th scope="col">{labels.outcome}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([what, amount, then]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td className="fee-amount">{amount}</td>
              <td className="soft">{then}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Dollars, and below them what is paid in TOK. */
function InDollars({ of }: { of: bigint }) {
  return (
    <>
      <Worth of={of} />
      {usePrice() && <span className="usd">{tok(of)}</span>}
    </>
  )
}

function Enter() {
  const text = labels.enter
  const carried = [0n, 1n, 2n].map((more) => usdc(entryDeposit + more * taskReserve))
  return (
    <div className="stack">
      <FeeTable
        id="enter"
        heading={text.heading}
        description={text.description}
        rows={[
          [text.fee, <InDollars key="fee" of={entryPrice.feeTokWei} />, text.feeThen(formatFeeShare(unionFeeBps))],
          [text.exit, <InDollars key="exit" of={entryPrice.exitDepositTokWei} />, text.exitThen],
          [
            text.deposit,
            usdc(entryPrice.requiredUsdc),
            text.depositThen(usdc(entryPrice.reserveUsdc), usdc(lockedDeposit)),
          ],
          [text.share, text.none, text.shareThen],
          [text.pay, text.payAmount, text.payThen],
        ]}
      />
      <p className="small soft">
        {text.carries(carried)} {text.recommended(usdc(recommendedDeposit))} {text.pauses(usdc(pauseThreshold))}
      </p>
    </div>
  )
}

function WaysOut({ price }: { price: Price | null }) {
  const text = labels.ways
  const { vetWindow } = marketParams[useMarket()]
  return (
    <section className="stack" aria-labelledby="ways">
      <h2 id="ways">{text.heading}</h2>
      <p className="soft">{text.description}</p>
      <div className="ways">
        <LossTable title={text.worker} price={price} rows={listWaysOut(prices, 'worker', vetWindow)} />
        <LossTable title={text.poster} price={price} rows={listWaysOut(prices, 'poster', vetWindow)} />
      </div>
    </section>
  )
}

function LossTable({ title, rows, price }: { title: string; rows: readonly WayOut[]; price: Price | null }) {
  return (
    <table className="card fee-table two">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{labels.ways.costs}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, loss }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td className="fee-amount">
              <LossAmount of={loss} price={price} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function LossAmount({ of, price }: { of: Loss; price: Price | null }) {
  const usd = price && estimateUsd(of, price)
  if (!usd) return formatLoss(of)
  return (
    <>
      {usd}
      <span className="usd">{formatLoss(of)}</span>
    </>
  )
}

/** The sum in dollars. A share of a milestone has none. */
function estimateUsd(
  { usdc: fromDeposit = 0n, tok: inTok = 0n, share: ofMilestone }: Loss,
  price: Price,
): string | null {
  if (inTok === 0n || ofMilestone !== undefined) return null
  const worth = fromDeposit * 10n ** 12n
  // USDC counts as dollars, so it joins the TOK at the price of TOK.
  return formatUsd(inTok + BigInt(Math.round(Number(worth) / price.usdPerTok)), price)
}

function Disputes() {
  const text = labels.dispute
  return (
    <>
      <FeeTable
        id="disputes"
        heading={text.heading}
        description={text.description}
        rows={[
          [
            text.stake,
            text.ofMilestone(formatFeeShare(openerStakeBps)),
            text.stakeThen(formatFeeShare(openerStakeBps), formatFeeShare(minLostStakeBps)),
          ],
          [text.ruling, usdc(rulingFee), text.rulingThen(usdc(taskReserve - rulingFee))],
          [text.court, text.ofGap(formatFeeShare(courtShareBps)), text.courtThen(tok(maxCourtShare))],
          [text.appeal, usdc(appealFee), text.appealThen(usdc(taskReserve))],
          [text.settle, text.ofMilestone(formatFeeShare(settlementBps)), text.settleThen],
        ]}
      />
      <CourtLine market={useMarket()} />
    </>
  )
}

function Judges() {
  const text = labels.judge
  return (
    <FeeTable
      id="judges"
      heading={text.heading}
      description={text.description}
      rows={[
        [text.bond, <InDollars key="bond" of={minBond} />, text.bondThen(spellDuration(unbondCooldown))],
        [text.lock, labels.dispute.ofMilestone(formatFeeShare(judgeLockBps)), text.lockThen(tok(minJudgeLock))],
        [text.overturned, labels.dispute.ofGap(formatFeeShare(judgeLockBps)), text.overturnedThen(tok(minJudgeLock))],
        [text.silent, <InDollars key="silent" of={minJudgeLock} />, text.silentThen],
      ]}
    />
  )
}

function Plans() {
  const text = labels.plans
  return (
    <section className="stack" aria-labelledby="plans">
      <h2 id="plans">{text.heading}</h2>
      <p className="soft">{text.description}</p>
      <ul className="plan-cards">
        {postingPlans.map(({ id, dailyLimit }) => (
          <li key={id} className="card pad stack tight">
            <h3>{text.names[id]}</h3>
            <p>{text.perDay(dailyLimit)}</p>
            <PlanPrice of={id} />
          </li>
        ))}
      </ul>
      <p>
        <ButtonLink href="/plans">{text.choose}</ButtonLink>
      </p>
    </section>
  )
}

function PlanPrice({ of }: { of: PostingTier }) {
  const { body } = useApi('previewPlanPrice', { tier: of, market: useMarket() }, of !== 'free')
  if (of === 'free') return <p className="plan-price">{labels.plans.free}</p>
  const { listPriceUsd, tokDiscountBps } = planPrices[of]
  return (
    <>
      <p className="plan-price">
        {usdc(body ? BigInt(Math.round(body.listPriceUsdc * 1e6)) : listPriceUsd)}{' '}
        <span className="small soft">{labels.plans.month}</span>
      </p>
      <p className="small soft plan-tok">
        {body?.tokAllowed &&
          labels.plans.inTok(
            `${Math.round(body.tokAmount).toLocaleString('en')} TOK`,
            formatFeeShare(BigInt(tokDiscountBps)),
          )}
      </p>
    </>
  )
}
