import { actionText as labels } from '../text/signing.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { describeTransaction } from './describeTransaction.ts'
import { findUndo } from './partial.ts'
import type { RequestedAction } from './readBack.ts'
import { TransactionSteps } from './TransactionSteps.tsx'
import type { Transaction } from './transactions.ts'

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
  const { stage, problem, outcome } = transaction
  const isDone = stage === 'in block' || stage === 'safe'
  const undo = findUndo(transaction)
  return (
    <section className="sign-flow timeline" aria-label={describeTransaction(transaction)} role="status">
      {isDone && (
        <Note tone="good">
          <p>
            <strong>{labels.done(describeTransaction(transaction))}</strong> {outcome}
          </p>
        </Note>
      )}
      <TransactionSteps transaction={transaction} />
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
