import { ApiError } from '@svc/client'
import type { ReactNode } from 'react'
import type { ApiQuery } from '../api.ts'

/** Shows the result of a query, or its loading state, or its error with a retry button. */
export function QueryView<T>({ of, children }: { of: ApiQuery<T>; children: (body: T) => ReactNode }) {
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
          {describeError(error)} What you see was read before.{' '}
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
      <p>{describeError(error)}</p>
      {error instanceof ApiError && error.hint && <p>{error.hint}</p>}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

/** Describes an error in one sentence. */
export function describeError(error: Error | null): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof TypeError || error?.name === 'TimeoutError') {
    return 'The server cannot be reached. Check your connection; your transactions are safe on the chain.'
  }
  return error?.message ?? 'Something went wrong.'
}
