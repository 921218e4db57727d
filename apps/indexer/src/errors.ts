import { SvcError, type SvcErrorOptions } from '@svc/protocol'

/** Providers contradict each other, or the data of one is inconsistent. Nothing is written and the step is retried. */
export class ProviderDisagreementError extends SvcError {
  override name = 'ProviderDisagreementError'

  constructor(message: string, options?: SvcErrorOptions) {
    super('PROVIDER_DISAGREEMENT', message, options)
  }
}
