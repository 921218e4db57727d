import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as amounts from './amounts.ts'
import { marketParams } from './params.ts'
import { sunsetNotice } from './suite.ts'

const source = (path: string) => readFileSync(new URL(`../../../../contracts/src/${path}`, import.meta.url), 'utf8')

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
  ['types/Market.sol', 'LAPSE_PENALTY', amounts.lapsePenalty],
  ['types/Market.sol', 'RULING_FEE', amounts.rulingFee],
  ['types/Market.sol', 'APPEAL_FEE', amounts.appealFee],
  ['types/Market.sol', 'ACCESS_FEE', amounts.accessFee],
  ['types/Market.sol', 'ACTION_CREDIT', amounts.actionCredit],
  ['types/Market.sol', 'MAX_MILESTONES', BigInt(amounts.maxMilestones)],
  ['types/Market.sol', 'MAX_REVISIONS', BigInt(amounts.maxRevisions)],
  ['types/Market.sol', 'BPS', amounts.bps],
  ['registry/EntryPause.sol', 'SUNSET_NOTICE', BigInt(sunsetNotice)],
  ['PaymentGateway.sol', 'UNION_SHARE_BPS', amounts.unionFeeBps],
  ['arbitration/Arbitrators.sol', 'MIN_BOND', amounts.minBond],
  ['arbitration/Arbitrators.sol', 'JUDGE_LOCK_BPS', amounts.judgeLockBps],
  ['arbitration/Arbitrators.sol', 'MIN_JUDGE_LOCK', amounts.minJudgeLock],
  ['arbitration/Arbitrators.sol', 'UNBOND_COOLDOWN', BigInt(amounts.unbondCooldown)],
  ['Arbitration.sol', 'OPENER_STAKE_BPS', amounts.openerStakeBps],
  ['Arbitration.sol', 'MIN_LOST_STAKE_BPS', amounts.minLostStakeBps],
  ['Arbitration.sol', 'SETTLEMENT_BPS', amounts.settlementBps],
  ['Arbitration.sol', 'COURT_SHARE_BPS', amounts.courtShareBps],
  ['Arbitration.sol', 'MAX_COURT_SHARE', amounts.maxCourtShare],
])('%s: %s', (path, name, value) => {
  expect(readConstant(path, name)).toBe(value)
})

test('amounts that the contracts derive from others', () => {
  expect(source('types/Market.sol')).toContain(' constant LOCKED_DEPOSIT = ENTRY_DEPOSIT - TASK_RESERVE;')
  expect(source('types/Market.sol')).toContain(' constant EXIT_DEPOSIT = ACCESS_FEE;')
  expect(source('types/Market.sol')).toContain(' constant TASK_RESERVE = RULING_FEE + APPEAL_FEE;')
  const { lockedDeposit, exitDeposit, taskReserve, accessFee } = amounts
  expect([lockedDeposit, exitDeposit, taskReserve]).toEqual([12_000_000n, accessFee, 13_000_000n])
})

test('a judge locks five quarters of the milestone, at least 2,000 TOK; an opener puts up a tenth', () => {
  const tok = 10n ** 18n
  expect(amounts.computeJudgeLock(100_000n * tok)).toBe(125_000n * tok)
  expect(amounts.computeJudgeLock(1_600n * tok - 1n)).toBe(2_000n * tok)
  expect(amounts.computeOpenerStake(100_000n * tok)).toBe(10_000n * tok)
})

test('the parameters of a market are the fields of the contracts, in their order', () => {
  const [, body = ''] = /struct MarketParams \{([^}]*)\}/.exec(source('types/Market.sol')) ?? []
  const fields = [...body.matchAll(/(\w+);/g)].map(([, name]) => name)
  expect(fields).toEqual(['market', ...Object.keys(marketParams.standard)])
})
