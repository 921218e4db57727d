import { formatAmount, marketParams, parseTaskId } from '@svc/protocol'
import { explainError, extractRevertData } from '@svc/protocol/errors'
import { expect, test } from 'vitest'

const { market, number } = parseTaskId('v2:standard:7')
const pay = formatAmount(1_500_000_000_000_000_000n, 'tok') // 1.5 TOK
const fundingSeconds = marketParams[market].fundingWindow // 86400

/** What an error of viem means, as { name, args, message, wayOut }; null if no contract caused it. */
function explain(error: unknown) {
  const data = extractRevertData(error)
  return data ? explainError(data, { market }) : null
}

test('the example in the README of the protocol package does what its comments say', () => {
  expect([number, pay, fundingSeconds]).toEqual([7n, '1.5 TOK', 86_400])
  expect(explain(new Error('offline'))).toBeNull()
  expect(explain({ data: '0xdeadbeef' })?.name).toBe('Unknown')
})
