import { ApiError } from '@svc/client'
import { type ReactNode, useEffect, useState } from 'react'
import type { ApiQuery } from '../api.ts'
import { text } from '../text/common.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

const slowMs = 5_000

interface QueryViewProps<T> {
  of: ApiQuery<T>
  /** What is shown while nothing is known yet. */
  loading?: ReactNode
  children: (body: T) => ReactNode
}

/** Shows the result of a query, or its loading state, or its error with a retry button. */
export function QueryView<T>({ of, loading = <Skeleton lines={5} />, children }: QueryViewProps<T>) {
  const { body, error, isPending, refetch, stale } = of
  if (body === undefined && isPending && !error) return <Loading>{loading}</Loading>
  if (body === undefined) {
    return (
      <Note tone="loss">
        <p>{describeError(error)}</p>
        {error instanceof ApiError && error.hint && <p>{error.hint}</p>}
        <RetryButton onRetry={() => void refetch()} />
      </Note>
    )
  }
  return (
    <>
      {stale && <Note tone="turn">{text.staleChain}</Note>}
      {error && (
        <Note tone="turn">
          <p>
            {describeError(error)} {text.readBefore}
          </p>
          <RetryButton onRetry={() => void refetch()} />
        </Note>
      )}
      {children(body)}
    </>
  )
}

/** What is shown while a page loads. After a while, it says that it still does. */
function Loading({ children }: { children: ReactNode }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      {isSlow && <Note>{text.slow}</Note>}
      {children}
    </>
  )
}

const RetryButton = ({ onRetry }: { onRetry: () => void }) => (
  <p>
    <Button size="small" onClick={onRetry}>
      {text.tryAgain}
    </Button>
  </p>
)

/** Describes an error in one sentence. */
export function describeError(error: Error | null): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof TypeError || error?.name === 'TimeoutError') {
    return 'The server cannot be reached. Check your connection; your transactions are safe on the chain.'
  }
  return error?.message ?? 'Something went wrong.'
}
