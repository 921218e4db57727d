import { actionText as words } from '../text/signing.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { findUndo } from './partial.ts'
import type { RequestedAction } from './readBack.ts'
import { describeTransaction, type Stage, type Transaction } from './transactions.ts'

const steps = ['signing', 'sent', 'in block', 'safe'] as const

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
            <strong>{words.done(describeTransaction(transaction))}</strong> {outcome}
          </p>
        </Note>
      )}
      <TransactionSteps transaction={transaction} />
      {problem && <Note tone={stage === 'partial' ? 'turn' : 'loss'}>{problem}</Note>}
      {problem && (
        <p className="row">
          {stage === 'partial' && onContinue && (
            <Button look="primary" onClick={onContinue}>
              {words.partial.continue}
            </Button>
          )}
          {undo && onUndo && <Button onClick={() => onUndo(undo)}>{words.partial.undo}</Button>}
          {onAgain && (
            <Button look="quiet" onClick={onAgain}>
              {words.backToAction}
            </Button>
          )}
        </p>
      )}
    </section>
  )
}

/** The steps of one transaction. */
export function TransactionSteps({ transaction: { stage, hashes, calls, block } }: { transaction: Transaction }) {
  const at = steps.indexOf(stage as (typeof steps)[number])
  return (
    <ol className={at < 0 ? 'steps visually-hidden' : 'steps'} data-stage={stage}>
      {steps.map((step, index) => (
        <li key={step} className={getStepClass(stage, at, index)} aria-current={at === index ? 'step' : undefined}>
          {words.steps[step]}
          {step === 'signing' && calls > 1 && stage === 'signing' && words.count(hashes.length + 1, calls)}
          {step === 'in block' && block !== undefined && ` ${block}`}
        </li>
      ))}
    </ol>
  )
}

function getStepClass(stage: Stage, at: number, index: number): string {
  if (at < 0) return 'off'
  if (index < at || stage === 'safe') return 'done'
  return index === at ? 'now' : 'next'
}
