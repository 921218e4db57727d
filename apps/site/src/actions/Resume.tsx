import { useState } from 'react'
import type { RequestedAction } from './readBack.ts'
import { SignFlow } from './SignFlow.tsx'
import { Timeline } from './Timeline.tsx'
import { forgetTransaction, type Transaction } from './transactions.ts'

/** A transaction of before: how far it is, and the ways on if it stopped halfway. */
export function Resume({ transaction }: { transaction: Transaction }) {
  const [next, setNext] = useState<'undo' | 'continue' | null>(null)
  const [undo, setUndo] = useState<RequestedAction | null>(null)
  const stop = () => setNext(null)
  if (next === 'undo' && undo) {
    return <SignFlow asked={undo} onBack={stop} onDone={() => forgetTransaction(transaction.id)} />
  }
  if (next === 'continue' && transaction.asked) {
    return <SignFlow asked={transaction.asked} continues={transaction} onBack={stop} />
  }
  return (
    <Timeline
      transaction={transaction}
      onContinue={transaction.asked && (() => setNext('continue'))}
      onUndo={(asked) => {
        setUndo(asked)
        setNext('undo')
      }}
    />
  )
}
