import {
  accessFee,
  appealFee,
  bondAge,
  bps,
  courtShareBps,
  entryDeposit,
  exitDeposit,
  exitPenalty,
  judgeLockBps,
  judgeLossBps,
  junkPenalty,
  lockedDeposit,
  marketParams,
  minBond,
  minJudgeLock,
  openerStakeBps,
  type PostingTier,
  pauseThreshold,
  planPrices,
  postingPlans,
  recommendedDeposit,
  rulingFee,
  settlementBps,
  taskReserve,
  unbondCooldown,
  unionFeeBps,
} from '@svc/protocol'
import type { ReactNode } from 'react'
import { useApi } from '../api.ts'
import '../style/fees.css'
import { spellDuration } from '../text/duration.ts'
import { feesText as words } from '../text/fees.ts'
import { Amount, formatShort, formatUsd, formatWhole } from '../ui/Amount.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { type Price, usePrice } from '../usePrice.ts'

const tok = (amount: bigint) => formatShort(amount, 'tok')
const usdc = (amount: bigint) => formatWhole(amount, 'usdc')
const share = (part: bigint) => `${Number((part * 1_000n) / bps) / 10} %`

/** Every fee, deposit and penalty, from the tables of the protocol. */
export function FeesPage() {
  usePageTitle(words.title)
  const price = usePrice()
  return (
    <div className="fees">
      <header className="stack">
        <div className="row wrapping between">
          <h1>{words.title}</h1>
          <MarketSwitch />
        </div>
        <p className="fees-lead soft">
          {words.lead} {price ? words.price(tok(accessFee), formatUsd(accessFee, price)) : words.noPrice}
        </p>
      </header>
      <Enter />
      <WaysOut price={price} />
      <Disputes />
      <Judges />
      <Plans />
      <p className="small faint">{words.source}</p>
    </div>
  )
}

type Row = readonly [what: string, amount: ReactNode, then: string]

/** A table of amounts with what becomes of them. On a phone each row is a block. */
function FeeTable({ id, heading, says, rows }: { id: string; heading: string; says: string; rows: readonly Row[] }) {
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <p className="soft">{says}</p>
      <table className="card fee-table">
        <thead>
          <tr>
            <th scope="col">{words.what}</th>
            <th scope="col">{words.amount}</th>
            <th scope="col">{words.outcome}</th>
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

function Enter() {
  const text = words.enter
  const carried = [0n, 1n, 2n].map((more) => usdc(entryDeposit + more * taskReserve))
  return (
    <div className="stack">
      <FeeTable
        id="enter"
        heading={text.heading}
        says={text.says}
        rows={[
          [text.fee, <Amount key="fee" of={accessFee} usd />, text.feeThen(share(unionFeeBps))],
          [text.exit, <Amount key="exit" of={exitDeposit} usd />, text.exitThen],
          [text.deposit, usdc(entryDeposit), text.depositThen(usdc(taskReserve), usdc(lockedDeposit))],
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

/** What an end costs: USDC of the reserve, TOK, and a share of the milestone. */
interface Loss {
  usdc?: bigint
  tok?: bigint
  /** Of the milestone, in basis points. */
  share?: bigint
  /** Whether the share is the most that it can be. */
  isUpTo?: boolean
}

function WaysOut({ price }: { price: Price | null }) {
  const text = words.ways
  const { vetWindow } = marketParams[useMarket()]
  const missed: Loss = { usdc: taskReserve, tok: exitDeposit }
  const left: Loss = { usdc: exitPenalty, tok: exitDeposit }
  return (
    <section className="stack" aria-labelledby="ways">
      <h2 id="ways">{text.heading}</h2>
      <p className="soft">{text.says}</p>
      <div className="ways">
        <LossTable
          title={text.worker}
          price={price}
          rows={[
            [text.deliver, {}],
            [text.leave, left],
            [text.miss, missed],
            [text.giveUp, { usdc: taskReserve + exitPenalty, tok: exitDeposit }],
            [text.loseWork, { usdc: taskReserve + junkPenalty, tok: exitDeposit }],
          ]}
        />
        <LossTable
          title={text.poster}
          price={price}
          rows={[
            [text.payGood, {}],
            [text.dismissEarly(spellDuration(vetWindow)), { tok: exitDeposit }],
            [text.dismissLate, left],
            [text.silent, missed],
            [text.concede, { share: settlementBps }],
            [text.losePost, { ...missed, share: openerStakeBps, isUpTo: true }],
          ]}
        />
      </div>
    </section>
  )
}

function LossTable({
  title,
  rows,
  price,
}: {
  title: string
  rows: readonly (readonly [string, Loss])[]
  price: Price | null
}) {
  return (
    <table className="card fee-table two">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{words.ways.costs}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, loss]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td className="fee-amount">
              {formatLoss(loss)}
              {price && <span className="usd">{estimateUsd(loss, price)}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function formatLoss({ usdc: fromDeposit, tok: inTok, share: ofMilestone, isUpTo = false }: Loss): string {
  const parts = [
    inTok !== undefined && tok(inTok),
    fromDeposit !== undefined && usdc(fromDeposit),
    ofMilestone !== undefined && words.ways.ofMilestone(share(ofMilestone), isUpTo),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' + ') : words.ways.nothing
}

/** The sum in dollars. A share of a milestone has none. */
function estimateUsd({ usdc: fromDeposit = 0n, tok: inTok = 0n, share: ofMilestone }: Loss, price: Price): string {
  if (inTok === 0n || ofMilestone !== undefined) return ''
  const worth = fromDeposit * 10n ** 12n
  // USDC counts as dollars, so it joins the TOK at the price of TOK.
  return ` ≈ ${formatUsd(inTok + BigInt(Math.round(Number(worth) / price.usdPerTok)), price)}`
}

function Disputes() {
  const text = words.dispute
  return (
    <FeeTable
      id="disputes"
      heading={text.heading}
      says={text.says}
      rows={[
        [text.stake, text.ofMilestone(share(openerStakeBps)), text.stakeThen],
        [text.ruling, usdc(rulingFee), text.rulingThen(usdc(taskReserve - rulingFee))],
        [text.court, text.ofGap(share(courtShareBps)), text.courtThen],
        [text.junk, usdc(junkPenalty), text.junkThen],
        [text.appeal, usdc(appealFee), text.appealThen],
        [text.settle, text.ofMilestone(share(settlementBps)), text.settleThen],
      ]}
    />
  )
}

function Judges() {
  const text = words.judge
  return (
    <FeeTable
      id="judges"
      heading={text.heading}
      says={text.says}
      rows={[
        [
          text.bond,
          <Amount key="bond" of={minBond} usd />,
          text.bondThen(spellDuration(bondAge), spellDuration(unbondCooldown)),
        ],
        [text.lock, words.dispute.ofMilestone(share(judgeLockBps)), text.lockThen(tok(minJudgeLock))],
        [text.lost, share(judgeLossBps), text.lostThen(tok(minJudgeLock))],
      ]}
    />
  )
}

function Plans() {
  const text = words.plans
  return (
    <section className="stack" aria-labelledby="plans">
      <h2 id="plans">{text.heading}</h2>
      <p className="soft">{text.says}</p>
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
  if (of === 'free') return <p className="plan-price">{words.plans.free}</p>
  const { listPriceUsd, tokDiscountBps } = planPrices[of]
  return (
    <>
      <p className="plan-price">
        {usdc(body ? BigInt(Math.round(body.listPriceUsdc * 1e6)) : listPriceUsd)}{' '}
        <span className="small soft">{words.plans.month}</span>
      </p>
      <p className="small soft plan-tok">
        {body?.tokAllowed &&
          words.plans.inTok(`${Math.round(body.tokAmount).toLocaleString('en')} TOK`, share(BigInt(tokDiscountBps)))}
      </p>
    </>
  )
}
