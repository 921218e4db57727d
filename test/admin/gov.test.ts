import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProviders, createRpc, createViemChain } from '@svc/chain'
import {
  accounts,
  advanceTime,
  advanceTimeTo,
  createScene,
  mockFeed,
  readStatuses,
  refreshPrice,
  type Scene,
  sendActivation,
  sendApprovals,
  sendCall,
  sendCancellation,
  sendClaim,
  sendDelivery,
  sendExpiry,
  sendPost,
  sendRegistration,
  sendRelease,
  sendTopUp,
} from '@svc/devnet'
import { usdOracleCreation } from '@svc/devnet/creations'
import { baseSepolia } from '@svc/protocol'
import { arbitrationAbi, pricingPolicyAbi, stakingVaultAbi, taskRegistryAbi, tokTokenAbi } from '@svc/protocol/abis'
import { encodePlanId, timelockDelay } from '@svc/protocol/internal/money'
import { encodeDeployData, getContractAddress, parseAbi, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deploySuite } from '../../apps/admin/src/deploy/deploySuite.ts'
import type { Expected } from '../../apps/admin/src/watch/judgeSigns.ts'
import { createWatchMetrics, watch } from '../../apps/admin/src/watch/watch.ts'
import { root } from '../docs/markdown.ts'
import { findFreePorts } from '../harness/freePorts.ts'
import { encryptKeystore } from './encryptKeystore.ts'
import { type Governance, openGovernance, password } from './governance.ts'
import { sendLarge } from './localSafe.ts'
import { type Deployed, sendAs } from './plantedDifferences.ts'
import { createState, deployerKey, startRehearsal } from './rehearsal.ts'

const { ada: poster, emeka: worker } = accounts

let deployed: Deployed
let folder: string
let governance: Governance
let scene: Scene
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gov-'))
  const rehearsal = await startRehearsal(baseSepolia.id)
  const { plan, provider, signer } = rehearsal
  const state = createState(plan)
  const deployments = await deploySuite({ plan, client: provider, signer, state, save: async () => {}, pollMs: 5 })
  deployed = { ...rehearsal, deployments }
  governance = await openGovernance(deployed, folder)
  scene = createScene(rehearsal.client, deployments, 'standard')
  await fund([poster.address, worker.address])
  for (const party of [poster, worker]) {
    await sendApprovals(scene, party)
    await sendTopUp(scene, party, 400_000_000n)
  }
})
afterAll(async () => {
  await deployed?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Gives wallets TOK of the treasury, and USDC. */
async function fund(wallets: readonly `0x${string}`[]): Promise<void> {
  const { plan, deployments } = deployed
  const mint = parseAbi(['function mint(address to, uint256 amount)'])
  for (const wallet of wallets) {
    const args = [wallet, parseEther('1000000')] as const
    await sendAs(deployed, plan.treasury, deployments.shared.tokToken, tokTokenAbi, 'transfer', args)
    await sendAs(deployed, wallet, plan.usdc, mint, 'mint', [wallet, 1_000_000_000n])
  }
}

const offer = { poster, text: 'Count the birds\n\nAll of them.', amounts: [parseEther('100')], duration: 86_400 }
const readState = async (id: bigint) => (await readStatuses(scene, [id]))[0]?.state

/** Brings one task to the claim, one to delivery. Both must be able to end, whatever governance does. */
async function startTasks() {
  const open = await sendPost(scene, offer)
  const running = await sendPost(scene, offer)
  await sendClaim(scene, running, worker)
  await sendActivation(scene, running)
  return { open, running }
}

/** Ends both tasks: one is cancelled, one is delivered and paid. */
async function finishTasks({ open, running }: Awaited<ReturnType<typeof startTasks>>): Promise<void> {
  const { client, deployments } = deployed
  const balance = () =>
    client.readContract({
      address: deployments.shared.tokToken,
      abi: tokTokenAbi,
      functionName: 'balanceOf',
      args: [worker.address],
    })
  const before = await balance()
  await sendDelivery(scene, running, 'all birds')
  await sendRelease(scene, running)
  expect((await balance()) - before).toBeGreaterThanOrEqual(parseEther('100'))
  await sendCancellation(scene, open)
  expect(await readState(open.id)).toBe('CANCELLED')
}

test('the guardian pauses both markets with one command, and nobody is kept from leaving', async () => {
  const { client, deployments } = deployed
  const tasks = await startTasks()
  const { govAsGuardian } = governance
  expect(await govAsGuardian('pause')).toMatchObject({ code: 0 })
  for (const { taskRegistry: address } of Object.values(deployments.markets))
    expect(await client.readContract({ address, abi: taskRegistryAbi, functionName: 'paused' })).toBe(true)
  await expect(sendPost(scene, offer)).rejects.toThrow('EnforcedPause')
  await finishTasks(tasks)
  expect(await govAsGuardian('unpause')).toMatchObject({ code: 0 })
  await sendCancellation(scene, await sendPost(scene, offer))
  await writeFile(join(folder, 'guardian.json'), await encryptKeystore(`0x${'11'.repeat(32)}`, password))
  expect(await govAsGuardian('pause')).toMatchObject({ code: 1, text: expect.stringContaining('the guardian is') })
  const staking = await govAsGuardian('staking', '--stage', 'schedule')
  expect(staking).toMatchObject({ code: 1, text: expect.stringContaining('not sent by a key') })
})

test('the owner changes prices, the feed, the guardian and staking through the timelock', async () => {
  const { client, deployments } = deployed
  const { changeAsOwner } = governance
  const { pricingPolicy } = deployments.shared
  const read = (functionName: 'planOf' | 'usdOracle') =>
    functionName === 'planOf'
      ? client.readContract({
          address: pricingPolicy,
          abi: pricingPolicyAbi,
          functionName,
          args: [encodePlanId('pro')],
        })
      : client.readContract({ address: pricingPolicy, abi: pricingPolicyAbi, functionName })
  await changeAsOwner('price', '--tier', 'pro', '--usdc', '39000000', '--discount', '1000', '--tok', 'yes')
  expect(await read('planOf')).toMatchObject({ listPriceUsd: 39_000_000n, tokDiscountBps: 1_000 })

  const nonce = await client.getTransactionCount({ address: accounts.deployer.address })
  const data = encodeDeployData({ ...usdOracleCreation, args: [mockFeed, zeroAddress, 3_600n, 60n] })
  await sendLarge(client, accounts.deployer, { data })
  const oracle = getContractAddress({ from: accounts.deployer.address, nonce: BigInt(nonce) })
  await changeAsOwner('feed', '--oracle', oracle)
  expect(await read('usdOracle')).toBe(oracle)

  await changeAsOwner('staking')
  for (const { stakingVault: address } of Object.values(deployments.markets))
    expect(await client.readContract({ address, abi: stakingVaultAbi, functionName: 'stakingActive' })).toBe(true)

  await changeAsOwner('guardian', '--guardian', accounts.lena.address, '--market', 'micro')
  const { taskRegistry: address } = deployments.markets.micro
  expect(await client.readContract({ address, abi: taskRegistryAbi, functionName: 'guardian' })).toBe(
    accounts.lena.address,
  )
})

test('a scheduled change can be cancelled, and is refused where it does not fit', async () => {
  const { gov, govern } = governance
  const change = ['price', '--tier', 'basic', '--usdc', '1', '--discount', '0', '--tok', 'no']
  expect(await gov(...change)).toMatchObject({ code: 1, text: expect.stringContaining('--stage') })
  expect(await gov(...change, '--stage', 'cancel')).toMatchObject({
    code: 1,
    text: expect.stringContaining('not scheduled'),
  })
  await govern('schedule', ...change)
  expect(await gov(...change, '--stage', 'schedule')).toMatchObject({
    code: 1,
    text: expect.stringContaining('it is scheduled'),
  })
  await govern('cancel', ...change)
  expect(await gov(...change, '--stage', 'execute')).toMatchObject({
    code: 1,
    text: expect.stringContaining('not scheduled'),
  })
  expect(await gov('price', '--tier', 'gold')).toMatchObject({ code: 1, text: expect.stringContaining('--tier') })
  expect(await gov('sunset', '--at', '2020-01-01T00:00:00Z')).toMatchObject({
    code: 1,
    text: expect.stringContaining('30 days'),
  })
  expect(await gov('explode')).toMatchObject({ code: 1, text: expect.stringContaining('is not a change') })
})

/** Starts a watcher, and returns what it logged and a way to wait for its next look. */
function startWatcher(expected: Partial<Expected>) {
  const { plan, deployments, rpcUrl } = deployed
  const lines: string[] = []
  const write = (_: object, says: string | undefined) => void lines.push(String(says))
  const looks: (() => void)[] = []
  const stop = new AbortController()
  const metrics = createWatchMetrics()
  const running = watch({
    providers: createProviders([createRpc({ name: 'anvil', url: rpcUrl })], createViemChain(plan.chainId)),
    deployments,
    expected: {
      guardian: plan.guardian,
      timelock: deployments.shared.timelock,
      minJudges: 0,
      overdueSeconds: 10_000_000,
      courtGap: 0n,
      ...expected,
    },
    metrics,
    log: { error: write, warn: write, info: write } as Parameters<typeof watch>[0]['log'],
    pollMs: 20,
    signal: stop.signal,
    onLook: () => {
      for (const done of looks.splice(0)) done()
    },
  })
  const finishLook = () => new Promise<void>((done) => looks.push(done))
  return {
    lines,
    metrics: () => metrics.registry.metrics(),
    /** Resolves when a look that began after this call is over. */
    async look() {
      await finishLook()
      await finishLook()
    },
    async stop() {
      stop.abort()
      await running
    },
  }
}

test('the watcher pages when a market is paused, a change is scheduled or a vault is short, and says when it ends', async () => {
  const { client, plan, deployments } = deployed
  const { lines, look, metrics, stop } = startWatcher({})
  await look()
  const snapshot = await client.snapshot()
  lines.length = 0
  const { taskRegistry, escrowVault } = deployments.markets.standard
  const { tokToken } = deployments.shared
  await sendPost(scene, offer)
  await sendAs(deployed, plan.guardian, taskRegistry, taskRegistryAbi, 'pauseEntries')
  await governance.govern('schedule', 'price', '--tier', 'basic', '--usdc', '2', '--discount', '0', '--tok', 'no')
  const token = { address: tokToken, abi: tokTokenAbi } as const
  const held = await client.readContract({ ...token, functionName: 'balanceOf', args: [escrowVault] })
  await sendAs(deployed, escrowVault, tokToken, tokTokenAbi, 'transfer', [poster.address, held])
  await look()
  expect(lines).toContainEqual('New tasks and claims are paused in standard.')
  expect(lines).toContainEqual(expect.stringContaining('The timelock holds'))
  expect(lines).toContainEqual(expect.stringContaining('The escrow vault of standard owes'))
  expect(await metrics()).toContain('svc_watch_paused{market="standard"} 1')
  await client.revert({ id: snapshot })
  await look()
  expect(lines).toContainEqual('ended')
  await stop()
})

test('the watcher counts the judges that are free, not those that are registered', async () => {
  const { client, deployments } = deployed
  const judge = accounts.jun
  await fund([judge.address])
  await sendApprovals(scene, judge)
  const { lines, look, metrics, stop } = startWatcher({ minJudges: 1 })
  const readFree = async () => {
    await look()
    return (await metrics()).match(/(?<=svc_watch_free_judges\{market="standard"\} )\d+/)?.[0]
  }
  await sendRegistration(scene, judge, parseEther('10000'))
  expect(await readFree()).toBe('1')
  const arbitration = { address: deployments.markets.standard.arbitration, abi: arbitrationAbi } as const
  await sendCall(client, judge, { ...arbitration, functionName: 'requestUnbond', args: [] })
  expect(await readFree()).toBe('0')
  expect(lines).toContainEqual('0 of 1 judges of standard could take a case; 1 are wanted.')
  expect(await metrics()).toContain('svc_watch_judges{market="standard"} 1')
  await stop()
})

test('the watcher says when a call is overdue that anyone may make, and when somebody has made it', async () => {
  const { client } = deployed
  const { lines, look, metrics, stop } = startWatcher({ overdueSeconds: 1_800 })
  const { id } = await sendPost(scene, offer)
  const job = { id }
  await look()
  const readDue = async () => (await metrics()).match(/(?<=svc_watch_due_calls\{market="standard"\} )\d+/)?.[0]
  expect(await readDue()).toBe('0')
  const { claimDeadline } = await client.readContract({
    address: scene.contracts.taskRegistry,
    abi: taskRegistryAbi,
    functionName: 'taskOf',
    args: [id],
  })
  const dueAt = claimDeadline - scene.params.claimCutoff + 1
  await advanceTimeTo(client, dueAt + 1_000)
  await look()
  expect([await readDue(), lines.filter((line) => line.includes('has been due'))]).toEqual(['1', []])
  await advanceTimeTo(client, dueAt + 2_000)
  await look()
  expect(lines).toContainEqual(expect.stringContaining(`A call on v2:standard:${id} has been due for`))
  await sendExpiry(scene, job)
  await look()
  expect([await readDue(), lines.at(-1)]).toEqual(['0', 'ended'])
  await stop()
})

test('the watcher as a service is ready after its first look, and ends with a signal', async () => {
  const [port = 0] = await findFreePorts(1)
  const child = spawn(process.execPath, [`${root}apps/admin/src/watch/main.ts`], {
    env: {
      CHAIN_RPC_URL: deployed.rpcUrl,
      SVC_DEPLOYMENTS: join(folder, 'deployments.json'),
      SVC_WATCH_GUARDIAN: deployed.plan.guardian,
      SVC_WATCH_PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  await expect.poll(() => get('/readyz').then(({ status }) => status, String)).toBe(200)
  expect(await (await get('/metrics')).text()).toMatch(/svc_watch_block_timestamp_seconds [1-9]/)
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})

test('a sunset is announced and reached, and running tasks still end', async () => {
  const { client } = deployed
  const { timestamp } = await client.getBlock()
  const endsAt = Number(timestamp) + timelockDelay + 32 * 86_400
  await governance.changeAsOwner('sunset', '--at', new Date(endsAt * 1_000).toISOString().replace('.000', ''))
  await advanceTime(client, endsAt - Number((await client.getBlock()).timestamp) - 3_600)
  const tasks = await startTasks()
  await advanceTime(client, 3_700)
  await expect(sendPost(scene, offer)).rejects.toThrow('EntriesEnded')
  await finishTasks(tasks)
})

test('a keystore deploys from the command line; a wrong password and a wrong signer are refused', async () => {
  const { planJson } = deployed
  const { run } = governance
  const planFile = join(folder, 'plan.json')
  await writeFile(planFile, JSON.stringify({ ...planJson, suite: 'by-keystore', guardian: accounts.mateo.address }))
  await refreshPrice(deployed.client, accounts.keeper)
  const keystore = join(folder, 'deployer.json')
  const passwordFile = join(folder, 'password')
  const deploy = (...more: string[]) =>
    run('deploy', '--plan', planFile, '--out', join(folder, 'own.json'), '--keystore', keystore, ...more)
  await writeFile(keystore, await encryptKeystore(`0x${'22'.repeat(32)}`, password))
  expect(await deploy('--password-file', passwordFile)).toMatchObject({
    code: 1,
    text: expect.stringContaining('The signer is'),
  })
  await writeFile(keystore, await encryptKeystore(`0x${'d3'.repeat(32)}`, password))
  await writeFile(join(folder, 'wrong'), 'x')
  expect(await deploy('--password-file', join(folder, 'wrong'))).toMatchObject({
    code: 1,
    text: expect.stringContaining('does not open'),
  })
  const { code, text } = await deploy('--password-file', passwordFile)
  expect(text).not.toContain('d3d3')
  expect(code).toBe(0)
  const check = ['check', '--plan', planFile, '--deployments', join(folder, 'own.json')]
  expect(await run(...check)).toMatchObject({ code: 0, text: expect.stringContaining('As planned, by 1 provider') })
  expect(deployerKey.address).toBe(planJson.deployer)
})
