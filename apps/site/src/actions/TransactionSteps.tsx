import { actionText as labels } from '../text/signing.ts'
import type { Stage, Transaction } from './transactions.ts'

const steps = ['signing', 'sent', 'in block', 'safe'] as const

/** The steps of one transaction. */
export function TransactionSteps({ transaction, isHidden = false }: { transaction: Transaction; isHidden?: boolean }) {
  const { stage, hashes, calls, block } = transaction
  const at = steps.indexOf(stage as (typeof steps)[number])
  return (
    <ol className={at < 0 || isHidden ? 'steps visually-hidden' : 'steps'} data-stage={stage}>
      {steps.map((step, index) => (
        <li key={step} className={getStepClass(stage, at, index)} aria-current={at === index ? 'step' : undefined}>
          {labels.steps[step]}
          {step === 'signing' && calls > 1 && stage === 'signing' && labels.count(hashes.length + 1, calls)}
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
