import { expect, test } from 'vitest'
import { markets } from '../base/market.ts'
import { defaultReviewWindow, marketParams } from './params.ts'

test.each(markets)('%s: the windows are consistent with each other', (market) => {
  const params = marketParams[market]
  // A task that is funded at once can be started by the worker alone before the funding window ends.
  expect(params.vetWindow).toBeLessThan(params.fundingWindow)
  // The final court can be called while the parties may still speak.
  expect(params.consentWindow).toBeLessThan(params.evidenceWindow)
  expect(params.claimCutoff).toBeLessThan(params.maxClaimDeadline)
  expect(params.minDuration).toBeLessThan(params.maxDuration)
  expect(defaultReviewWindow[market]).toBeGreaterThanOrEqual(params.minReviewWindow)
  expect(defaultReviewWindow[market]).toBeLessThanOrEqual(params.maxReviewWindow)
})

test('standard: an outage of six hours costs nobody money', () => {
  const { vetWindow, fundingWindow, minReviewWindow, minDuration, ...rest } = marketParams.standard
  const costly = [vetWindow, fundingWindow, minReviewWindow, minDuration]
  const inDispute = [rest.minRevisionTime, rest.evidenceWindow, rest.rulingWindow, rest.appealWindow]
  expect(Math.min(...costly, ...inDispute)).toBeGreaterThanOrEqual(6 * 3_600)
})
