import { describeTransaction, type Stage, type Transaction, useTransactions } from './transactions.ts'

const steps = ['signing', 'sent', 'in block', 'safe'] as const
const labels: Readonly<Record<(typeof steps)[number], string>> = {
  signing: 'Sign in the wallet',
  sent: 'Sent to the network',
  'in block': 'In a block',
  safe: 'Safe: the block stays',
}

/** The progress of a transaction from the wallet to a safe block. */
export function Timeline({ id, onAgain }: { id: string; onAgain?: () => void }) {
  const transactions = useTransactions()
  const transaction = id === 'newest' ? transactions[0] : transactions.find((each) => each.id === id)
  if (!transaction) return null
  return (
    <section className="timeline" aria-label={describeTransaction(transaction)} role="status">
      <TransactionSteps transaction={transaction} />
      {transaction.problem && <p className="problem">{transaction.problem}</p>}
      {transaction.problem && onAgain && (
        <button type="button" onClick={onAgain}>
          Back to the action
        </button>
      )}
    </section>
  )
}

/** The steps of one transaction. */
export function TransactionSteps({ transaction: { stage, hashes, calls, block } }: { transaction: Transaction }) {
  const at = steps.indexOf(stage as (typeof steps)[number])
  return (
    <ol className="steps" data-stage={stage}>
      {steps.map((step, index) => (
        <li key={step} className={getStepClass(stage, at, index)} aria-current={at === index ? 'step' : undefined}>
          {labels[step]}
          {step === 'signing' && calls > 1 && stage === 'signing' && ` (${hashes.length + 1} of ${calls})`}
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
