import { text } from '../text/common.ts'

/** Lines where text will be. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="stack loading" role="status" aria-label={text.loading}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span key={index} className={`skeleton skeleton-${index % 3}`} />
      ))}
    </div>
  )
}

/** Cards where a list will be. */
export function SkeletonList({ rows = 5 }: { rows?: number }) {
  return (
    <div className="stack loading" role="status" aria-label={text.loading}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={index} className="card pad stack">
          <span className="skeleton skeleton-1" />
          <span className="skeleton skeleton-0" />
          <span className="skeleton skeleton-2" />
        </div>
      ))}
    </div>
  )
}
