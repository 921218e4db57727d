import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { SvcError } from '../base/svcError.ts'
import type { VerifySignature } from '../negotiation/signatures.ts'
import { decodeTaskText } from '../tasks/taskText.ts'
import { type CheckedStatement, checkStatement, parseStatementMessage } from './statement.ts'
import { WorkError } from './workError.ts'

export interface PosterStatementUse {
  /** The terms of the task, or the part of them that matters. */
  terms: { poster: Address; store: Address }
  /** The published text. */
  text: string
  chainId: number
  /** Unix seconds. */
  now: number
  verifySignature: VerifySignature
  /** The domains whose sign-ins count. Any domain, if it is missing: the reader of the statement checks it again. */
  domains?: readonly string[] | undefined
}

/**
 * Checks the key statement in the text of an open task. A client calls this before it posts or claims one: with a store,
 * silence pays only for a delivery that the poster could open, so its reading key must be known and fixed from the start.
 * Returns null for terms without a store. Throws {@link StatementRequiredError}, with a message for people.
 *
 * @example
 * ```ts
 * await checkPosterStatement({ terms, text, chainId, now, verifySignature })
 * ```
 */
export async function checkPosterStatement({
  terms: { poster, store },
  text,
  domains,
  ...use
}: PosterStatementUse): Promise<CheckedStatement | null> {
  if (isAddressEqual(store, zeroAddress)) return null
  const { statement } = decodeTaskText(text)
  if (!statement) throw refuse('the published text has no key statement of the poster, so nobody can seal work for it')
  try {
    const named = domains ?? [parseStatementMessage(statement.message).domain]
    return await checkStatement(statement, { ...use, wallet: poster, domains: named })
  } catch (error) {
    if (!(error instanceof WorkError)) throw error
    throw refuse(`the key statement in the published text does not count. ${error.message}`.replace(/\.$/, ''), error)
  }
}

const refuse = (why: string, cause?: Error) => new StatementRequiredError(`The terms name a store, but ${why}.`, cause)

/** Thrown for a task with a store whose text has no key statement of the poster that counts. */
export class StatementRequiredError extends SvcError<'STATEMENT_REQUIRED'> {
  override name = 'StatementRequiredError'

  constructor(message: string, cause?: Error) {
    super('STATEMENT_REQUIRED', message, {
      hint: 'The poster signs in once (svc-work sign-in) and posts the task with that statement, or without a store.',
      ...(cause && { cause }),
    })
  }
}
