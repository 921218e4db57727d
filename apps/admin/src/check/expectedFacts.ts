import type { Deployments } from '@svc/chain'
import { markets } from '@svc/protocol'
import {
  creditCap,
  creditRate,
  oracleMaxAge,
  paidPlans,
  planPrices,
  realityCourtTimes,
  sequencerGrace,
  timelockDelay,
} from '@svc/protocol/internal/money'
import { zeroAddress } from 'viem'
import type { Plan } from '../plan/planFile.ts'
import { computeSuite } from '../plan/plannedSuite.ts'
import type { Facts } from './facts.ts'

/** Derives from a plan what must be true of its deployment. Nothing comes from the deployments file but the start block. */
export function deriveFacts(plan: Plan, { startBlock }: Pick<Deployments, 'startBlock'>): Facts {
  const suite = computeSuite(plan)
  const { shared } = suite
  const facts = new Map<string, string>([
    ['chainId', String(plan.chainId)],
    ['factory.deployer', plan.deployer],
    ['factory.created', String(suite.creations.length)],
    ['startBlock', String(startBlock)],
    ['tokToken.symbol', 'TOK'],
    ['tokToken.decimals', '18'],
    ['tokToken.totalSupply', formatSupply(maxSupply)],
    ['usdc.decimals', '6'],
    ['pricingPolicy.owner', shared.timelock],
    ['pricingPolicy.pendingOwner', zeroAddress],
    ['pricingPolicy.usdOracle', shared.usdOracle],
    ['timelock.minDelay', String(timelockDelay)],
  ])
  for (const name of paidPlans) {
    const { listPriceUsd, tokDiscountBps, tokAllowed } = planPrices[name]
    facts.set(`pricingPolicy.plan.${name}`, formatPlanPrice({ listPriceUsd, tokDiscountBps, tokAllowed }))
  }
  if ('governors' in plan.timelock) {
    const governors = formatList(plan.timelock.governors)
    facts.set('timelock.proposers', governors)
    facts.set('timelock.executors', governors)
    facts.set('timelock.cancellers', governors)
    facts.set('timelock.admins', shared.timelock)
  }
  if (plan.oracle && 'priceFeed' in plan.oracle) {
    facts.set('usdOracle.priceFeed', plan.oracle.priceFeed)
    facts.set('usdOracle.sequencerFeed', plan.oracle.sequencerFeed ?? zeroAddress)
    facts.set('usdOracle.maxAge', String(oracleMaxAge))
    facts.set('usdOracle.grace', String(sequencerGrace))
  }
  if (typeof plan.finalCourt !== 'string') {
    const { reality, policy, minBondWei: minBond } = plan.finalCourt
    facts.set('finalCourt.reality', reality)
    facts.set('finalCourt.tok', shared.tokToken)
    facts.set('finalCourt.remainderTo', plan.treasury)
    facts.set('finalCourt.policy', policy)
    for (const market of markets) {
      const { arbitration, depositVault: deposits } = suite.markets[market]
      const seat = { arbitration, deposits, ...realityCourtTimes[market], minBond }
      facts.set(`finalCourt.seat of ${market}`, formatSeat(seat))
    }
  } else if (!plan.allowWalletGovernors) facts.set('finalCourt.signatures', 'two or more')
  for (const market of markets) {
    facts.set(`${market} taskRegistry.owner`, shared.timelock)
    facts.set(`${market} taskRegistry.pendingOwner`, zeroAddress)
    facts.set(`${market} taskRegistry.guardian`, plan.guardian)
    facts.set(`${market} taskRegistry.paused`, 'false')
    facts.set(`${market} taskRegistry.sunsetAt`, '0')
    facts.set(`${market} stakingVault.owner`, shared.timelock)
    facts.set(`${market} stakingVault.pendingOwner`, zeroAddress)
    facts.set(`${market} stakingVault.creditCap`, String(creditCap))
    facts.set(`${market} stakingVault.creditRate`, String(creditRate))
    facts.set(`${market} taskLens.predecessor`, plan.predecessor?.[market].taskLens ?? zeroAddress)
    facts.set(`${market} reputationRegistry.predecessor`, plan.predecessor?.[market].reputationRegistry ?? zeroAddress)
  }
  for (const { name } of suite.steps) facts.set(`code of ${name}`, 'as compiled')
  return facts
}

/** Formats what a posting plan costs. */
export const formatPlanPrice = (plan: { listPriceUsd: bigint; tokDiscountBps: number; tokAllowed: boolean }) =>
  `${plan.listPriceUsd} USDC units, ${plan.tokDiscountBps} bps off in TOK, ${plan.tokAllowed ? 'TOK' : 'no TOK'}`

interface Seat {
  arbitration: string
  deposits: string
  answerTime: number
  timeout: number
  minBond: bigint
}

/** Formats how a court asks the cases of a market. */
export const formatSeat = ({ arbitration, deposits, answerTime, timeout, minBond }: Seat) =>
  `${arbitration} with ${deposits}, ${answerTime} s to answer, ${timeout} s to stand, a bond of ${minBond} wei`

/** What the token begins with, in TOK wei. Only burning changes it. */
const maxSupply = 10n ** 27n

/** Formats the supply of TOK. It shrinks with what judges lose. */
export const formatSupply = (supply: bigint) =>
  supply <= maxSupply ? `at most ${maxSupply} TOK wei` : `${supply} TOK wei`

/** Formats addresses in one order, so that lists can be compared. */
export const formatList = (addresses: readonly string[]) => [...addresses].sort().join(', ') || 'nobody'
