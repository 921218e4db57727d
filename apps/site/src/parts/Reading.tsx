import { ApiError } from '@svc/client'
import type { ReactNode } from 'react'
import type { Read } from '../api.ts'

/** Shows what was read: a sentence while it comes, what went wrong with the way out, or the thing itself. */
export function Reading<T>({ of, children }: { of: Read<T>; children: (body: T) => ReactNode }) {
  const { body, error, isPending, refetch, stale } = of
  if (body === undefined && isPending && !error) {
    return (
      <p className="loading" role="status">
        Reading the chain …
      </p>
    )
  }
  if (body === undefined) return <Problem error={error} onRetry={() => void refetch()} />
  return (
    <>
      {stale && (
        <p className="notice" role="status">
          The chain cannot be reached now: this is the last block that could be read.
        </p>
      )}
      {error && (
        <p className="notice" role="status">
          {wordsOf(error)} What you see was read before.{' '}
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      {children(body)}
    </>
  )
}

function Problem({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  return (
    <div className="problem" role="alert">
      <p>{wordsOf(error)}</p>
      {error instanceof ApiError && error.hint && <p>{error.hint}</p>}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

/** What went wrong, in a sentence. */
export function wordsOf(error: Error | null): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof TypeError || error?.name === 'TimeoutError') {
    return 'The server cannot be reached. Check your connection; your transactions are safe on the chain.'
  }
  return error?.message ?? 'Something went wrong.'
}
