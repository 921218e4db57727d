import { ChainReadError, UnknownTaskError } from '@svc/chain'
import { InvalidTaskIdError } from '@svc/protocol'
import { z } from 'zod'
import { awayError, HttpError } from './errors.ts'

/** Throws what the client is told of an action that could not be prepared: what of the request is wrong, or that the chain is away. */
export function explainPreparing(error: unknown): never {
  if (error instanceof UnknownTaskError) throw new HttpError(404, 'TASK_NOT_FOUND', error.message)
  if (error instanceof InvalidTaskIdError) throw new HttpError(400, 'INVALID_TASK_ID', error.message)
  if (error instanceof z.core.$ZodError) {
    const [issue] = error.issues
    const place = ['input', ...(issue?.path ?? [])].map(String).join('.')
    throw new HttpError(400, 'INVALID_REQUEST', `${place}: ${wordsOf(issue)}.`)
  }
  if (error instanceof ChainReadError) throw awayError('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
  throw error
}

function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `there is no ${issue.keys.join(', ').slice(0, 100)} to set`
  if (issue?.code === 'invalid_type') return `${issue.expected} is needed`
  return issue?.message.replace(/\.$/, '') ?? 'cannot be read'
}
