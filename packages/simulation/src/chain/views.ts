import {
  claimPolicies,
  disputeEndings,
  disputePhases,
  type Market,
  markets,
  milestoneStates,
  taskScopes,
  taskStates,
} from '@svc/protocol'
import { computeJudgeLock, creditCap } from '@svc/protocol/internal/money'
import { computeWithdrawableDeposit } from '@svc/protocol/internal/records'
import {
  type AbiFunction,
  type Address,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  type Hex,
  parseAbi,
  slice,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { canTakeCase } from '../model/facts.ts'
import type { SimBlock } from './chain.ts'
import type { Oracle } from './oracle.ts'
import type { SimContract, SimPlaces } from './places.ts'
import { abis } from './suite/abis.ts'
import { accruedAt, creditsAt, rewardsAt } from './suite/staking.ts'

/** The parameters of eth_call. */
export interface CallRequest {
  to?: Hex
  data?: Hex
  input?: Hex
}

/** The result of eth_call, or a JSON-RPC error. */
export type CallAnswer = { result: unknown } | { error: { code: number; message: string; data?: Hex } }

const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) view returns (Result[] results)',
])

/** A view of a contract. Written as a method, so that each may name its own arguments. */
type View = { read(args: readonly unknown[], at: { block: SimBlock; market: Market }): unknown }['read']

/** Creates a function that answers eth_call for the views of both markets, directly or through Multicall3. Other calls revert. */
export function createViews(oracle: Oracle, places: SimPlaces): (request: CallRequest, block: SimBlock) => CallAnswer {
  const views = createViewTable(oracle, places)
  const owners = new Map<string, { market: Market; contract: SimContract }>()
  for (const market of markets) {
    for (const [contract, address] of Object.entries(places.markets[market])) {
      owners.set(address.toLowerCase(), { market, contract: contract as SimContract })
    }
  }

  // viem would hash the signatures of a whole ABI for every call.
  const functions = new Map<string, AbiFunction>()
  for (const [contract, abi] of Object.entries(abis))
    for (const item of abi) if (item.type === 'function') functions.set(`${contract} ${toFunctionSelector(item)}`, item)

  const run = (to: Hex, data: Hex, block: SimBlock): Hex | null => {
    if (to.toLowerCase() === places.multicall3.toLowerCase()) {
      const { args } = decodeFunctionData({ abi: multicallAbi, data })
      const result = args[0].map(({ target, callData }) => {
        const returnData = run(target, callData, block)
        return { success: returnData !== null, returnData: returnData ?? '0x' }
      })
      return encodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', result })
    }
    const owner = owners.get(to.toLowerCase())
    const item = owner && functions.get(`${owner.contract} ${data.slice(0, 10)}`)
    if (!item) return null
    const view = views[`${owner.contract}.${item.name}`]
    if (!view) return null
    // Without arguments there is nothing to decode.
    const args = item.inputs.length > 0 ? decodeAbiParameters(item.inputs, slice(data, 4)) : []
    const result = view(args, { block, market: owner.market })
    return encodeAbiParameters(item.outputs, item.outputs.length > 1 && Array.isArray(result) ? result : [result])
  }

  return ({ to, data, input }, block) => {
    const result = run(to ?? zeroAddress, data ?? input ?? '0x', block)
    return result === null ? { error: { code: 3, message: 'execution reverted', data: '0x' } } : { result }
  }
}

function createViewTable(oracle: Oracle, { finalCourt }: SimPlaces): Record<string, View> {
  const at = ({ block, market }: Parameters<View>[1]) => ({ ...oracle.entriesAt(block.number, market), block, market })
  type At = Parameters<View>[1]
  const own = (pick: (entry: ReturnType<typeof at>['own'], now: number) => unknown) => (_: never, here: At) =>
    pick(at(here).own, here.block.timestamp)
  const taskView = (number: bigint, { block, market }: At) => {
    const task = oracle.taskAt(block.number, market, number)
    return {
      taskId: number,
      task: taskStruct(task, oracle.entriesAt(block.number, market).task(number)?.termsHash ?? zeroHash),
      settlementDigest: task?.settlementDigest ?? zeroHash,
      funded: task?.funded ?? 0n,
      released: task?.released ?? 0n,
      refunded: task?.refunded ?? 0n,
      milestones: (task?.milestones ?? []).map(({ amount, duration, state }) => ({
        amount,
        duration,
        state: milestoneStates.indexOf(state),
      })),
    }
  }
  const findTasks = ([state, start, maxScan, limit]: readonly [number, bigint, bigint, bigint], here: At) => {
    const { own: market, task } = at(here)
    const found: bigint[] = []
    let next = start < market.taskCount ? start : market.taskCount
    for (let scanned = 0n; next !== 0n && scanned < maxScan && BigInt(found.length) < limit; scanned++) {
      if (task(next)?.state === taskStates[state]) found.push(next)
      next--
    }
    return [found, next] as const
  }
  const account = (number: bigint, here: At) => {
    const { funded = 0n, released = 0n, refunded = 0n } = at(here).task(number) ?? {}
    return { funded, released, refunded }
  }
  const reputation = (wallet: Address, here: At) => oracle.agentAt(here.block.number, here.market, wallet)
  const accrual = (here: At) => accruedAt(at(here).own, here.block.timestamp)

  return {
    'taskLens.tasksOf': ([numbers]: readonly [readonly bigint[]], here) => numbers.map((each) => taskView(each, here)),
    'taskLens.tasksIn': (args: readonly [number, bigint, bigint, bigint], here) => {
      const [found, next] = findTasks(args, here)
      return [found.map((each) => taskView(each, here)), next]
    },
    'taskLens.disputesOf': ([numbers]: readonly [readonly bigint[]], { block, market }) =>
      numbers.map((taskId) => ({ taskId, dispute: disputeStruct(oracle.disputeAt(block.number, market, taskId)) })),
    'taskRegistry.findTasks': findTasks as View,
    'taskRegistry.taskCount': own(({ taskCount }) => taskCount),
    'taskRegistry.paused': own(({ paused }) => paused),
    'taskRegistry.sunsetAt': own(({ sunsetAt }) => BigInt(sunsetAt)),
    'taskRegistry.taskOf': ([number]: readonly [bigint], here) => taskView(number, here).task,
    'taskRegistry.allowedWorkerOf': ([number]: readonly [bigint], here) =>
      at(here).task(number)?.allowedWorker ?? zeroAddress,
    'taskRegistry.milestonesOf': ([number]: readonly [bigint], here) => taskView(number, here).milestones,
    'taskRegistry.settlementDigestOf': ([number]: readonly [bigint], here) => taskView(number, here).settlementDigest,
    'taskRegistry.isNonceUsed': ([wallet, nonce]: readonly [Address, bigint], { block, market }) =>
      oracle.isNonceUsedAt(block.number, market, wallet, nonce),
    'taskScopeRegistry.scopesOf': ([numbers]: readonly [readonly bigint[]], here) =>
      numbers.map((number) => taskScopes.indexOf(at(here).task(number)?.scope ?? 'OPEN')),
    'escrowVault.accountOf': ([number]: readonly [bigint], here) => account(number, here),
    'escrowVault.accountsOf': ([numbers]: readonly [readonly bigint[]], here) =>
      numbers.map((each) => account(each, here)),
    'escrowVault.heldOf': ([number]: readonly [bigint], here) => {
      const { funded, released, refunded } = account(number, here)
      return funded - released - refunded
    },
    'escrowVault.exitDepositOf': ([number, wallet]: readonly [bigint, Address], { block, market }) =>
      oracle.reserveAt(block.number, market, number, wallet).exitDeposit,
    'escrowVault.withdrawableOf': ([wallet]: readonly [Address], here) => at(here).agent(wallet).payouts,
    'depositVault.balanceOf': ([wallet]: readonly [Address], here) => at(here).agent(wallet).deposit,
    'depositVault.reservedOf': ([wallet]: readonly [Address], here) => at(here).agent(wallet).reserved,
    'depositVault.freeOf': ([wallet]: readonly [Address], here) =>
      at(here).agent(wallet).deposit - at(here).agent(wallet).reserved,
    'depositVault.reserveOf': ([number, wallet]: readonly [bigint, Address], { block, market }) =>
      oracle.reserveAt(block.number, market, number, wallet).amount,
    'depositVault.withdrawableOf': ([wallet]: readonly [Address], here) =>
      computeWithdrawableDeposit(at(here).agent(wallet)),
    'depositVault.totalDeposits': own(({ totalDeposits }) => totalDeposits),
    'paymentGateway.market': (_: never, { market }) => market,
    'paymentGateway.paidUntil': ([wallet, planId]: readonly [Address, Hex], { block, market }) =>
      BigInt(oracle.paidUntilAt(block.number, market, wallet, planId)),
    'reputationRegistry.reputationOf': ([wallet]: readonly [Address], here) => reputation(wallet, here),
    'reputationRegistry.reputationsOf': ([wallets]: readonly [readonly Address[]], here) =>
      wallets.map((wallet) => reputation(wallet, here)),
    'stakingVault.stakingActive': own(({ stakingActive }) => stakingActive),
    'stakingVault.totalStakedTok': own(({ totalStaked }) => totalStaked),
    'stakingVault.totalCreditsIssued': (_: never, here) => accrual(here).totalCreditsIssued,
    'stakingVault.creditsRemaining': (_: never, here) => creditCap - accrual(here).totalCreditsIssued,
    'stakingVault.creditIssuanceClosed': (_: never, here) => accrual(here).totalCreditsIssued === creditCap,
    'stakingVault.rewardReserve': (_: never, here) => accrual(here).rewardReserve,
    'stakingVault.stakedOf': ([wallet]: readonly [Address], here) => at(here).agent(wallet).staked,
    'stakingVault.creditsOf': ([wallet]: readonly [Address], here) => creditsAt(at(here).agent(wallet), accrual(here)),
    'stakingVault.rewardsOf': ([wallet]: readonly [Address], here) => rewardsAt(at(here).agent(wallet), accrual(here)),
    'arbitration.disputeOf': ([number]: readonly [bigint], { block, market }) =>
      disputeStruct(oracle.disputeAt(block.number, market, number)),
    'arbitration.phaseOf': ([number]: readonly [bigint], { block, market }) =>
      disputePhases.indexOf(oracle.disputeAt(block.number, market, number)?.phase ?? 'NONE'),
    'arbitration.arbitratorOf': ([wallet]: readonly [Address], here) => at(here).arbitrator(wallet),
    'arbitration.arbitratorsFrom': ([start, count]: readonly [bigint, bigint], here) =>
      at(here).own.roster.slice(Number(start), Number(start + count)),
    'arbitration.arbitratorCount': own(({ roster }) => BigInt(roster.length)),
    'arbitration.isEligible': ([wallet, amount]: readonly [Address, bigint], here) =>
      canTakeCase(at(here).arbitrator(wallet), amount),
    'arbitration.lockFor': ([amount]: readonly [bigint]) => computeJudgeLock(amount),
    'arbitration.finalCourt': () => finalCourt,
    'arbitration.withdrawableOf': ([wallet]: readonly [Address], here) => at(here).agent(wallet).awards,
    'arbitration.totalBonded': own(({ totalBonded }) => totalBonded),
    'arbitration.totalStakes': own(({ totalStakes }) => totalStakes),
  } satisfies Record<string, View>
}

function taskStruct(task: ReturnType<Oracle['taskAt']>, termsHash: Hex) {
  return {
    poster: task?.poster ?? zeroAddress,
    state: taskStates.indexOf(task?.state ?? 'NONE'),
    scope: taskScopes.indexOf(task?.scope ?? 'OPEN'),
    claimPolicy: claimPolicies.indexOf(task?.claimPolicy ?? 'ANYONE'),
    milestoneCount: task?.milestones.length ?? 0,
    current: task?.current ?? 0,
    maxRevisions: task?.maxRevisions ?? 0,
    revisions: task?.revisions ?? 0,
    workerBps: task?.workerBps ?? 0,
    ruled: task?.ruled ?? false,
    fundedAtClaim: task?.fundedAtClaim ?? false,
    receipted: task?.receipted ?? false,
    underNotice: task?.underNotice ?? false,
    worker: task?.worker ?? zeroAddress,
    claimedAt: task?.claimedAt ?? 0,
    reviewWindow: task?.reviewWindow ?? 0,
    total: task?.total ?? 0n,
    claimDeadline: task?.claimDeadline ?? 0,
    deadline: task?.deadline ?? 0,
    reviewEnd: task?.reviewEnd ?? 0,
    arbitrator: task?.arbitrator ?? zeroAddress,
    postedAt: task?.postedAt ?? 0,
    postedBlock: task?.postedBlock ?? 0,
    store: task?.store ?? zeroAddress,
    termsHash,
  }
}

function disputeStruct(dispute: ReturnType<Oracle['disputeAt']>) {
  return {
    poster: dispute?.poster ?? zeroAddress,
    phase: disputePhases.indexOf(dispute?.phase ?? 'NONE'),
    ending: disputeEndings.indexOf(dispute?.ending ?? 'NONE'),
    number: dispute?.round ?? 0,
    openedByPoster: dispute?.openedByPoster ?? false,
    posterSpoke: dispute?.posterSpoke ?? false,
    workerSpoke: dispute?.workerSpoke ?? false,
    ruled: dispute?.ruled ?? false,
    forWorker: dispute?.forWorker ?? false,
    appealed: dispute?.appealed ?? false,
    worker: dispute?.worker ?? zeroAddress,
    openedAt: dispute?.openedAt ?? 0,
    consentEnd: dispute?.consentEnd ?? 0,
    judge: dispute?.judge ?? zeroAddress,
    evidenceEnd: dispute?.evidenceEnd ?? 0,
    rulingEnd: dispute?.rulingEnd ?? 0,
    named: dispute?.named ?? zeroAddress,
    appealEnd: dispute?.appealEnd ?? 0,
    courtEnd: dispute?.courtEnd ?? 0,
    posterProposal: dispute?.posterProposal ?? zeroAddress,
    offerBps: dispute?.offerBps ?? 0,
    askBps: dispute?.askBps ?? 0,
    workerBps: dispute?.workerBps ?? 0,
    workerProposal: dispute?.workerProposal ?? zeroAddress,
    amount: dispute?.amount ?? 0n,
    stake: dispute?.stake ?? 0n,
  }
}
