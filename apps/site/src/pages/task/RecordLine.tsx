import { taskText } from '../../text/task.ts'
import type { WalletRecord } from './useRecords.ts'

const words = taskText.people

/** What a wallet has done before, in one line. */
export function RecordLine({ of, as }: { of: WalletRecord | undefined; as: 'poster' | 'worker' }) {
  if (!of) return null
  const { completedAsPoster, completedAsWorker, disputesLost } = of
  const completed = as === 'poster' ? completedAsPoster : completedAsWorker
  if (completed === 0 && disputesLost === 0) return <span className="soft">{words.fresh}</span>
  return (
    <span className="soft">{(as === 'poster' ? words.posterRecord : words.workerRecord)(completed, disputesLost)}</span>
  )
}
