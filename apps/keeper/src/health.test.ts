import { ChainReadError, WrongChainError } from '@svc/chain'
import { expect, test } from 'vitest'
import { createKeeperHealth } from './health.ts'

test('readiness says why a provider is refused, and repeats nothing that a provider wrote', () => {
  const health = createKeeperHealth(2_000)
  const what = 'read the newest block'
  health.record({ kind: 'fault', what, error: new ChainReadError('text of a provider', { retryable: true }) })
  expect(health.assess()).toMatchObject({ ready: false, why: 'cannot read the newest block' })
  health.record({ kind: 'fault', what, error: new WrongChainError('provider 1', 'it is on chain 10') })
  expect(health.assess().why).toMatch(/^cannot read the newest block: provider 1 is refused: it is on chain 10\./)
})
