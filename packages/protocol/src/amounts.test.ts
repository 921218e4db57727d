import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as amounts from './amounts.ts'
import { marketParams } from './params.ts'

const source = (path: string) => readFileSync(new URL(`../../../contracts/src/${path}`, import.meta.url), 'utf8')

/** The value of a Solidity constant: `2.5e6`, `1_000e18`, `7 days`, `16`. */
function readConstant(path: string, name: string): bigint {
  const [, digits = '', fraction = '', exponent = '0', days] =
    new RegExp(` constant ${name} = ([\\d_]+)(?:\\.(\\d+))?(?:e(\\d+))?( days)?;`).exec(source(path)) ?? []
  const zeros = '0'.repeat(Number(exponent) - fraction.length)
  return BigInt(digits.replaceAll('_', '') + fraction + zeros) * (days ? 86_400n : 1n)
}

test.each([
  ['types/Market.sol', 'ENTRY_DEPOSIT', amounts.entryDeposit],
  ['types/Market.sol', 'PAUSE_THRESHOLD', amounts.pauseThreshold],
  ['types/Market.sol', 'TASK_RESERVE', amounts.taskReserve],
  ['types/Market.sol', 'EXIT_PENALTY', amounts.exitPenalty],
  ['types/Market.sol', 'DISPUTE_FEE', amounts.disputeFee],
  ['types/Market.sol', 'ACCESS_FEE', amounts.accessFee],
  ['types/Market.sol', 'ACTION_CREDIT', amounts.actionCredit],
  ['types/Market.sol', 'MAX_MILESTONES', BigInt(amounts.maxMilestones)],
  ['types/Market.sol', 'MAX_REVISIONS', BigInt(amounts.maxRevisions)],
  ['types/Market.sol', 'BPS', amounts.bps],
  ['PaymentGateway.sol', 'UNION_SHARE_BPS', amounts.unionFeeBps],
  ['arbitration/Arbitrators.sol', 'MIN_BOND', amounts.minBond],
  ['arbitration/Arbitrators.sol', 'SLASH', amounts.slashAmount],
  ['arbitration/Arbitrators.sol', 'UNBOND_COOLDOWN', BigInt(amounts.unbondCooldown)],
  ['Arbitration.sol', 'TOP_TIER', BigInt(amounts.panelSizes.length - 1)],
])('%s: %s', (path, name, value) => {
  expect(readConstant(path, name)).toBe(value)
})

test('the parameters of a market are the fields of the contracts, in their order', () => {
  const [, body = ''] = /struct MarketParams \{([^}]*)\}/.exec(source('types/Market.sol')) ?? []
  const fields = [...body.matchAll(/(\w+);/g)].map(([, name]) => name)
  expect(fields).toEqual(['market', ...Object.keys(marketParams.standard)])
})
