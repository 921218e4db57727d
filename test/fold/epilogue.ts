import {
  accounts,
  advanceTime,
  agreeOnArbitrator,
  type DemoTask,
  drawPanel,
  type Job,
  type Scene,
  sendActivation,
  sendAppeal,
  sendApprovals,
  sendCall,
  sendCancellation,
  sendClaim,
  sendDelivery,
  sendDispute,
  sendEvidence,
  sendExpiry,
  sendLeave,
  sendPost,
  sendRegistration,
  sendRelease,
  sendRulings,
  sendTimeoutResolution,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import { arbitrationAbi, depositVaultAbi, escrowVaultAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { type LocalAccount, parseUnits } from 'viem'

const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)
const { bruno: poster, emeka: worker, keeper, jun, olga, treasury, guardian, ada, hana } = accounts
const day = 24 * 60 * 60

/** Plays what the demo world lacks: withdrawable payouts, arbitrators who do not vote or unbond, withdrawals, a pause. */
export async function playEpilogue(scene: Scene, demoTasks: readonly DemoTask[]): Promise<void> {
  const { client, contracts, params } = scene
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  const arbitration = { address: contracts.arbitration, abi: arbitrationAbi } as const
  const staking = { address: contracts.stakingVault, abi: stakingVaultAbi } as const
  const findJob = (scenario: string): Job => {
    const task = demoTasks.find((each) => each.market === scene.market && each.scenario.name === scenario)
    return { id: task?.taskId ?? 0n, poster, worker: null, terms: undefined as never }
  }

  await sendExpiry(scene, findJob('claimLapsed'))
  await advanceTime(client, params.evidenceWindow + params.rulingWindow + day)
  // One of three voted: the others are slashed and removed.
  await sendTimeoutResolution(scene, findJob('disputeAppealed'))

  const unpaid = await deliveredBy(scene, worker)
  const unclaimed = await postBy(scene)
  await whileTokenFails(scene, async () => {
    await sendRelease(scene, unpaid)
    await sendCancellation(scene, unclaimed)
  })
  const escrow = { address: contracts.escrowVault, abi: escrowVaultAbi } as const
  await sendCall(client, worker, { ...escrow, functionName: 'withdraw', args: [worker.address] })

  const silent = await disputedBy(scene, worker)
  await agreeOnArbitrator(scene, silent, jun)
  await advanceTime(client, params.evidenceWindow + params.rulingWindow + day)
  await sendTimeoutResolution(scene, silent)
  await sendCall(client, worker, { ...arbitration, functionName: 'withdraw', args: [worker.address] })
  await advanceTime(client, params.evidenceWindow + day)
  await sendTimeoutResolution(scene, silent)

  const conceded = await disputedBy(scene, worker)
  await agreeOnArbitrator(scene, conceded, jun)
  await sendRelease(scene, conceded)
  await sendDelivery(scene, conceded, 'the second part')
  await sendDispute(scene, conceded, 'again')
  await agreeOnArbitrator(scene, conceded, jun)
  await sendEvidence(scene, conceded, worker, 'it is there')
  await sendRulings(scene, conceded, [2_000n], 'little of it')
  await sendAppeal(scene, conceded, worker)
  await drawPanel(scene, conceded)
  await sendRelease(scene, conceded)

  await claimAndLeave(scene, treasury)
  await sendTopUp(scene, ada, usd(30), worker.address)
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi } as const
  await sendCall(client, ada, { ...deposits, functionName: 'withdraw', args: [usd(3), keeper.address] })
  await sendCall(client, hana, { ...staking, functionName: 'unstake', args: [tok(1_234)] })
  await sendCall(client, ada, { ...staking, functionName: 'claimRewards', args: [] })
  await sendCall(client, olga, { ...arbitration, functionName: 'requestUnbond', args: [] })
  await sendRegistration(scene, olga, tok(5))
  await sendCall(client, ada, { ...registry, functionName: 'invalidateNonce', args: [7n] })
  await sendCall(client, guardian, { ...registry, functionName: 'pauseEntries', args: [] })
  await sendCall(client, guardian, { ...registry, functionName: 'unpauseEntries', args: [] })
  await sendRegistration(scene, treasury, tok(10_000))
  await sendCall(client, treasury, { ...arbitration, functionName: 'requestUnbond', args: [] })
  await advanceTime(client, 8 * day)
  await sendCall(client, treasury, { ...arbitration, functionName: 'unbond', args: [] })
}

const postBy = ({ params, ...scene }: Scene) =>
  sendPost(
    { params, ...scene },
    {
      poster,
      text: 'Draw a map\n\nOf the old harbour.',
      amounts: [tok(300), tok(701)],
      duration: params.minDuration * 4,
    },
  )

async function deliveredBy(scene: Scene, by: LocalAccount): Promise<Job> {
  const job = await postBy(scene)
  await sendClaim(scene, job, by)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'the map')
  return job
}

async function disputedBy(scene: Scene, by: LocalAccount): Promise<Job> {
  const job = await deliveredBy(scene, by)
  await sendDispute(scene, job, 'not the harbour')
  return job
}

/** The treasury leaves a task: half of its penalty goes to itself. */
async function claimAndLeave(scene: Scene, by: LocalAccount): Promise<void> {
  await sendTokens(scene.client, scene.deployments, by.address, { tok: 0n, usdc: usd(50) })
  await sendApprovals(scene, by)
  await sendTopUp(scene, by, usd(40))
  const job = await postBy(scene)
  await sendClaim(scene, job, by)
  await sendLeave(scene, job)
}

/** Replaces the token with one that returns zero for every call: the only way to make a payment fail. */
async function whileTokenFails({ client, contracts }: Scene, act: () => Promise<void>): Promise<void> {
  const address = contracts.tokToken
  const code = await client.getCode({ address })
  await client.setCode({ address, bytecode: '0x5f5f5260205ff3' })
  await act()
  await client.setCode({ address, bytecode: code ?? '0x' })
}
