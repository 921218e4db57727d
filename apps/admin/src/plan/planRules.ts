import { getChainProfile } from '@svc/protocol'
import { type Address, isAddressEqual } from 'viem'
import type { Plan } from './planFile.ts'

/** A rule that a plan must keep, without asking the chain. Returns what is wrong; null if nothing is. */
type PlanRule = (plan: Plan) => string | null

const leastBond = 5_000_000_000_000_000n
const isSame = (a: Address, b: Address | null | undefined) => Boolean(b) && isAddressEqual(a, b ?? a)
/** Who decides as the final court; null for a contract that nobody holds. */
const readCourt = ({ finalCourt }: Plan) => (typeof finalCourt === 'string' ? finalCourt : null)
const listGovernors = ({ timelock }: Plan) => ('governors' in timelock ? timelock.governors : [])

const rules: readonly PlanRule[] = [
  ({ chainId, usdc }) => {
    const { usdc: known, name } = getChainProfile(chainId)
    return known && !isAddressEqual(known, usdc) ? `usdc: ${usdc} is not the USDC of ${name}, ${known}` : null
  },
  ({ chainId, oracle }) => {
    const { sequencerFeed: known, name } = getChainProfile(chainId)
    if (!oracle || 'address' in oracle || !known) return null
    if (!oracle.sequencerFeed) return `oracle.sequencerFeed: missing; that of ${name} is ${known}`
    return isAddressEqual(oracle.sequencerFeed, known)
      ? null
      : `oracle.sequencerFeed: ${oracle.sequencerFeed} is not the one of ${name}, ${known}`
  },
  ({ oracle }) =>
    oracle && 'priceFeed' in oracle && isSame(oracle.priceFeed, oracle.sequencerFeed)
      ? 'oracle: the price feed and the sequencer feed are the same'
      : null,
  (plan) => {
    const governors = listGovernors(plan)
    return new Set(governors).size < governors.length ? 'timelock.governors: one is named twice' : null
  },
  (plan) =>
    listGovernors(plan).some((each) => isAddressEqual(each, plan.deployer))
      ? 'timelock.governors: the deployer has no role'
      : null,
  ({ deployer, guardian }) => (isAddressEqual(deployer, guardian) ? 'guardian: the deployer has no role' : null),
  ({ deployer, treasury }) => (isAddressEqual(deployer, treasury) ? 'treasury: the deployer has no role' : null),
  (plan) => (isSame(plan.deployer, readCourt(plan)) ? 'finalCourt: the deployer has no role' : null),
  ({ deployer, tok }) =>
    'mintTo' in tok && isAddressEqual(deployer, tok.mintTo) ? 'tok.mintTo: the deployer has no role' : null,
  (plan) => (isSame(plan.treasury, readCourt(plan)) ? 'finalCourt: the treasury cannot decide disputes too' : null),
  (plan) => (isSame(plan.guardian, readCourt(plan)) ? 'finalCourt: the guardian cannot decide disputes too' : null),
  ({ chainId, finalCourt }) => {
    const { realityEth: known, name } = getChainProfile(chainId)
    if (typeof finalCourt === 'string' || !known || isAddressEqual(finalCourt.reality, known)) return null
    return `finalCourt.reality: ${finalCourt.reality} is not the Reality.eth of ${name}, ${known}`
  },
  // Below it, an answer risks less than it costs to look at a case, and a delay past the window is cheap.
  ({ finalCourt }) =>
    typeof finalCourt !== 'string' && finalCourt.minBondWei < leastBond
      ? `finalCourt.minBondWei: at least ${leastBond}, which is 0.005 ETH`
      : null,
  ({ usdc, tok }) => ('address' in tok && isAddressEqual(tok.address, usdc) ? 'tok: the same as usdc' : null),
  ({ usdc, treasury }) => (isAddressEqual(usdc, treasury) ? 'treasury: the same as usdc' : null),
  ({ chainId, allowWalletGovernors }) =>
    allowWalletGovernors && getChainProfile(chainId).banner === null ? 'allowWalletGovernors: only on a testnet' : null,
  (plan) => {
    const { predecessor } = plan
    return predecessor && isAddressEqual(predecessor.standard.taskLens, predecessor.micro.taskLens)
      ? 'predecessor: both markets name the same lens'
      : null
  },
]

/** Lists what is wrong with a plan, without asking the chain. */
export const findRuleFaults = (plan: Plan): string[] => rules.flatMap((rule) => rule(plan) ?? [])

/** Formats what is wrong with a plan, one line each. */
export const formatPlanFaults = (faults: readonly string[]): string =>
  `The plan is refused:\n${faults.map((each) => `  ${each}`).join('\n')}`
