import { accessFee, exitDeposit } from '@svc/protocol'
import { Check, File as FileIcon, Lightbulb, Lock } from 'lucide-react'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { CategoryTile } from '../../parts/Category.tsx'
import { briefFilesText } from '../../text/briefFiles.ts'
import { text } from '../../text/post.ts'
import { Amount, formatShort, formatUsd, Worth } from '../../ui/Amount.tsx'
import { LazyMarkdown } from '../../ui/LazyMarkdown.tsx'
import { useMarket } from '../../useMarket.ts'
import { usePrice } from '../../usePrice.ts'
import { useWallet } from '../../wallet/useWallet.ts'
import { type PostDraft, readTags, sumMilestones } from './draft.ts'

const labels = text.preview

/** The task as people will see it, while it is written. */
export function Preview({ draft }: { draft: PostDraft }) {
  return (
    <aside className="post-side stack" aria-label={labels.label}>
      <div className="card">
        <p className="preview-head row between small">
          <span>{labels.label}</span>
          <span>{labels.live}</span>
        </p>
        <div className="pad">
          <DraftView draft={draft} />
        </div>
      </div>
      {draft.points.length < 2 && (
        <p className="card pad row small preview-tip">
          <Lightbulb size={18} aria-hidden="true" />
          <span>
            <strong>{labels.noPoints}</strong> {labels.noPointsWhy}
          </span>
        </p>
      )}
    </aside>
  )
}

/** What a draft says: title, poster, text, points and files. */
export function DraftView({ draft }: { draft: PostDraft }) {
  const { address } = useWallet()
  const market = useMarket()
  const { title, criteria, points, files } = draft
  const forWorker = files.filter((file) => file.for === 'worker').length
  const isEmpty = criteria.trim() === '' && points.length === 0
  return (
    <div className="stack draft-view">
      <CategoryTile tags={readTags(draft.tags)} title={title} size={36} />
      <h2 dir="auto">{title || <span className="faint">{labels.noTitle}</span>}</h2>
      {address && <AddressLink of={address} market={market} isTall />}
      {isEmpty ? <p className="faint">{labels.noText}</p> : <LazyMarkdown of={criteria} />}
      {points.length > 0 && (
        <ul className="stack tight draft-points">
          {points.map((point, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a point is identified by its number
            <li key={index} dir="auto">
              <Check size={17} aria-hidden="true" /> {point}
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <p className="row wrapping">
          {files.map(
            (file) =>
              file.for === 'everyone' && (
                <span key={file.name} className="tag">
                  <FileIcon size={14} aria-hidden="true" /> <bdi>{file.name}</bdi>
                </span>
              ),
          )}
          {forWorker > 0 && (
            <span className="tag">
              <Lock size={14} aria-hidden="true" /> {briefFilesText.more(forWorker)}
            </span>
          )}
        </p>
      )}
    </div>
  )
}

/** What posting costs, as far as the draft says. */
export function TotalSoFar({ draft }: { draft: PostDraft }) {
  const price = usePrice()
  const pay = sumMilestones(draft, price)
  const total = accessFee + exitDeposit + (draft.fundNow ? pay : 0n)
  const format = (amount: bigint) => (price ? formatUsd(amount, price) : formatShort(amount, 'tok'))
  const sentence = draft.fundNow ? labels.totalNow : labels.totalLater
  return (
    <aside className="post-side" aria-label={labels.total}>
      <div className="card pad stack tight lifted">
        <span className="small soft">{labels.total}</span>
        <p className="row between">
          <strong className="total">
            <Worth of={total} />
          </strong>
          {price && (
            <span className="small faint">
              <Amount of={total} />
            </span>
          )}
        </p>
        <p className="small soft">{sentence(format(pay), format(exitDeposit), format(accessFee))}</p>
      </div>
    </aside>
  )
}
