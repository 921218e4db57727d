import {
  accounts,
  activate,
  agreeOn,
  approve,
  cancel,
  claim,
  deliver,
  drawPanel,
  escalate,
  expire,
  give,
  type Job,
  leave,
  openDispute,
  post,
  registerArbitrator,
  release,
  resolveTimedOut,
  rule,
  type Scene,
  send,
  submitEvidence,
  type Told,
  topUp,
  warp,
} from '@svc/devnet'
import { arbitrationAbi, depositVaultAbi, escrowVaultAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { type LocalAccount, parseUnits } from 'viem'

const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)
const { bruno: poster, emeka: worker, keeper, jun, olga, treasury, guardian, ada, hana } = accounts
const day = 24 * 60 * 60

/** What the demo world leaves out: money that waits, silent and released arbitrators, exits of wallets, a pause. */
export async function playEpilogue(scene: Scene, told: readonly Told[]): Promise<void> {
  const { client, contracts, params } = scene
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  const arbitration = { address: contracts.arbitration, abi: arbitrationAbi } as const
  const staking = { address: contracts.stakingVault, abi: stakingVaultAbi } as const
  const jobOf = (plot: string): Job => {
    const tale = told.find((each) => each.market === scene.market && each.plot.name === plot)
    return { id: tale?.taskId ?? 0n, poster, worker: null, terms: undefined as never }
  }

  await expire(scene, jobOf('claimLapsed'))
  await warp(client, params.evidenceWindow + params.rulingWindow + day)
  // One of three has voted: the others are slashed and removed.
  await resolveTimedOut(scene, jobOf('disputeAppealed'))

  const unpaid = await deliveredBy(scene, worker)
  const unclaimed = await postBy(scene)
  await whileTokenFails(scene, async () => {
    await release(scene, unpaid)
    await cancel(scene, unclaimed)
  })
  const escrow = { address: contracts.escrowVault, abi: escrowVaultAbi } as const
  await send(client, worker, { ...escrow, functionName: 'withdraw', args: [worker.address] })

  const silent = await disputedBy(scene, worker)
  await agreeOn(scene, silent, jun)
  await warp(client, params.evidenceWindow + params.rulingWindow + day)
  await resolveTimedOut(scene, silent)
  await send(client, worker, { ...arbitration, functionName: 'withdraw', args: [worker.address] })
  await warp(client, params.evidenceWindow + day)
  await resolveTimedOut(scene, silent)

  const conceded = await disputedBy(scene, worker)
  await agreeOn(scene, conceded, jun)
  await release(scene, conceded)
  await deliver(scene, conceded, 'the second part')
  await openDispute(scene, conceded, 'again')
  await agreeOn(scene, conceded, jun)
  await submitEvidence(scene, conceded, worker, 'it is there')
  await rule(scene, conceded, [2_000n], 'little of it')
  await escalate(scene, conceded, worker)
  await drawPanel(scene, conceded)
  await release(scene, conceded)

  await claimAndLeave(scene, treasury)
  await topUp(scene, ada, usd(30), worker.address)
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi } as const
  await send(client, ada, { ...deposits, functionName: 'withdraw', args: [usd(3), keeper.address] })
  await send(client, hana, { ...staking, functionName: 'unstake', args: [tok(1_234)] })
  await send(client, ada, { ...staking, functionName: 'claimRewards', args: [] })
  await send(client, olga, { ...arbitration, functionName: 'requestUnbond', args: [] })
  await registerArbitrator(scene, olga, tok(5))
  await send(client, ada, { ...registry, functionName: 'invalidateNonce', args: [7n] })
  await send(client, guardian, { ...registry, functionName: 'pauseEntries', args: [] })
  await send(client, guardian, { ...registry, functionName: 'unpauseEntries', args: [] })
  await registerArbitrator(scene, treasury, tok(10_000))
  await send(client, treasury, { ...arbitration, functionName: 'requestUnbond', args: [] })
  await warp(client, 8 * day)
  await send(client, treasury, { ...arbitration, functionName: 'unbond', args: [] })
}

const postBy = ({ params, ...scene }: Scene) =>
  post(
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
  await claim(scene, job, by)
  await activate(scene, job)
  await deliver(scene, job, 'the map')
  return job
}

async function disputedBy(scene: Scene, by: LocalAccount): Promise<Job> {
  const job = await deliveredBy(scene, by)
  await openDispute(scene, job, 'not the harbour')
  return job
}

/** The treasury leaves: half of its penalty goes from itself to itself. */
async function claimAndLeave(scene: Scene, by: LocalAccount): Promise<void> {
  await give(scene.client, scene.deployments, by.address, { tok: 0n, usdc: usd(50) })
  await approve(scene, by)
  await topUp(scene, by, usd(40))
  const job = await postBy(scene)
  await claim(scene, job, by)
  await leave(scene, job)
}

/** A token that answers zero to everything: the one way to a payment that cannot be pushed. */
async function whileTokenFails({ client, contracts }: Scene, act: () => Promise<void>): Promise<void> {
  const address = contracts.tokToken
  const code = await client.getCode({ address })
  await client.setCode({ address, bytecode: '0x5f5f5260205ff3' })
  await act()
  await client.setCode({ address, bytecode: code ?? '0x' })
}
