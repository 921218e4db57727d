import { createSigningContext } from '@svc/chain'
import {
  accounts,
  advanceTime,
  advanceTimeTo,
  createScene,
  getChainTime,
  mockFeed,
  refreshPrice,
  type Scene,
  sendApprovals,
  sendRegistration,
  sendStake,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import { usdOracleCreation } from '@svc/devnet/creations'
import { createConnector, getSchemaName } from '@svc/index'
import { computeSettlementDigest, formatTaskId, type Market, markets } from '@svc/protocol'
import { type AnyAction, actions, encodeActionInput } from '@svc/protocol/actions'
import { sunsetNotice, timelockDelay } from '@svc/protocol/internal/money'
import { type Address, encodeDeployData, getContractAddress, parseEther, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareSample } from '../../apps/indexer/src/differential.ts'
import { build } from '../harness/indexed.ts'
import { cases } from '../protocol/cases.ts'
import { type DrilledTask, drillExits, entries, exits, prepareExits } from './drillExits.ts'
import { type Purpose, startTask, startTasks, type WayName } from './drillTasks.ts'
import { type DrillWorld, startDrillWorld } from './drillWorld.ts'
import { sendLarge } from './localSafe.ts'
import { isFull } from './rehearsal.ts'
import { leaveMoneyBehind, listWalletActions } from './walletExits.ts'

// The drills of governance beside a running world: an index, an API and a keeper follow the chain while the guardian and the owner
// change it, and every exit of the tables is taken through calls that the API prepares. CI executes the exits that lead on and
// prepares all others, while entries are closed; `pnpm rehearse` executes every exit in every stage.

const { ada, bruno: poster, emeka: worker, farah, goran } = accounts
const judges = [accounts.jun, accounts.kofi, accounts.lena]
const judgeAddresses = judges.map(({ address }) => address)
const day = 86_400
/** Only ends what hangs. A whole rehearsal takes minutes. */
const patience = { timeout: isFull ? 3_600_000 : 300_000 }
/** The oldest price that the new oracle accepts, in seconds. */
const oracleAge = 3_600

let world: DrillWorld
let scenes: Record<Market, Scene>
/** Tasks that begin before the changes of the owner and run until after the sunset. A whole rehearsal has tasks for each stage instead. */
const standing: DrilledTask[] = []
beforeAll(async () => {
  // The keeper has the tasks of one poster to itself.
  world = await startDrillWorld([ada.address])
  const { client, deployments } = world.devnet
  scenes = {
    standard: createScene(client, deployments, 'standard'),
    micro: createScene(client, deployments, 'micro'),
  }
  const people = [poster, worker, ada, farah, goran, accounts.newcomer, accounts.olga, ...judges]
  for (const { address } of people)
    await sendTokens(client, deployments, address, { tok: parseEther('5000000'), usdc: parseUnits('50000', 6) })
  for (const scene of Object.values(scenes)) {
    for (const person of people) await setUpWallet(scene, person)
    for (const judge of judges) await sendRegistration(scene, judge, parseEther('50000'))
    await leaveMoneyBehind(scene)
  }
})
afterAll(() => world?.stop())

async function setUpWallet(scene: Scene, person: typeof poster): Promise<void> {
  await sendApprovals(scene, person)
  await sendTopUp(scene, person, parseUnits('10000', 6))
}

/** Starts tasks in every state. Prepared calls approve exactly what they spend, so the approvals are given again. */
async function startPopulation(scene: Scene, to: Purpose = isFull ? 'execute' : 'prepare'): Promise<DrilledTask[]> {
  for (const person of [poster, worker, ada, farah]) await sendApprovals(scene, person)
  return startTasks(scene, { poster, worker }, to)
}

/** Leaves tasks to the keeper, each one call from its end. */
async function startKept(scene: Scene): Promise<string[]> {
  const ways = [
    'posted',
    'claimed, not funded',
    'active',
    'last delivered',
    'under notice',
  ] as const satisfies WayName[]
  const ids: string[] = []
  for (const way of ways) {
    const { id } = await startTask(scene, way, { poster: ada, worker: farah })
    ids.push(formatTaskId({ market: scene.market, number: id }))
  }
  return ids
}

/** Waits until the keeper has ended these tasks. */
async function expectKept(scene: Scene, ids: readonly string[]): Promise<void> {
  await advanceTime(scene.client, scene.params.maxClaimDeadline)
  await world.keeper
    .current()
    .waitForLog('the kept tasks', (lines) =>
      ids.every((id) => lines.some(({ msg, task }) => msg === 'done' && task === id)),
    )
}

interface Stage {
  newTasks: 'open' | 'paused' | 'ended'
  endsAt?: number
  isStaking?: boolean
}

const refusals = { open: null, paused: 'EnforcedPause', ended: 'EntriesEnded' } as const

/** Checks one stage in one market: what the API says, that entries are as they must be, and that nobody is kept from leaving. */
async function checkStage(scene: Scene, tasks: readonly DrilledTask[], stage: Stage): Promise<void> {
  const { newTasks, endsAt = null, isStaking = false } = stage
  const { service, provider, wallet, ask } = world
  await service.caughtUp()
  for (const path of ['', '&path=chain'])
    expect(await read(`/api/market/status?market=${scene.market}${path}`)).toMatchObject({ newTasks, endsAt })
  expect(await read(`/api/union/overview?market=${scene.market}`)).toMatchObject({ stakingActive: isStaking })

  for (const [name, { action, json, by }] of Object.entries(await buildEntries(scene, tasks))) {
    const { simulation } = await ask(action, json, by)
    const error = refusals[newTasks]
    if (error === null) expect(simulation, name).toMatchObject({ status: 'succeeds' })
    else
      expect(simulation, name).toMatchObject({
        status: 'refused',
        error: { name: error, message: expect.stringMatching(/\.$/), wayOut: expect.stringMatching(/\.$/) },
      })
  }

  const asked = listWalletActions(scene).map(async ({ action, json, by, beforeStaking }) => {
    const { simulation } = await ask(action.name, json, by)
    if (beforeStaking && !isStaking)
      expect(simulation, action.name).toMatchObject({ status: 'refused', error: { name: beforeStaking } })
    else expect(simulation, action.name).toMatchObject({ status: 'succeeds' })
  })
  await Promise.all(asked)
  const options = { provider, scene, tasks, wallet, judges: judgeAddresses, isFull }
  expect((await prepareExits(options)).prepared.size).toBeGreaterThan(10)
}

interface Entry {
  action: string
  json: Record<string, unknown>
  by: Address
}

/** Builds a request for every row of the lifecycle that lets somebody in. */
async function buildEntries(scene: Scene, tasks: readonly DrilledTask[]): Promise<Record<string, Entry>> {
  const find = (way: WayName) => {
    const task = tasks.find((each) => each.way === way)
    if (!task) throw new Error(`No task is ${way}.`)
    return { ...task, taskId: formatTaskId({ market: scene.market, number: task.id }) }
  }
  const draft = async (name: 'post-task' | 'create-task'): Promise<Entry> => {
    const action: AnyAction = actions[name]
    const { by, input = {} } = (await cases[name]?.(scene)) ?? expect.unreachable()
    return { action: name, json: encodeActionInput(action, input), by: by.address }
  }
  const posted = find('posted')
  const signing = createSigningContext(scene.deployments, scene.market)
  const settlementDigest = computeSettlementDigest(signing, posted.terms, worker.address)
  const built: Record<string, Entry> = {
    'post NONE': await draft('post-task'),
    'create NONE': await draft('create-task'),
    'fund POSTED': {
      action: 'fund-task',
      json: { taskId: find('posted, not funded').taskId, amountTokWei: String(parseEther('1')) },
      by: poster.address,
    },
    'claim POSTED': { action: 'claim-task', json: { taskId: posted.taskId, settlementDigest }, by: worker.address },
  }
  expect(new Set(Object.keys(built))).toEqual(entries)
  return built
}

async function get(path: string): Promise<unknown> {
  const response = await world.service.app.request(path)
  expect(response.status, path).toBe(200)
  return response.json()
}

/** Asks for the answer at the newest block. Answers from the chain live for a second. */
const read = async (path: string) => get(`${path}&minBlock=${await world.devnet.client.getBlockNumber()}`)

/** Takes every exit of a market. */
async function takeExits(scene: Scene, tasks: readonly DrilledTask[]): Promise<void> {
  const { provider, wallet, withoutKeeper } = world
  const options = { provider, scene, tasks, wallet, judges: judgeAddresses, isFull }
  const report = await withoutKeeper(() => drillExits(options))
  const missing = (done: ReadonlySet<string>) => [...exits].filter((name) => !done.has(name))
  expect(missing(report.prepared)).toEqual([])
  if (isFull) expect(missing(report.executed)).toEqual([])
}

/** Lets the judges leave and take their bonds. */
async function letJudgesGo({ client, market }: Scene): Promise<void> {
  const { wallet } = world
  for (const judge of judgeAddresses)
    await wallet.send(judge, await wallet.prepare(actions['request-unbond'], { market }, judge))
  await advanceTime(client, 8 * day)
  for (const judge of judgeAddresses) await wallet.send(judge, await wallet.prepare(actions.unbond, { market }, judge))
}

/** Lets the judges of a market take their bonds and come back. */
async function bringJudgesBack(scene: Scene): Promise<void> {
  await letJudgesGo(scene)
  for (const judge of judges) {
    await sendApprovals(scene, judge)
    await sendRegistration(scene, judge, parseEther('50000'))
  }
}

test('paused: nobody comes in, everybody can leave, and the keeper goes on', patience, async () => {
  const { governance } = world
  for (const scene of isFull ? Object.values(scenes) : [scenes.micro]) {
    const tasks = await startPopulation(scene)
    const kept = await startKept(scene)
    await checkStage(scene, tasks, { newTasks: 'open' })
    expect(await governance.govAsGuardian('pause')).toMatchObject({ code: 0 })
    await checkStage(scene, tasks, { newTasks: 'paused' })
    await takeExits(scene, tasks)
    await expectKept(scene, kept)
    expect(await governance.govAsGuardian('unpause')).toMatchObject({ code: 0 })
    await bringJudgesBack(scene)
  }
})

test('prices, staking, the feed and the guardian change, and nobody notices who does not buy', patience, async () => {
  const { governance, devnet, ask } = world
  const { govern, gov, govAsGuardian } = governance
  const { client } = devnet
  const scene = scenes.standard
  const oracle = await deployOracle()
  const price = ['price', '--tier', 'pro', '--usdc', '39000000', '--discount', '1000', '--tok', 'yes']
  const guardian = ['guardian', '--guardian', accounts.mateo.address]
  const all = [price, ['staking'], ['feed', '--oracle', oracle], guardian]
  // Their judge could not leave and come back between the stages of a whole rehearsal.
  if (!isFull) standing.push(...(await startPopulation(scene, 'look')))
  let stages = 0
  const checkNow = (isStaking: boolean) => checkStage(scene, standing, { newTasks: 'open', isStaking })
  const check = async (isStaking: boolean) => {
    await refreshPrice(client, accounts.deployer)
    if (!isFull) return checkNow(isStaking)
    // A whole rehearsal takes weeks of the chain in each stage, so each has its own tasks. The markets take turns.
    const each = scenes[stages++ % 2 === 0 ? 'standard' : 'micro']
    const tasks = await startPopulation(each)
    await checkStage(each, tasks, { newTasks: 'open', isStaking })
    await takeExits(each, tasks)
    await bringJudgesBack(each)
  }
  const quote = (payWith: 'usdc' | 'tok') =>
    get(`/api/posting/quote?market=standard&tier=pro&payWith=${payWith}&address=${poster.address}`)

  for (const change of all) await govern('schedule', ...change)
  for (const change of all) expect(await gov(...change, '--stage', 'execute')).toMatchObject({ code: 1 })
  await check(false)
  const before = await quote('usdc')

  await advanceTime(client, timelockDelay + 1)
  await govern('execute', ...price)
  await check(false)
  expect(await quote('usdc')).not.toEqual(before)
  expect(await quote('usdc')).toMatchObject({ amountUnits: '39000000' })

  await govern('execute', 'staking')
  for (const each of Object.values(scenes)) {
    await sendApprovals(each, goran)
    await sendStake(each, goran, parseEther('1000'))
    // Its fee is a reward to share.
    await startTask(each, 'posted', { poster: ada, worker: farah })
  }
  await check(true)

  await govern('execute', 'feed', '--oracle', oracle)
  await check(true)
  await refreshPrice(client, accounts.deployer)
  expect(await read('/api/price/tok?market=standard')).toMatchObject({ missing: null })

  await advanceTime(client, oracleAge + 60)
  if (!isFull) await checkNow(true)
  expect(await read('/api/price/tok?market=standard')).toMatchObject({ usdPerTok: null, missing: 'TOO_OLD' })
  const input = {
    market: 'standard',
    tier: 'pro',
    beneficiary: poster.address,
    payWith: 'tok',
    maxAmount: String(parseEther('99999')),
  }
  const { simulation } = await ask('buy-plan', input, poster.address)
  expect(simulation).toMatchObject({ status: 'refused', error: { name: 'StalePrice' } })

  await govern('execute', ...guardian)
  await check(true)
  expect(await govAsGuardian('pause')).toMatchObject({ code: 1, text: expect.stringContaining('the guardian is') })
})

test('sunset: nobody comes in, everybody can leave, and the keeper goes on', patience, async () => {
  const { governance, devnet } = world
  const { client } = devnet
  const endsAt = (await getChainTime(client)) + timelockDelay + sunsetNotice + 20 * day
  await governance.changeAsOwner('sunset', '--at', new Date(endsAt * 1_000).toISOString().replace('.000', ''))
  const scene = scenes.standard
  // The tasks that are ruled wait for their evidence to end.
  await advanceTimeTo(client, endsAt - 5 * 3_600 - scene.params.evidenceWindow)
  const tasks = await startPopulation(scene)
  const kept = await startKept(scene)
  await checkStage(scene, tasks, { newTasks: 'open', endsAt, isStaking: true })
  await advanceTimeTo(client, endsAt)
  await checkStage(scene, tasks, { newTasks: 'ended', endsAt, isStaking: true })
  await takeExits(scene, [...tasks, ...standing])
  await expectKept(scene, kept)
  await letJudgesGo(scene)
})

test('after all of it the index is the chain', async () => {
  const { world: indexed, provider, devnet, service } = world
  await service.caughtUp()
  const { chainId, shared, markets: own } = devnet.deployments
  const connection = createConnector(indexed.database.url)(getSchemaName(build))
  for (const market of markets) {
    const of = { market, contracts: own[market], chainId, asset: shared.tokToken }
    const compared = await compareSample(connection, of, provider, { size: 2_000 })
    expect(compared?.compared).toBeGreaterThan(20)
    expect(compared?.differences).toEqual([])
  }
  await connection.end()
})

/** Deploys another oracle over the same feed, without a sequencer. */
async function deployOracle(): Promise<Address> {
  const { client } = world.devnet
  const nonce = await client.getTransactionCount({ address: accounts.deployer.address })
  const data = encodeDeployData({ ...usdOracleCreation, args: [mockFeed, zeroAddress, BigInt(oracleAge), 60n] })
  await sendLarge(client, accounts.deployer, { data })
  return getContractAddress({ from: accounts.deployer.address, nonce: BigInt(nonce) })
}
