import type { TaskDetailJson } from '@svc/client'
import { describeTransaction } from '../../actions/describeTransaction.ts'
import { useTransactions } from '../../actions/transactions.ts'
import { taskText } from '../../text/task.ts'
import { shortenAddress } from '../../ui/Address.tsx'
import { Note } from '../../ui/Note.tsx'
import { activityFormat } from './ActivityTab.tsx'
import { describeActivity } from './activity.ts'
import { isSameAddress } from './viewer.ts'

const labels = taskText.result

/** Says what the user's newest transaction on this task has done, once it is in a block. */
export function OwnResult({ task, since }: { task: TaskDetailJson; since: number }) {
  const newest = useTransactions().find(({ taskId, began }) => taskId === task.id && began >= since)
  if (newest?.stage !== 'in block' && newest?.stage !== 'safe') return null
  const hashes: readonly string[] = newest.hashes
  const activity = describeActivity(task, activityFormat).find(({ transactionHash }) =>
    hashes.includes(transactionHash),
  )
  // Until the page has read its block, only the action is known.
  if (!activity) return <Note tone="good">{labels.other(describeTransaction(newest))}</Note>
  const paid = activity.events.find(({ event, contract }) => event === 'Released' && contract === 'escrowVault')
  if (paid) {
    const { amount, to } = paid.args
    return (
      <Note tone="good">{labels.paid(activityFormat.tok(BigInt(String(amount))), shortenAddress(String(to)))}</Note>
    )
  }
  return (
    <Note tone="good">
      {isSameAddress(activity.who, newest.from) ? labels.done(activity.summary) : labels.other(activity.summary)}
    </Note>
  )
}
