import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createChainReader, createProviders, createRpc, getMarketDeployment, saveDeployments } from '@svc/chain'
import { markets, parseTaskId, taskPhases, taskStates } from '@svc/protocol'
import {
  arbitrationAbi,
  paymentGatewayAbi,
  stakingVaultAbi,
  taskLensAbi,
  taskRegistryAbi,
  taskScopeRegistryAbi,
} from '@svc/protocol/abis'
import { listBundleReferences, openBundle } from '@svc/protocol/work'
import { parseEther, parseUnits, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from './accounts.ts'
import type { Devnet } from './devnet.ts'
import { saveWorld, startSavedWorld } from './savedWorld.ts'
import { findTaskNumber } from './scenarios.ts'
import { createScene, readBalances, readStatuses, type Status } from './scene.ts'
import type { DemoBundle } from './sealWork.ts'
import { CallRevertedError } from './send.ts'
import { sendClaim, sendPost } from './steps.ts'
import { getChainTime } from './time.ts'
import { sendTopUp } from './walletSteps.ts'
import type { DemoTask } from './world.ts'

let present: number
let folder: string
let devnet: Devnet
let demoTasks: DemoTask[]
let bundles: DemoBundle[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'world-'))
  await saveWorld(folder)
  present = Math.floor(Date.now() / 1000)
  ;({ devnet, tasks: demoTasks, bundles } = await startSavedWorld(folder))
})
afterAll(async () => {
  await devnet?.stop()
  await rm(folder, { recursive: true })
})

describe.each(markets)('the demo world of the %s market', (market) => {
  const scene = () => createScene(devnet.client, devnet.deployments, market)
  const tasks = () => demoTasks.filter((task) => task.market === market)
  const statuses = () =>
    readStatuses(
      scene(),
      tasks().map(({ taskId }) => taskId),
    )

  test('every scenario ends in its expected state', async () => {
    const found = await statuses()
    const summary = (status: Status | undefined, disputed: boolean) =>
      status && { state: status.state, phase: status.phase, ...(disputed && { dispute: status.dispute }) }
    const ends = tasks().map(({ scenario }, index) => [
      scenario.name,
      summary(found[index], scenario.expected.dispute !== undefined),
    ])
    expect(ends).toEqual(tasks().map(({ scenario }) => [scenario.name, scenario.expected]))
  })

  test('every state, phase and dispute phase exists', async () => {
    const found = await statuses()
    expect(new Set(found.map(({ state }) => state))).toEqual(new Set(taskStates.filter((state) => state !== 'NONE')))
    expect(new Set(found.map(({ phase }) => phase))).toEqual(new Set(taskPhases))
    const disputes = found.filter(({ state }) => state === 'DISPUTED').map(({ dispute }) => dispute)
    expect(new Set(disputes)).toEqual(new Set(['OPEN', 'EVIDENCE', 'RULED', 'COURT']))
  })

  test('tasks have the numbers that their names promise', () => {
    expect(tasks().map(({ taskId }) => taskId)).toEqual(
      tasks().map(({ scenario }) => findTaskNumber(market, scenario.name)),
    )
  })

  test('at least twelve funded tasks of every poster can be claimed for hours, and their text is complete', async () => {
    const open = tasks().filter(({ scenario }) => scenario.expected.phase === 'OPEN_FOR_CLAIM')
    const { client, contracts } = scene()
    const ids = open.map(({ taskId }) => taskId)
    const lens = { address: contracts.taskLens, abi: taskLensAbi } as const
    const views = await client.readContract({ ...lens, functionName: 'tasksOf', args: [ids] })
    const funded = views.filter(({ task, funded }) => funded >= task.total)
    expect(funded.length).toBeGreaterThanOrEqual(12)
    expect(new Set(funded.map(({ task }) => task.poster)).size).toBeGreaterThanOrEqual(6)
    for (const { task } of views) expect(task.claimDeadline - present).toBeGreaterThan(4 * 60 * 60)
    for (const { scenario } of tasks()) {
      const { brief, name } = scenario
      const usd = brief.milestones.reduce((sum, { tok }) => sum + tok, 0) * 0.0025
      const [least, most] = market === 'standard' ? [50, 2_000] : [5, 60]
      expect(usd, name).toBeGreaterThanOrEqual(least)
      expect(usd, name).toBeLessThanOrEqual(most)
      expect(brief.criteria.length, name).toBeGreaterThan(80)
    }
  })

  test('private tasks, an appeal, stakes and credits exist', async () => {
    const { client, contracts } = scene()
    const ids = tasks().map(({ taskId }) => taskId)
    const scopes = await client.readContract({
      address: contracts.taskScopeRegistry,
      abi: taskScopeRegistryAbi,
      functionName: 'scopesOf',
      args: [ids],
    })
    expect(scopes.filter((scope) => scope === 1)).toHaveLength(5)
    const appealed = tasks().find(({ scenario }) => scenario.name === 'disputeAppealed')
    const dispute = await client.readContract({
      address: contracts.arbitration,
      abi: arbitrationAbi,
      functionName: 'disputeOf',
      args: [appealed?.taskId ?? 0n],
    })
    expect(dispute.appealed).toBe(true)
    const staking = { address: contracts.stakingVault, abi: stakingVaultAbi } as const
    expect(await client.readContract({ ...staking, functionName: 'totalStakedTok' })).toBe(parseEther('4300000'))
    const credits = await client.readContract({ ...staking, functionName: 'creditsOf', args: [accounts.ada.address] })
    expect(credits).toBeGreaterThan(parseEther('1'))
  })
})

test('every hash of the demo world stands for a bundle that opens, and there is no other bundle', async () => {
  const { client, deployments } = devnet
  const providers = createProviders([createRpc({ name: 'anvil', url: devnet.rpcUrl })], client.chain)
  const reader = createChainReader(providers, getMarketDeployment(deployments))
  const opened = new Map<string, string[]>()
  const kinds = new Set<string>()
  for (const { market, taskId: number } of demoTasks) {
    const { detail } = await reader.getTask(market, number)
    const { chainId, shared, markets: own } = deployments
    const taskId = { market, number }
    const context = { chainId, registry: own[market].taskRegistry, taskId, finalCourt: shared.finalCourt }
    for (const expected of listBundleReferences(context, detail?.timeline ?? [])) {
      const bundle = bundles.find(({ hash }) => hash === expected.hash)
      expect(bundle, `${market} ${number} ${expected.kind}`).toBeDefined()
      const fetchPart = async ({ sha256 }: { sha256: string }) => bundle?.parts.get(sha256) ?? new Uint8Array()
      const { manifest, readFile } = await openBundle({ bytes: bundle?.bytes ?? new Uint8Array(), expected, fetchPart })
      expect(manifest.text.length).toBeGreaterThan(10)
      for (const { name } of manifest.files) expect((await readFile(name)).length).toBeGreaterThan(0)
      opened.set(
        expected.hash,
        manifest.files.map(({ name }) => name),
      )
      kinds.add(expected.kind)
    }
  }
  expect(opened.size).toBe(bundles.length)
  expect(kinds).toEqual(new Set(['delivery', 'revision', 'evidence', 'ruling']))
  const endings = new Set([...opened.values()].flat().map((name) => name.split('.').at(-1)))
  expect([...endings].sort()).toEqual(['csv', 'js', 'json', 'md', 'png', 'py', 'srt', 'txt'])
})

test('the chain has the current time, and plans are still active', async () => {
  const { client, deployments } = devnet
  expect(Math.abs((await getChainTime(client)) - present)).toBeLessThan(60)
  const paidUntil = await client.readContract({
    address: deployments.markets.standard.paymentGateway,
    abi: paymentGatewayAbi,
    functionName: 'paidUntil',
    args: [accounts.ada.address, stringToHex('pro', { size: 32 })],
  })
  expect(Number(paidUntil)).toBeGreaterThan(present)
})

test('chains from one saved world are independent, and a past state is never read from a newer one', async () => {
  const other = await startSavedWorld(folder)
  const scene = createScene(devnet.client, devnet.deployments, 'micro')
  const count = { address: scene.contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'taskCount' } as const
  const loaded = await devnet.client.getBlockNumber()
  const offer = { poster: accounts.bruno, text: 'Here\n\nOnly here.', amounts: [10n ** 18n], duration: 3_600 }
  const { id } = await sendPost(scene, offer)
  expect(await devnet.client.readContract(count)).toBe(id)
  expect(await devnet.client.readContract({ ...count, blockNumber: loaded })).toBe(id - 1n)
  expect(await other.devnet.client.readContract(count)).toBe(id - 1n)
  await expect(devnet.client.readContract({ ...count, blockNumber: 100n })).rejects.toThrow()
  await other.devnet.stop()
})

test('the example agent can do one open task of the demo world only', () => {
  const suits = /\badd up\b|\balt texts?\b|\bcaptions?\b/i
  const open = demoTasks.filter(({ market, scenario }) => market === 'micro' && scenario.expected.state === 'POSTED')
  const found = open.filter(({ scenario: { brief } }) => suits.test(`${brief.title}\n${brief.criteria}`))
  expect(found.map(({ scenario }) => scenario.name)).toEqual(['open'])
})

test('no two tasks share a title, and every milestone has one of its own', () => {
  const briefs = demoTasks.map(({ scenario }) => scenario.brief)
  expect(new Set(briefs.map(({ title }) => title)).size).toBe(briefs.length)
  for (const { title, milestones } of briefs) {
    const titles = milestones.map((milestone) => milestone.title)
    expect(new Set([title, ...titles]).size, title).toBe(titles.length + 1)
  }
})

describe('a refused step says why', () => {
  const scene = () => createScene(devnet.client, devnet.deployments, 'micro')
  const offer = { poster: accounts.newcomer, text: 'Anything', amounts: [1n], duration: 3_600 }
  const entry = parseUnits('25', 6)

  test('with the error of the called contract', async () => {
    const reason = `post reverted: DepositTooLow(${accounts.newcomer.address}, 0, ${entry})`
    await expect(sendPost(scene(), offer)).rejects.toThrow(reason)
  })

  test('with the error of a contract behind it', async () => {
    const job = await sendPost(scene(), { ...offer, poster: accounts.devi })
    await sendTopUp(scene(), accounts.ada, entry, accounts.newcomer.address)
    const error = await sendClaim(scene(), job, accounts.newcomer).catch((error) => error)
    expect(error).toBeInstanceOf(CallRevertedError)
    const { paymentGateway } = scene().contracts
    expect(error).toMatchObject({
      errorName: 'ERC20InsufficientAllowance',
      args: [paymentGateway, 0n, parseEther('1000')],
    })
  })
})

describe('the examples run', () => {
  let directory: string
  let file: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'devnet-'))
    file = join(directory, 'deployments.json')
    await saveDeployments(file, { ...devnet.deployments, rpcUrl: devnet.rpcUrl })
  })
  afterAll(() => rm(directory, { recursive: true }))

  const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
  const run = (name: string, ...args: string[]) => promisify(execFile)(process.execPath, [path(name), ...args])

  test('a task of each scope, and the balances add up', async () => {
    const scene = createScene(devnet.client, devnet.deployments, 'micro')
    const balances = () =>
      Promise.all((['bruno', 'ivo', 'kofi'] as const).map((who) => readBalances(scene, accounts[who].address)))
    const before = await balances()
    const { stdout } = await run('examples/lifecycle.ts', file)

    expect(stdout).toMatch(/^Private task v2:micro:\d+ is COMPLETED\nOpen task v2:micro:\d+ is RESOLVED\n/)
    const after = await balances()
    const gained = after.map(({ tok, deposit }, index) => ({
      tok: tok - (before[index]?.tok ?? 0n),
      deposit: deposit - (before[index]?.deposit ?? 0n),
    }))
    // 5,000 for the private task. 70 % of 5,000 for the open one, with a tenth of the disputed 3,500 from the poster's stake. Each
    // pays two fees; the poster lost the dispute, its reserve and its exit deposit.
    expect(gained).toEqual([
      { tok: -parseEther('11850'), deposit: -parseUnits('13', 6) },
      { tok: parseEther('6850'), deposit: parseUnits('8', 6) },
      { tok: 0n, deposit: parseUnits('5', 6) },
    ])
  })

  test('negotiated messages end in the digest that is on chain, and the agreement file alone proves it', async () => {
    const agreement = join(directory, 'agreement.json')
    const { stdout } = await run('examples/negotiation.ts', file, agreement)
    const [, id = ''] = /Task (\S+) has the same digest on chain/.exec(stdout) ?? []
    const { market, number } = parseTaskId(id)
    const digest = await devnet.client.readContract({
      address: devnet.deployments.markets[market].taskRegistry,
      abi: taskRegistryAbi,
      functionName: 'settlementDigestOf',
      args: [number],
    })

    const verify = () => run('apps/tools/src/svc-verify.ts', agreement, '--digest', digest)
    expect((await verify()).stdout).toContain(`Settlement digest: ${digest}\n  It matches the digest you gave.`)
    const text = await readFile(agreement, 'utf8')
    await writeFile(agreement, text.replace('Caption ten photos', 'Caption two photos'))
    await expect(verify()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Message 1 is invalid') })
  })
})
