import type { Market } from '@svc/protocol'
import { Check, Clock } from 'lucide-react'
import { receiptText as text } from '../text/receipt.ts'
import { actionText as labels } from '../text/signing.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { describeTransaction } from './describeTransaction.ts'
import { findUndo } from './partial.ts'
import type { RequestedAction } from './readBack.ts'
import { TransactionSteps } from './TransactionSteps.tsx'
import type { After, Transaction } from './transactions.ts'

interface TimelineProps {
  transaction: Transaction
  /** Starts again after a failure. */
  onAgain?: (() => void) | undefined
  /** Sends the rest of a partial transaction. */
  onContinue?: (() => void) | undefined
  /** Takes back the allowance of a partial transaction. */
  onUndo?: ((undo: RequestedAction) => void) | undefined
}

/** The progress of a transaction from the wallet to a safe block, and the way out if it stopped. */
export function Timeline({ transaction, onAgain, onContinue, onUndo }: TimelineProps) {
  const { stage, problem, after, market } = transaction
  const isDone = stage === 'in block' || stage === 'safe'
  const undo = findUndo(transaction)
  return (
    <section className="sign-flow timeline" aria-label={describeTransaction(transaction)} role="status">
      {isDone && after && <Success after={after} what={describeTransaction(transaction)} market={market} />}
      {/* How far it is in the chain is read by screen readers then, and in the tray. */}
      <TransactionSteps transaction={transaction} isHidden={isDone && after != null} />
      {problem && <Note tone={stage === 'partial' ? 'turn' : 'loss'}>{problem}</Note>}
      {problem && (
        <p className="row">
          {stage === 'partial' && onContinue && (
            <Button look="primary" onClick={onContinue}>
              {labels.partial.continue}
            </Button>
          )}
          {undo && onUndo && <Button onClick={() => onUndo(undo)}>{labels.partial.undo}</Button>}
          {onAgain && (
            <Button look="quiet" onClick={onAgain}>
              {labels.backToAction}
            </Button>
          )}
        </p>
      )}
    </section>
  )
}

/** What happened, what happens next, the offer to be told, and one next step. */
function Success({ after, what, market }: { after: After; what: string; market: Market }) {
  const rows = [[what, after.left] as const, ...after.next]
  return (
    <>
      <div className="success">
        <span className="success-tick" aria-hidden="true">
          <Check size={34} />
        </span>
        <h3>{after.title}</h3>
        {after.text && <p className="soft">{after.text}</p>}
      </div>
      <ol className="success-next">
        {rows.map(([title, when], index) => (
          <li key={title}>
            {index === 0 ? <Check size={18} aria-hidden="true" /> : <Clock size={18} aria-hidden="true" />}
            <span className="stack tight">
              <strong>{title}</strong>
              <span className="small soft">{when}</span>
            </span>
          </li>
        ))}
      </ol>
      <p className="success-actions">
        {after.link && (
          <ButtonLink look="primary" href={after.link.href}>
            {after.link.label}
          </ButtonLink>
        )}
        <ButtonLink href={`/settings/notifications?market=${market}`}>{text.after.tell}</ButtonLink>
      </p>
    </>
  )
}
