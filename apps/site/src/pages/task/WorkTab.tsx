import { FileCheck2, ShieldCheck } from 'lucide-react'
import { taskText } from '../../text/task.ts'
import { CopyButton } from '../../ui/Address.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { formatLocal, Time } from '../../ui/Time.tsx'
import type { Delivery } from './deliveries.ts'

const words = taskText.work

interface WorkTabProps {
  deliveries: readonly Delivery[]
  /** Whether the terms name a store, whose receipt a delivery needs. */
  needsReceipt: boolean
  /** Whether the user is the one who reviews. */
  isReviewer: boolean
}

/** What was delivered, the newest first. */
export function WorkTab({ deliveries, needsReceipt, isReviewer }: WorkTabProps) {
  if (deliveries.length === 0) return <Empty>{words.none}</Empty>
  return (
    <div className="stack">
      {deliveries.map((delivery) => (
        <DeliveryCard
          key={`${delivery.milestone} ${delivery.version}`}
          delivery={delivery}
          needsReceipt={needsReceipt}
          isReviewer={isReviewer}
        />
      ))}
      <p className="small faint">{words.filesFromParties}</p>
    </div>
  )
}

function DeliveryCard({
  delivery,
  needsReceipt,
  isReviewer,
}: Omit<WorkTabProps, 'deliveries'> & { delivery: Delivery }) {
  const { milestone, version, at, proofHash, receipt, outcome } = delivery
  const isYours = outcome === 'review' && isReviewer
  const tone = isYours ? 'pill turn' : outcome === 'paid' ? 'pill good' : 'pill'
  return (
    <article className={outcome === 'review' || outcome === 'disputed' ? 'card pad stack' : 'card pad stack past'}>
      <div className="row between wrapping">
        <h3>{words.title(milestone + 1, version)}</h3>
        <span className={tone}>{isYours ? words.state.yours : words.state[outcome]}</span>
      </div>
      <p className="small soft">
        {words.delivered} <Time at={at} />
      </p>
      <p className="fingerprint">
        <FileCheck2 size={18} aria-hidden="true" />
        <span className="stack tight">
          <span className="small">{words.hash}</span>
          <span className="code tiny faint">{proofHash}</span>
        </span>
        <CopyButton value={proofHash} label={words.copyHash} />
      </p>
      {receipt ? (
        <p className="row small seal">
          <ShieldCheck size={17} aria-hidden="true" />
          {words.receipt(formatBytes(receipt.size), formatLocal(receipt.until))}
        </p>
      ) : (
        needsReceipt && outcome === 'review' && <p className="small soft">{words.noReceipt}</p>
      )}
    </article>
  )
}

function formatBytes(size: number): string {
  const unit = size < 1e3 ? 'byte' : size < 1e6 ? 'kilobyte' : 'megabyte'
  const count = size / { byte: 1, kilobyte: 1e3, megabyte: 1e6 }[unit]
  return new Intl.NumberFormat(navigator.language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(count)
}
