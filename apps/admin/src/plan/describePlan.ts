import { getChainProfile, markets } from '@svc/protocol'
import { computeDelayCost } from '@svc/protocol/internal/money'
import { formatEther } from 'viem'
import type { Plan } from './planFile.ts'
import type { PlannedSuite } from './plannedSuite.ts'

/** Describes a plan for reviewers: chain, roles, every address with its gas. */
export function describePlan(plan: Plan, suite: PlannedSuite): string {
  const total = suite.steps.reduce((sum, { gas }) => sum + gas, 0n)
  const roles: [string, string][] = [
    ['deployer', plan.deployer],
    ['USDC', plan.usdc],
    ['TOK', 'address' in plan.tok ? plan.tok.address : `new, minted to ${plan.tok.mintTo}`],
    [
      'timelock',
      'address' in plan.timelock ? plan.timelock.address : `new, governed by ${plan.timelock.governors.join(', ')}`,
    ],
    ['oracle', describeOracle(plan)],
    ['treasury', plan.treasury],
    ['final court', describeCourt(plan)],
    ['guardian', plan.guardian],
  ]
  const rows = suite.steps.map(({ name, address, gas }, index) => [
    String(index),
    name,
    address,
    gas.toLocaleString('en'),
  ])
  return [
    `Suite ${plan.suite} on ${getChainProfile(plan.chainId).name} (chain ${plan.chainId})`,
    '',
    ...roles.map(([role, who]) => `  ${role.padEnd(12)} ${who}`),
    '',
    ...rows.map(([index = '', name = '', address = '', gas = '']) =>
      [index.padStart(4), name.padEnd(28), address, gas.padStart(12)].join('  '),
    ),
    '',
    `${suite.steps.length} transactions, at most ${total.toLocaleString('en')} gas.`,
  ].join('\n')
}

function describeCourt({ finalCourt }: Plan): string {
  if (typeof finalCourt === 'string') return finalCourt
  const { reality, policy, minBondWei } = finalCourt
  const delays = markets.map((market) => `${formatEther(computeDelayCost(market, minBondWei))} ETH in ${market}`)
  return `new, asks Reality.eth ${reality} by ${policy}; a bond is at least ${formatEther(minBondWei)} ETH, so a delay past the window costs ${delays.join(' and ')}`
}

function describeOracle({ oracle }: Plan): string {
  if (!oracle) return 'none: plans sell for USDC only'
  if ('address' in oracle) return oracle.address
  return `new, feed ${oracle.priceFeed}, sequencer feed ${oracle.sequencerFeed ?? 'none'}`
}
