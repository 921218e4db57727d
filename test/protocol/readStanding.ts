import type { Scene } from '@svc/devnet'
import { claimPolicies, disputePhases, minBond, taskScopes, taskStates } from '@svc/protocol'
import {
  arbitrationAbi,
  depositVaultAbi,
  stakingVaultAbi,
  taskLensAbi,
  taskRegistryAbi,
  tokTokenAbi,
} from '@svc/protocol/abis'
import type { Standing } from '@svc/protocol/actions'
import { type Address, zeroAddress } from 'viem'

const zeroIsNull = (address: Address) => (address === zeroAddress ? null : address)

/** Reads what decides what may be done with these tasks, as these wallets see it, all at the last block. */
export async function readStandings(
  scene: Scene,
  ids: readonly bigint[],
  wallets: readonly Address[],
): Promise<Standing[]> {
  const { client, contracts, market } = scene
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  const arbitration = { address: contracts.arbitration, abi: arbitrationAbi } as const
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi } as const
  const head = await client.getBlockNumber()
  const many = <const T>(reads: readonly T[]) =>
    client.multicall({ allowFailure: false, contracts: reads as never, blockNumber: head }) as Promise<never[]>
  const views = await client.readContract({
    address: contracts.taskLens,
    abi: taskLensAbi,
    functionName: 'tasksOf',
    args: [ids],
    blockNumber: head,
  })
  const entriesPaused = await client.readContract({ ...registry, functionName: 'paused' })
  const arbitrators = await client.readContract({ ...arbitration, functionName: 'arbitratorsFrom', args: [0n, 100n] })
  const eligible: boolean[] = await many(
    arbitrators.map((each) => ({ ...arbitration, functionName: 'isEligible', args: [each] })),
  )
  const free = arbitrators.filter((_, index) => eligible[index])
  const records: { bond: bigint; unbondAt: number }[] = await many(
    arbitrators.map((each) => ({ ...arbitration, functionName: 'arbitratorOf', args: [each] })),
  )
  const disputes: Awaited<ReturnType<typeof disputeOf>>[] = await many(
    ids.map((id) => ({ ...arbitration, functionName: 'disputeOf', args: [id] })),
  )
  const benches: Bench[] = await many(ids.map((id) => ({ ...arbitration, functionName: 'benchOf', args: [id] })))
  const reserves: bigint[] = await many(
    views.map(({ taskId, task }) => ({ ...deposits, functionName: 'reserveOf', args: [taskId, task.poster] })),
  )
  const seated = await seatedIn(scene)
  const everybody = [...new Set([...wallets, ...views.flatMap(({ task }) => [task.poster, task.worker])])]
  const accounts = new Map(await Promise.all(everybody.map(async (each) => [each, await readAccount(each)] as const)))

  return views.map(({ taskId, task, funded }, index): Standing => {
    const dispute = disputes[index]
    const bench = benches[index]
    const reserve = reserves[index]
    if (!dispute || !bench || reserve === undefined) throw new Error(`Task ${taskId} was not read.`)
    const sat = seated.get(`${taskId} ${dispute.number}`) ?? []
    const mayNot = [task.poster, task.worker, ...sat]
    return {
      taskId: { market, number: taskId },
      task: {
        ...task,
        state: taskStates[task.state] ?? 'NONE',
        scope: taskScopes[task.scope] ?? 'OPEN',
        claimPolicy: claimPolicies[task.claimPolicy] ?? 'ANYONE',
        worker: zeroIsNull(task.worker),
        funded,
        posterReserve: reserve,
      },
      dispute: {
        ...dispute,
        phase: disputePhases[dispute.phase] ?? 'NONE',
        workerBps: BigInt(dispute.workerBps),
        posterProposal: zeroIsNull(dispute.posterProposal),
        workerProposal: zeroIsNull(dispute.workerProposal),
        panel: bench.slice(dispute.panelStart).map((seat) => ({ ...seat, workerBps: BigInt(seat.workerBps) })),
      },
      entriesPaused,
      account: (wallet) => {
        const facts = accounts.get(wallet as Address)
        if (!facts) throw new Error(`${wallet} was not read.`)
        return facts
      },
      candidate: free.find((each) => !mayNot.includes(each)) ?? null,
      // A draw may also fall on those whose bond is taken up by open cases.
      somebodyBonded: records.some(({ bond, unbondAt }) => bond >= minBond && unbondAt === 0),
      // The next call is made in the next block.
      draw: dispute.drawBlock === 0n ? 'none' : head + 1n <= dispute.drawBlock ? 'pending' : 'known',
    }
  })

  function disputeOf(id: bigint) {
    return client.readContract({ ...arbitration, functionName: 'disputeOf', args: [id] })
  }

  async function readAccount(wallet: Address) {
    const [deposit, free, liveClaims, tok, credits] = await client.multicall({
      allowFailure: false,
      contracts: [
        { ...deposits, functionName: 'balanceOf', args: [wallet] },
        { ...deposits, functionName: 'freeOf', args: [wallet] },
        { ...registry, functionName: 'liveClaimsOf', args: [wallet] },
        { address: contracts.tokToken, abi: tokTokenAbi, functionName: 'balanceOf', args: [wallet] },
        { address: contracts.stakingVault, abi: stakingVaultAbi, functionName: 'creditsOf', args: [wallet] },
      ],
    })
    return { deposit, free, liveClaims: Number(liveClaims), tok, credits }
  }
}

type Bench = readonly { arbitrator: Address; voted: boolean; workerBps: number }[]

/** Who was ever seated, by task and number of the dispute: members removed for silence are on no bench any more. */
async function seatedIn({ client, contracts }: Scene): Promise<Map<string, Address[]>> {
  const logs = await client.getContractEvents({
    address: contracts.arbitration,
    abi: arbitrationAbi,
    fromBlock: 0n,
    strict: true,
  })
  const seated = new Map<string, Address[]>()
  const numbers = new Map<bigint, bigint>()
  for (const log of logs) {
    if (log.eventName === 'CaseOpened') numbers.set(log.args.taskId, log.args.number)
    if (log.eventName !== 'PanelSeated') continue
    const key = `${log.args.taskId} ${numbers.get(log.args.taskId)}`
    seated.set(key, [...(seated.get(key) ?? []), ...log.args.panel])
  }
  return seated
}
