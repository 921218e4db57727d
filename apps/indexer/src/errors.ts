import { SvcError } from '@svc/protocol'
import type { SvcErrorOptions } from '@svc/protocol/internal/base'

/** Providers contradict each other, or the data of one is inconsistent. Nothing is written and the step is retried. */
export class ProviderDisagreementError extends SvcError {
  override name = 'ProviderDisagreementError'
  /** The providers to doubt: those that contradict each other, or the one that contradicts itself or two others. */
  readonly providers: readonly string[]

  constructor(message: string, providers: readonly { rpc: { name: string } }[], options?: SvcErrorOptions) {
    super('PROVIDER_DISAGREEMENT', message, options)
    this.providers = providers.map(({ rpc }) => rpc.name)
  }
}

/** A provider returned what cannot be true, whatever other providers say: it is refuted without them. */
export class FalseDataError extends ProviderDisagreementError {
  override name = 'FalseDataError'
}

/** A provider says that the index's last block was replaced, and another does not. Until they agree, the index may be wrong. */
export class ContestedBlockError extends ProviderDisagreementError {
  override name = 'ContestedBlockError'
}

/** The next blocks change a task or dispute that the index does not have, at every provider. Only a new build repairs it. */
export class MissingEventsError extends SvcError {
  override name = 'MissingEventsError'

  constructor(cursor: { number: bigint }, cause: Error) {
    super('MISSING_EVENTS', `Events up to block ${cursor.number} are missing in the index: ${cause.message}`, { cause })
  }
}

/** Lists providers in a sentence. */
export const formatNames = (providers: readonly { rpc: { name: string } }[]): string =>
  [...new Set(providers.map(({ rpc }) => rpc.name))].join(' and ')
