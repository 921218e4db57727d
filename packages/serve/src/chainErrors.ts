import { ChainReadError, createChainVerifier, type Providers, SwapRefusedError, UnknownTaskError } from '@svc/chain'
import { ServiceError, unavailable } from '@svc/operations'
import { InvalidTaskIdError } from '@svc/protocol'
import { formatIssue } from '@svc/protocol/internal/base'
import { StatementRequiredError } from '@svc/protocol/internal/work'
import type { VerifySignature } from '@svc/protocol/negotiation'
import { z } from 'zod'

/** Rethrows an error of preparing an action as a `ServiceError`: the request is invalid, or the chain is unreachable. */
export function rethrowPrepareError(error: unknown): never {
  if (error instanceof UnknownTaskError) throw new ServiceError('TASK_NOT_FOUND', error.message)
  if (error instanceof StatementRequiredError) throw new ServiceError(error.code, error.message, { hint: error.hint })
  if (error instanceof SwapRefusedError) throw new ServiceError(error.code, error.message, { hint: error.hint })
  if (error instanceof InvalidTaskIdError) throw new ServiceError('INVALID_TASK_ID', error.message)
  if (error instanceof z.core.$ZodError) {
    throw new ServiceError('INVALID_REQUEST', formatIssue(error.issues[0], ['input']))
  }
  if (error instanceof ChainReadError) throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
  throw error
}

/** Creates a verifier of signatures that answers CHAIN_UNREACHABLE if only the chain could verify and it cannot be read. */
export function createServiceVerifier(providers: Providers): VerifySignature {
  const verify = createChainVerifier(providers)
  return async (check) => {
    try {
      return await verify(check)
    } catch (error) {
      if (error instanceof ChainReadError) throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
      throw error
    }
  }
}
