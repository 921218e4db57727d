import { computeSettlementDigest, type Market, minBond } from '@svc/protocol'
import { arbitrationAbi, depositVaultAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import type { TaskContext } from '@svc/protocol/actions'
import type { DisputeRecord, TaskRecord } from '@svc/protocol/records'
import { type Address, encodeFunctionData, erc20Abi, getAddress, numberToHex, parseEventLogs, zeroAddress } from 'viem'
import { getLogs, toViemLog } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import { predictNextBlock } from '../nextBlock.ts'
import { simulateCalls } from '../prepare/simulate.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { parseDisputeView } from '../views.ts'
import { readTasks } from './listTasks.ts'
import { readPostedTerms } from './readPostedTerms.ts'

/** The most arbitrators that are checked for one who may be seated. With more, the contract's own draw decides. */
const maxArbitrators = 1_000

/**
 * Reads everything that decides what these wallets may do with a task, at one block; null if the task does not exist. Includes
 * the wallets of both parties.
 */
export async function getTaskContext(
  provider: Provider,
  contracts: MarketAddresses,
  { market, number }: { market: Market; number: bigint },
  wallets: readonly Address[],
  block: BlockRef,
): Promise<TaskContext | null> {
  const [task] = await readTasks(provider, contracts, [number], block)
  if (!task) return null
  const { client } = provider
  const blockNumber = block.number
  const arbitration = { address: contracts.arbitration, abi: arbitrationAbi } as const
  const parties = [...new Set([...wallets.map((each) => getAddress(each)), task.poster, task.worker ?? zeroAddress])]
  const [[entriesPaused, posterReserve, given, bench, appeals, arbitrators], accounts, claimDigest] = await Promise.all(
    [
      client.multicall({
        allowFailure: false,
        blockNumber,
        contracts: [
          { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'paused' },
          {
            address: contracts.depositVault,
            abi: depositVaultAbi,
            functionName: 'reserveOf',
            args: [number, task.poster],
          },
          { ...arbitration, functionName: 'disputeOf', args: [number] },
          { ...arbitration, functionName: 'benchOf', args: [number] },
          { ...arbitration, functionName: 'appealsOf', args: [number] },
          { ...arbitration, functionName: 'arbitratorsFrom', args: [0n, BigInt(maxArbitrators)] },
        ],
      }),
      readAccounts(provider, contracts, parties, block),
      task.state === 'POSTED' ? readClaimDigest(provider, contracts, market, task) : undefined,
    ],
  )
  const dispute = parseDisputeView(number, given, bench, appeals)
  const sitting = dispute ? await readSitting(provider, contracts, task, dispute, arbitrators, block) : noCandidate
  return {
    taskId: { market, number },
    task: { ...task, milestoneCount: task.milestones.length, posterReserve },
    dispute: dispute && {
      ...dispute,
      workerBps: BigInt(dispute.workerBps),
      panel: bench.slice(dispute.panelStart).map((seat) => ({ ...seat, workerBps: BigInt(seat.workerBps) })),
    },
    entriesPaused,
    account: (wallet) => {
      const facts = accounts.get(getAddress(wallet))
      if (!facts) throw new Error(`${wallet} was not read.`)
      return facts
    },
    ...sitting,
    draw: await readDraw(provider, contracts, market, task, given.drawBlock, sitting.candidate, block),
    ...(claimDigest && { claimDigest }),
  }
}

/** Reads the terms that a task was posted with, and returns the function that fills in a worker. */
async function readClaimDigest(
  provider: Provider,
  contracts: MarketAddresses,
  market: Market,
  { number, postedBlock }: TaskRecord,
): Promise<NonNullable<TaskContext['claimDigest']>> {
  const terms = await readPostedTerms(provider, contracts, number, postedBlock)
  const signing = {
    chainId: provider.client.chain.id,
    market,
    taskRegistry: contracts.taskRegistry,
    asset: contracts.tokToken,
  }
  return (worker) => computeSettlementDigest(signing, terms, worker)
}

const noCandidate = { candidate: null, somebodyBonded: false }

async function readAccounts({ client }: Provider, contracts: MarketAddresses, wallets: Address[], block: BlockRef) {
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi } as const
  const reads = wallets.map(async (wallet) => {
    const args = [wallet] as const
    const [deposit, free, liveClaims, tok, credits] = await client.multicall({
      allowFailure: false,
      blockNumber: block.number,
      contracts: [
        { ...deposits, functionName: 'balanceOf', args },
        { ...deposits, functionName: 'freeOf', args },
        { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'liveClaimsOf', args },
        { address: contracts.tokToken, abi: erc20Abi, functionName: 'balanceOf', args },
        { address: contracts.stakingVault, abi: stakingVaultAbi, functionName: 'creditsOf', args },
      ],
    })
    return [wallet, { deposit, free, liveClaims: Number(liveClaims), tok, credits }] as const
  })
  return new Map<string, Awaited<(typeof reads)[number]>[1]>(await Promise.all(reads))
}

/** The chain keeps the hashes of this many blocks (EIP-2935). An older draw must be called again. */
const blockHashHistory = 8_191n

/** Returns the result of a draw in the next block, where the next call would be executed. */
async function readDraw(
  provider: Provider,
  contracts: MarketAddresses,
  market: Market,
  task: TaskRecord,
  drawBlock: bigint,
  candidate: string | null,
  block: BlockRef,
): Promise<TaskContext['draw']> {
  const { number } = predictNextBlock(block)
  if (drawBlock === 0n || number - drawBlock > blockHashHistory) return 'none'
  if (number <= drawBlock) return 'pending'
  if (!candidate) return 'empty'
  // Who may be seated now can differ from who was bonded when the draw was called, so the contract's own draw is simulated.
  const data = encodeFunctionData({ abi: arbitrationAbi, functionName: 'seat', args: [task.number] })
  const calls = [{ to: contracts.arbitration, value: '0x0', data }] as const
  const seated = await simulateCalls(provider, contracts, { market, from: task.poster, calls, block })
  return seated.status === 'refused' && seated.error.name === 'NobodyToSeat' ? 'empty' : 'known'
}

/** Finds an arbitrator who may be seated in a dispute, and whether anyone has a bond at all. */
async function readSitting(
  { client, rpc }: Provider,
  contracts: MarketAddresses,
  task: TaskRecord,
  dispute: DisputeRecord,
  arbitrators: readonly Address[],
  block: BlockRef,
): Promise<Pick<TaskContext, 'candidate' | 'somebodyBonded'>> {
  const arbitration = { address: contracts.arbitration, abi: arbitrationAbi } as const
  const blockNumber = block.number
  const [eligible, records, logs] = await Promise.all([
    client.multicall({
      allowFailure: false,
      blockNumber,
      contracts: arbitrators.map((each) => ({ ...arbitration, functionName: 'isEligible', args: [each] }) as const),
    }),
    client.multicall({
      allowFailure: false,
      blockNumber,
      contracts: arbitrators.map((each) => ({ ...arbitration, functionName: 'arbitratorOf', args: [each] }) as const),
    }),
    getLogs(
      rpc,
      { address: contracts.arbitration, topics: [null, numberToHex(task.number, { size: 32 })] },
      { from: BigInt(task.postedBlock), to: blockNumber },
    ),
  ])
  // Members removed for not voting are no longer on the bench, but may not be seated again in the same dispute.
  const events = parseEventLogs({ abi: arbitrationAbi, logs: logs.map(toViemLog) })
  const opened = events.findLastIndex(({ eventName }) => eventName === 'CaseOpened')
  const sat = events.slice(opened).flatMap((event) => (event.eventName === 'PanelSeated' ? event.args.panel : []))
  const mayNot = [dispute.poster, dispute.worker, ...sat]
  return {
    candidate: arbitrators.find((each, index) => eligible[index] && !mayNot.includes(each)) ?? null,
    // A draw can also pick arbitrators whose bond is locked by open cases.
    somebodyBonded: records.some(({ bond, unbondAt }) => bond >= minBond && unbondAt === 0),
  }
}
