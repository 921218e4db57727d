import type { PreparedJson } from '@svc/operations'
import { formatAmount } from '@svc/protocol'
import { findAction } from '@svc/protocol/actions'
import type { PermitPlan } from '@svc/protocol/internal/actions'
import { formatQuotaUse } from '@svc/protocol/internal/money'
import type { ReactNode } from 'react'
import { formatUnits } from 'viem'
import { useContractCheck } from '../api.ts'
import { chainProfile } from '../deployments.ts'
import { actionText as labels } from '../text/signing.ts'
import { Address } from '../ui/Address.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { useCapabilities } from '../wallet/capabilities.ts'
import { buildOnRampUrl, maxFeeUsdc, takesUsdc } from '../wallet/paymaster.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { describeSignature, lowerFirst } from './describeMoney.ts'
import { listMoneyLines, listOthers, type MoneyLine, type OtherLine } from './moneyLines.ts'
import { permitMinutes } from './permit.ts'
import type { ReadBack } from './readBack.ts'

interface ReceiptProps {
  /** What would be signed, in this order. */
  actions: readonly { prepared: PreparedJson; read: ReadBack }[]
  /** Whether the first of them tops up the deposit for the second. */
  topsUp: boolean
  isBlocked: boolean
  isBusy: boolean
  problem: string | null
  onSign: () => void
  onBack?: (() => void) | undefined
  backLabel?: string | undefined
}

/** What will be signed: in words decoded from the calls, what it costs, what moves for others, and the button to sign. */
export function Receipt({ actions, topsUp, isBlocked, isBusy, problem, onSign, onBack, backLabel }: ReceiptProps) {
  const { address, isWrongChain, switchToChain, name = labels.yourWallet } = useWallet()
  const { canBatch, canSponsor, canPermit } = useCapabilities()
  const all = actions.map(({ prepared }) => prepared)
  const last = all.at(-1)
  const { trusted, problem: contractProblem } = useContractCheck(last?.market ?? 'standard')
  if (!last) return null
  const { simulation, quota, deadline, warnings = [] } = last
  const refusal = simulation.status === 'refused' ? simulation.error : null
  const readProblem = actions.find(({ read }) => read.problem !== null)?.read.problem ?? null
  const isOtherWallet = address?.toLowerCase() !== last.from.toLowerCase()
  const lines = all.flatMap(listMoneyLines)
  const others = all.flatMap(listOthers)
  // Money that comes back to people is part of what they get. Where fees go is for those who ask.
  const shown = others.filter(
    ({ who, change }) =>
      people.has(who) ||
      who === 'escrow of the task' ||
      (who === 'exit deposits of the task' && change.startsWith('-')),
  )
  const count = all.reduce((sum, { calls }) => sum + calls.length, 0)
  const verb = findAction(last.action)?.verb ?? last.title
  const permits =
    canPermit && !canBatch && !canSponsor ? actions.flatMap(({ read }) => (read.permit ? [read.permit] : [])) : []
  const swaps = all.some(({ action }) => action === 'buy-tok')
  const lockedUsdc = topsUp ? lines.find(({ what }) => what === labels.money.deposit)?.text : undefined

  return (
    <section className="sign-flow receipt" aria-label={labels.receipt}>
      {lockedUsdc && <Note tone="turn">{labels.cure.description(lockedUsdc)}</Note>}
      <Note tone="loss">{readProblem}</Note>
      {readProblem === null && (
        <ol className="receipt-calls">
          {actions.flatMap(({ read }) =>
            read.calls.map((call) => <li key={`${call.to} ${call.label}`}>{call.label}</li>),
          )}
        </ol>
      )}
      {!refusal && permits.map((plan) => <Permit key={plan.approval.token} plan={plan} wallet={name} />)}
      {readProblem === null && !refusal && (
        <dl className="receipt-money">
          {lines.map((line) => (
            <Line key={`${line.fate} ${line.what} ${line.text}`} line={line} />
          ))}
          <div className="receipt-line faint-line">
            <dt>{labels.networkFee}</dt>
            <dd>{canSponsor ? sponsoredFee : labels.networkFeeNote}</dd>
          </div>
          {simulation.status === 'succeeds' && lines.length === 0 && others.length === 0 && (
            <p className="small soft">{labels.onlyFee}</p>
          )}
        </dl>
      )}
      {shown.length > 0 && (
        <div className="receipt-others">
          <h4>{labels.others}</h4>
          <Others lines={shown} you={address} />
        </div>
      )}
      {simulation.status === 'unknown' && <p className="small soft">{labels.unknownOutcome}</p>}
      {(quota || deadline) && (
        <dl className="facts">
          {deadline && (
            <>
              <dt>{labels.deadline}</dt>
              <dd>{deadline}</dd>
            </>
          )}
          {quota && (
            <>
              <dt>{labels.quota}</dt>
              <dd>{formatQuotaUse(quota)}</dd>
            </>
          )}
        </dl>
      )}
      {warnings.map((warning) => (
        <Note tone="turn" key={warning}>
          {warning}
        </Note>
      ))}
      {refusal && (
        <Note tone="loss">
          <p>
            <strong>{labels.refused}</strong> {refusal.message}
          </p>
          <p>{refusal.wayOut}</p>
          {isAboutMoney(refusal.name) && (
            <p>
              <ButtonLink size="small" href={`/wallet?market=${last.market}`}>
                {labels.cure.wallet}
              </ButtonLink>
              <OnRamp wallet={last.from} usdc={last.total?.mostUsdc} />
            </p>
          )}
        </Note>
      )}
      <Note tone="loss">{contractProblem}</Note>
      <Note tone="loss">{isOtherWallet && labels.otherAccount}</Note>
      <Note tone="turn">{problem}</Note>
      <div className="receipt-buttons">
        {isWrongChain ? (
          <Button look="primary" size="big" onClick={() => void switchToChain().catch(() => {})}>
            {labels.switchChain(name)}
          </Button>
        ) : (
          <Button
            look="primary"
            size="big"
            busy={isBusy}
            disabled={isBlocked || !trusted || isOtherWallet || refusal !== null || readProblem !== null}
            onClick={onSign}
          >
            {labels.sign(
              topsUp && lockedUsdc && !swaps
                ? lowerFirst(labels.cure.topUp(lockedUsdc, lowerFirst(verb)))
                : describeSignature(all),
            )}
          </Button>
        )}
        {onBack && (
          <Button size="big" look="quiet" onClick={onBack}>
            {backLabel ?? labels.back}
          </Button>
        )}
      </div>
      {!refusal && readProblem === null && (
        <p className="tiny faint">{labels.confirmations(count, name, canBatch || canSponsor)}</p>
      )}
      {readProblem === null && (
        <CallDetails actions={actions} block={last.block.number}>
          <Others lines={others.filter((each) => !shown.includes(each))} you={address} />
        </CallDetails>
      )}
    </section>
  )
}

/** Those who have a wallet of their own. The rest are contracts of the market. */
const people: ReadonlySet<OtherLine['who']> = new Set(['poster', 'worker', 'judge', 'final court', 'receiver'])

/** What moves for others. */
function Others({ lines, you }: { lines: readonly OtherLine[]; you: string | undefined }) {
  if (lines.length === 0) return null
  return (
    <dl className="receipt-money">
      {lines.map(({ who, address, what, change }) => (
        <div className="receipt-line" key={`${who} ${what}`}>
          <dt>
            {labels.who[who]} {people.has(who) && <Address of={address} you={you} size={18} />}
          </dt>
          <dd className={change.startsWith('-') ? 'soft' : 'more'}>
            {change.startsWith('-') ? '−' : '+'}
            <Amount of={change.replace('-', '')} token={what === 'TOK' ? 'tok' : 'usdc'} usd={what === 'TOK'} />
            {what === 'deposit' && labels.inDeposit}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const sponsoredFee = takesUsdc ? labels.networkFeeInUsdc(formatAmount(maxFeeUsdc, 'usdc')) : labels.networkFeeSponsored

const isAboutMoney = (name: string) => /Insufficient|TooLow|^Error$/.test(name)

function Line({ line: { fate, what, note, text, money, isAtMost } }: { line: MoneyLine }) {
  return (
    <div className={`receipt-line ${fate}`}>
      <dt>
        <span className="receipt-fate">{labels[fate]}</span> {what}
        {note && <span className="receipt-says">{note}</span>}
      </dt>
      <dd>
        {isAtMost && labels.upTo}
        {money ? <Amount of={money.amount} token={money.token} usd /> : text}
      </dd>
    </div>
  )
}

/** Buys USDC with a card at another company, named before its page opens. Nothing if the operator chose none. */
function OnRamp({ wallet, usdc = '25000000' }: { wallet: string; usdc?: string | undefined }) {
  const amount = formatUnits(BigInt(usdc), 6)
  const url = buildOnRampUrl({ address: wallet, usdc: amount, chain: chainProfile.name })
  if (!url) return null
  return (
    <>
      {' '}
      <a href={url.href} target="_blank" rel="noopener noreferrer">
        {labels.onRamp(url.host)}
      </a>
    </>
  )
}

/** What the typed data says that the wallet is about to show. */
function Permit({ plan: { approval, spenderAddress }, wallet }: { plan: PermitPlan; wallet: string }) {
  const { token, spender, amount } = approval
  return (
    <div className="receipt-permit">
      <p className="small soft">{labels.permit.description(wallet)}</p>
      <dl className="facts">
        <dt>{labels.permit.token}</dt>
        <dd>{token.toUpperCase()}</dd>
        <dt>{labels.permit.amount}</dt>
        <dd>{formatAmount(amount, token)}</dd>
        <dt>{labels.permit.spender}</dt>
        <dd>
          {labels.permit.spenders[spender]}
          <br />
          <span className="code">{spenderAddress}</span>
        </dd>
        <dt>{labels.permit.deadline}</dt>
        <dd>{labels.permit.minutes(permitMinutes)}</dd>
      </dl>
    </div>
  )
}

/** The calls as the wallet gets them, folded away. */
function CallDetails({
  actions,
  block,
  children,
}: Pick<ReceiptProps, 'actions'> & { block: number; children: ReactNode }) {
  return (
    <details className="receipt-details">
      <summary>{labels.details}</summary>
      <p className="tiny faint">
        {labels.detailsNote} {labels.checkedAtBlock(block)}.
      </p>
      {children}
      {actions.flatMap(({ read }) =>
        read.calls.map((call) => (
          <dl key={`${call.to} ${call.label}`} className="facts">
            <dt>{labels.contract}</dt>
            <dd>
              {call.contract}.{call.function}
              <br />
              <span className="code">{call.to}</span>
            </dd>
            {call.args.map(({ name: part, value, words: readable }) => (
              <div key={part} className="receipt-argument">
                <dt>{part}</dt>
                <dd>
                  {readable && <>{readable} </>}
                  <span className="code">{value}</span>
                </dd>
              </div>
            ))}
          </dl>
        )),
      )}
    </details>
  )
}
