import type { PreparedJson } from '@svc/operations'
import { formatAmount } from '@svc/protocol'
import type { PermitPlan } from '@svc/protocol/internal/actions'
import { formatQuotaUse } from '@svc/protocol/internal/money'
import { ArrowDown, ArrowUp, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useContractCheck } from '../api.ts'
import { CourtLine } from '../parts/CourtLine.tsx'
import { receiptText as text } from '../text/receipt.ts'
import { actionText as labels } from '../text/signing.ts'
import { addMoneyText } from '../text/wallet.ts'
import { Address } from '../ui/Address.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { AddMoney } from '../wallet/AddMoney.tsx'
import { useCapabilities } from '../wallet/capabilities.ts'
import { maxFeeUsdc, takesUsdc } from '../wallet/paymaster.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { permitMinutes } from './permit.ts'
import type { ReadBack } from './readBack.ts'
import type { After } from './transactions.ts'
import { type ReceiptLine, useReceipt } from './useReceipt.ts'

interface ReceiptProps {
  /** The whole batch. */
  prepared: PreparedJson
  /** What would be signed, in this order. */
  actions: readonly { prepared: PreparedJson; read: ReadBack }[]
  /** Above the lines: how to pay, if there is a choice. */
  choice: ReactNode
  isBlocked: boolean
  isBusy: boolean
  problem: string | null
  onSign: (after: After | null) => void
  onBack?: (() => void) | undefined
  backLabel?: string | undefined
}

/** What will be signed: what leaves the wallet, what comes back and who gets what, what follows from it, and the button to sign. */
export function Receipt({
  prepared,
  actions,
  choice,
  isBlocked,
  isBusy,
  problem,
  onSign,
  onBack,
  backLabel,
}: ReceiptProps) {
  const { address, isWrongChain, switchToChain, name = labels.yourWallet } = useWallet()
  const { canBatch, canSponsor, canPermit } = useCapabilities()
  const { trusted, problem: contractProblem } = useContractCheck(prepared.market)
  const words = useReceipt(prepared)
  const { simulation, quota, warnings = [] } = prepared
  const refusal = simulation.status === 'refused' ? simulation.error : null
  const readProblem = actions.find(({ read }) => read.problem !== null)?.read.problem ?? null
  const isOtherWallet = address?.toLowerCase() !== prepared.from.toLowerCase()
  const isReadable = readProblem === null && words !== null
  const others = simulation.status === 'succeeds' ? simulation.others : []
  const permits =
    canPermit && !canBatch && !canSponsor ? actions.flatMap(({ read }) => (read.permit ? [read.permit] : [])) : []

  return (
    <section className="sign-flow receipt" aria-label={text.region}>
      {isReadable && words.subject && <p className="soft receipt-subject">{words.subject}</p>}
      <Note tone="loss">{readProblem}</Note>
      {choice}
      {isReadable && !refusal && (
        <dl className="receipt-lines">
          <Line line={words.now} icon={<ArrowUp size={18} aria-hidden="true" />} />
          {words.back && <Line line={words.back} icon={<Undo2 size={18} aria-hidden="true" />} />}
          {words.get && <Line line={words.get} icon={<ArrowDown size={18} aria-hidden="true" />} isGain />}
        </dl>
      )}
      {isReadable &&
        !refusal &&
        words.sentences.map((sentence) => (
          <p key={sentence} className="receipt-sentence">
            {sentence}
          </p>
        ))}
      {simulation.status === 'unknown' && <p className="small soft">{labels.unknownOutcome}</p>}
      {quota && <p className="small soft">{formatQuotaUse(quota)}</p>}
      {endsAtCourt.has(prepared.action) && <CourtLine market={prepared.market} />}
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
              <AddMoney wallet={prepared.from} missing={null} note={addMoneyText.note} />
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
            disabled={isBlocked || !trusted || isOtherWallet || refusal !== null || !isReadable}
            onClick={() => onSign(words?.after ?? null)}
          >
            {words?.button ?? prepared.title}
          </Button>
        )}
        {onBack && (
          <Button size="big" look="quiet" onClick={onBack}>
            {backLabel ?? labels.back}
          </Button>
        )}
      </div>
      {!refusal && isReadable && (
        <p className="tiny faint centred">
          {labels.confirmations(prepared.calls.length, permits.length, name, canBatch || canSponsor)}{' '}
          {labels.networkFee}: {canSponsor ? sponsoredFee : labels.networkFeeNote}.
        </p>
      )}
      {isReadable && (
        <CallDetails actions={actions} block={prepared.block.number}>
          {!refusal && permits.map((plan) => <Permit key={plan.approval.token} plan={plan} wallet={name} />)}
          <Others lines={others} you={address} />
        </CallDetails>
      )}
    </section>
  )
}

function Line({
  line: { label, amount, note },
  icon,
  isGain = false,
}: {
  line: ReceiptLine
  icon: ReactNode
  isGain?: boolean
}) {
  return (
    <div className={isGain ? 'gain' : undefined}>
      <dt>
        <span className="receipt-icon">{icon}</span>
        {label}
      </dt>
      <dd className="receipt-amount">{amount}</dd>
      <dd className="small soft">{note}</dd>
    </div>
  )
}

/** What is signed under a court: terms, and the steps towards it. */
const endsAtCourt: ReadonlySet<string> = new Set(['post-task', 'create-task', 'claim-task', 'open-dispute', 'escalate'])

/** Those who have a wallet of their own. The rest are contracts of the market. */
const people: ReadonlySet<OtherLine['who']> = new Set(['poster', 'worker', 'judge', 'final court', 'receiver'])

type OtherLine = Extract<PreparedJson['simulation'], { status: 'succeeds' }>['others'][number]

/** What moves for others. */
function Others({ lines, you }: { lines: readonly OtherLine[]; you: string | undefined }) {
  if (lines.length === 0) return null
  return (
    <>
      <h4>{labels.others}</h4>
      <dl className="receipt-money">
        {lines.map(({ who, address, what, change }) => (
          <div className="receipt-line" key={`${who} ${what}`}>
            <dt>
              {labels.who[who]} {people.has(who) && <Address of={address} you={you} size={18} isExact />}
            </dt>
            <dd className={change.startsWith('-') ? 'soft' : 'more'}>
              {change.startsWith('-') ? '−' : '+'}
              <Amount of={change.replace('-', '')} token={what === 'TOK' ? 'tok' : 'usdc'} usd={what === 'TOK'} />
              {what === 'deposit' && labels.inDeposit}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const sponsoredFee = takesUsdc ? labels.networkFeeInUsdc(formatAmount(maxFeeUsdc, 'usdc')) : labels.networkFeeSponsored

const isAboutMoney = (name: string) => /Insufficient|TooLow|^Error$/.test(name)

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
      <summary>{text.details}</summary>
      <p className="tiny faint">
        {labels.detailsNote} {labels.checkedAtBlock(block)}.
      </p>
      <ol className="receipt-calls">
        {actions.flatMap(({ read }) =>
          read.calls.map((call) => <li key={`${call.to} ${call.label}`}>{call.label}</li>),
        )}
      </ol>
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
