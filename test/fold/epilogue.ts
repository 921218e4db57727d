import {
  accounts,
  advanceTime,
  agreeOnJudge,
  type DemoTask,
  executeAsOwner,
  getChainTime,
  type Job,
  type Scene,
  sendActivation,
  sendAppeal,
  sendApprovals,
  sendCall,
  sendCancellation,
  sendClaim,
  sendDecision,
  sendDelivery,
  sendDismissal,
  sendDispute,
  sendEvidence,
  sendExpiry,
  sendPost,
  sendReceipt,
  sendRegistration,
  sendRelease,
  sendRuling,
  sendStepDown,
  sendTimeoutResolution,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import { arbitrationAbi, depositVaultAbi, escrowVaultAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { sunsetNotice, timelockDelay } from '@svc/protocol/internal/money'
import { encodeFunctionData, type LocalAccount, parseUnits } from 'viem'

const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)
const { bruno: poster, emeka: worker, keeper, jun, olga, treasury, guardian, ada, hana } = accounts
const day = 24 * 60 * 60

/** Plays what the demo world lacks: withdrawable payouts, judges who do not rule, arbitrators who unbond, withdrawals, a pause. */
export async function playEpilogue(scene: Scene, demoTasks: readonly DemoTask[]): Promise<void> {
  const { client, contracts, params } = scene
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  const arbitration = { address: contracts.arbitration, abi: arbitrationAbi } as const
  const staking = { address: contracts.stakingVault, abi: stakingVaultAbi } as const
  const findJob = (scenario: string) => findDemoJob(scene, demoTasks, scenario)

  await sendExpiry(scene, findJob('claimLapsed'))
  await advanceTime(client, params.courtWindow + day)
  // Nobody heard the appeal: the ruling stands.
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
  await agreeOnJudge(scene, silent, jun)
  await sendEvidence(scene, silent, worker, 'it is there', 10_000n)
  await advanceTime(client, params.evidenceWindow + params.rulingWindow + day)
  await sendTimeoutResolution(scene, silent)
  await advanceTime(client, params.courtWindow + day)
  await sendTimeoutResolution(scene, silent)

  const conceded = await disputedBy(scene, worker)
  await agreeOnJudge(scene, conceded, jun)
  await whileTokenFails(scene, () => sendRelease(scene, conceded))
  await sendCall(client, worker, { ...arbitration, functionName: 'withdraw', args: [worker.address] })
  await sendDelivery(scene, conceded, 'the second part')
  await sendDispute(scene, conceded, 'again')
  await agreeOnJudge(scene, conceded, jun)
  await sendEvidence(scene, conceded, worker, 'it is there', 9_000n)
  await advanceTime(client, params.evidenceWindow + 60)
  await sendRuling(scene, conceded, false, 'little of it')
  await sendAppeal(scene, conceded, worker)
  await sendDecision(scene, conceded, true, 'all of it')

  const settled = await disputedBy(scene, worker)
  await sendEvidence(scene, settled, worker, 'half of it', 5_000n)
  await sendEvidence(scene, settled, poster, 'half of it', 5_000n)
  const givenUp = await disputedBy(scene, worker)
  await sendEvidence(scene, givenUp, worker, 'nothing of it', 0n)
  // Stays without a judge: another one could still be named.
  const handedBack = await disputedBy(scene, worker)
  await agreeOnJudge(scene, handedBack, jun)
  await sendStepDown(scene, handedBack)

  await claimAndMiss(scene, treasury)
  const dismissed = await postBy(scene)
  await sendClaim(scene, dismissed, worker)
  await advanceTime(client, params.vetWindow + 60)
  await sendDismissal(scene, dismissed)
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

/** Delivers once more, with the receipt that a delivery of the demo world lacks. Its time is over soon. */
export async function bringMissingReceipt(scene: Scene, demoTasks: readonly DemoTask[]): Promise<void> {
  await sendReceipt(scene, findDemoJob(scene, demoTasks, 'receiptMissing'))
}

function findDemoJob(scene: Scene, demoTasks: readonly DemoTask[], scenario: string): Pick<Job, 'id'> {
  const task = demoTasks.find((each) => each.market === scene.market && each.scenario.name === scenario)
  return { id: task?.taskId ?? 0n }
}

/** Ends the entries of a market, as its owner. Nothing can be posted afterwards. */
export async function endEntries({ client, contracts, deployments }: Scene): Promise<void> {
  const endsAt = BigInt((await getChainTime(client)) + timelockDelay + sunsetNotice + day)
  const data = encodeFunctionData({ abi: taskRegistryAbi, functionName: 'sunset', args: [endsAt] })
  await executeAsOwner(client, deployments, [{ to: contracts.taskRegistry, data }])
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

/** The treasury misses a deadline: its penalty goes to itself. */
async function claimAndMiss(scene: Scene, by: LocalAccount): Promise<void> {
  await sendTokens(scene.client, scene.deployments, by.address, { tok: 0n, usdc: usd(50) })
  await sendApprovals(scene, by)
  await sendTopUp(scene, by, usd(40))
  const job = await postBy(scene)
  await sendClaim(scene, job, by)
  await sendActivation(scene, job)
  await advanceTime(scene.client, scene.params.minDuration * 4 + 60)
  await sendExpiry(scene, job)
}

/** Replaces the token with one that returns zero for every call: the only way to make a payment fail. */
async function whileTokenFails({ client, contracts }: Scene, act: () => Promise<void>): Promise<void> {
  const address = contracts.tokToken
  const code = await client.getCode({ address })
  await client.setCode({ address, bytecode: '0x5f5f5260205ff3' })
  await act()
  await client.setCode({ address, bytecode: code ?? '0x' })
}
