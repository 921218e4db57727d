import { ChainReadError, UnknownTaskError } from '@svc/chain'
import { ServiceError, unavailable } from '@svc/operations'
import { InvalidTaskIdError } from '@svc/protocol'
import { z } from 'zod'

/** Rethrows an error of preparing an action as a `ServiceError`: the request is invalid, or the chain is unreachable. */
export function rethrowPrepareError(error: unknown): never {
  if (error instanceof UnknownTaskError) throw new ServiceError('TASK_NOT_FOUND', error.message)
  if (error instanceof InvalidTaskIdError) throw new ServiceError('INVALID_TASK_ID', error.message)
  if (error instanceof z.core.$ZodError) {
    const [issue] = error.issues
    const place = ['input', ...(issue?.path ?? [])].map(String).join('.')
    throw new ServiceError('INVALID_REQUEST', `${place}: ${describePrepareError(issue)}.`)
  }
  if (error instanceof ChainReadError) throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
  throw error
}

function describePrepareError(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `unknown field ${issue.keys.join(', ').slice(0, 100)}`
  if (issue?.code === 'invalid_type') return `${issue.expected} is needed`
  return issue?.message.replace(/\.$/, '') ?? 'cannot be read'
}
