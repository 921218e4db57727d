import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { getConnection } from 'wagmi/actions'
import { describeError } from '../parts/QueryView.tsx'
import { actionText } from '../text/signing.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { findProvider } from '../wallet/provider.ts'
import { wagmiConfig } from '../wallet/wagmiConfig.ts'
import { hasPayChoice, PayChoice, usePayChoice } from './PayChoice.tsx'
import { Receipt } from './Receipt.tsx'
import type { RequestedAction } from './readBack.ts'
import { findSwapProblem, readBatch } from './readBatch.ts'
import { computeRequestKey, sendPrepared } from './send.ts'
import { Timeline } from './Timeline.tsx'
import {
  type After,
  findPending,
  findTransaction,
  forgetTransaction,
  isPending,
  type Transaction,
  useTransactions,
} from './transactions.ts'
import { isUpToDate, usePrepared } from './usePrepared.ts'

export interface SignFlowProps {
  asked: RequestedAction
  /** Whether it may not be signed now. The page around it says why. */
  isBlocked?: boolean | undefined
  /** Runs before the wallet is asked. An error stops it. */
  beforeSign?: (() => Promise<void>) | undefined
  /** Goes back to what was typed. Without it, there is nothing to go back to. */
  onBack?: (() => void) | undefined
  backLabel?: string | undefined
  onDone?: ((transaction: Transaction) => void) | undefined
  /** The transaction that this completes. */
  continues?: Transaction | undefined
}

/**
 * Prepares an action, shows its receipt, has it signed and shows how far it is. A deposit that is too low is topped up with the
 * same receipt.
 */
export function SignFlow({
  asked,
  isBlocked = false,
  beforeSign,
  onBack,
  backLabel,
  onDone,
  continues,
}: SignFlowProps) {
  const [sentId, setSentId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // What the next signature completes, if the last one was left halfway.
  const [partial, setPartial] = useState(continues)
  const [undo, setUndo] = useState<RequestedAction | null>(null)
  const transactions = useTransactions()
  const key = computeRequestKey(asked)
  const sent = transactions.find(({ id }) => id === sentId)
  const elsewhere = transactions.find((each) => each.key === key && isPending(each) && each.id !== sentId)
  const isOpen = sent === undefined && elsewhere === undefined
  const [payWith, choosePay] = usePayChoice()
  const prepared = usePrepared(asked, payWith, isOpen)
  const actions = useMemo(() => (prepared.body ? readBatch(prepared.body, asked) : []), [prepared.body, asked])
  useDone(sent, onDone)
  const queries = useQueryClient()

  const sign = async (after: After | null) => {
    setBusy(true)
    setProblem(null)
    try {
      await beforeSign?.()
      // What was true a while ago may not be true any more: a price, a balance, the task itself.
      if (!prepared.body || !(await isUpToDate(queries, asked, payWith, prepared.body)))
        return setProblem(actionText.updated)
      const { connector } = getConnection(wagmiConfig)
      const provider = await findProvider(connector)
      if (!provider) return setProblem(actionText.noProvider)
      const swapProblem = await findSwapProblem(provider, prepared.body)
      if (swapProblem) return setProblem(swapProblem)
      const request = { asked, actions, after, continues: partial }
      const started = Promise.withResolvers<void>()
      const sending = sendPrepared(provider, request, (id) => {
        setSentId(id)
        started.resolve()
      })
      void sending.then((isSent) => {
        if (!isSent && !findPending(key)) setProblem(actionText.inOtherTab)
        started.resolve()
      })
      await started.promise
    } catch (error) {
      setProblem(describeError(error as Error))
    } finally {
      setBusy(false)
    }
  }
  const again = () => {
    setSentId(null)
    setPartial(undefined)
    if (onBack) onBack()
    else void prepared.refetch()
  }
  const goOn = (transaction: Transaction) => {
    setPartial(transaction)
    setSentId(null)
    void prepared.refetch()
  }

  if (sent && undo) {
    return <SignFlow asked={undo} onBack={() => setUndo(null)} onDone={() => forgetTransaction(sent.id)} />
  }
  if (sent) return <Timeline transaction={sent} onAgain={again} onContinue={() => goOn(sent)} onUndo={setUndo} />
  if (elsewhere) {
    return (
      <>
        <Note>{actionText.alreadyPending}</Note>
        <Timeline transaction={elsewhere} />
      </>
    )
  }
  if (prepared.isPending) return <Preparing />
  const choice = hasPayChoice(prepared.body, prepared.error, payWith) && (
    <PayChoice chosen={payWith} onChoose={choosePay} />
  )
  if (!prepared.body) {
    return (
      <div className="sign-flow">
        {choice}
        <Note tone="loss">{describeError(prepared.error)}</Note>
        <p className="row">
          <Button look="primary" onClick={() => void prepared.refetch()} busy={prepared.isFetching}>
            {actionText.tryAgain}
          </Button>
          {onBack && <Button onClick={onBack}>{backLabel ?? actionText.back}</Button>}
        </p>
      </div>
    )
  }
  return (
    <Receipt
      prepared={prepared.body}
      actions={actions}
      choice={choice}
      isBlocked={isBlocked}
      isBusy={isBusy || prepared.isFetching}
      problem={problem}
      onSign={(after) => void sign(after)}
      onBack={onBack}
      backLabel={backLabel}
    />
  )
}

function Preparing() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 5_000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="sign-flow preparing">
      <p className="soft small" role="status">
        {isSlow ? actionText.slow : actionText.preparing}
      </p>
      <Skeleton lines={4} />
    </div>
  )
}

/** Reports a transaction once, when it is in a block. */
function useDone(transaction: Transaction | undefined, onDone: ((transaction: Transaction) => void) | undefined): void {
  const id = transaction?.stage === 'in block' || transaction?.stage === 'safe' ? transaction.id : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each transaction, whatever the page around it renders
  useEffect(() => {
    const done = id === null ? undefined : findTransaction(id)
    if (done) onDone?.(done)
  }, [id])
}
