import { join } from 'node:path'
import { contracts, createDelegation, createExecution, ExecutionMode, ScopeType } from '@metamask/smart-accounts-kit'
import {
  computeWorstCase,
  createJournalFile,
  createSigner,
  describeWorstCase,
  encodeGrant,
  type Grant,
  type GrantRequest,
  parseGrant,
} from '@svc/agent'
import {
  advanceTime,
  countTasks,
  type Job,
  sendActivation,
  sendClaim,
  sendDecision,
  sendDelivery,
  sendDispute,
  sendExpiry,
  sendTimeoutResolution,
  sendTransaction,
} from '@svc/devnet'
import { accessFee, exitDeposit, taskReserve } from '@svc/protocol'
import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  stakingVaultAbi,
  taskRegistryAbi,
} from '@svc/protocol/abis'
import { encodePlanId } from '@svc/protocol/internal/money'
import { createRandom } from '@svc/simulation/random'
import {
  type Abi,
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  type LocalAccount,
  maxUint256,
  stringToHex,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runs } from '../harness/runs.ts'
import { type AgentWorld, createAgentWorld } from './agentWorld.ts'
import { fillCall, type HostileCall, listTargets } from './hostileCalls.ts'

// Somebody has the session key, the whole source and money of its own, and wants what the account has.

let world: AgentWorld
let snapshot: Hex
beforeAll(async () => {
  world = await createAgentWorld()
  snapshot = await world.devnet.client.snapshot()
})
afterAll(() => world?.stop())
beforeEach(async () => {
  await world.devnet.client.revert({ id: snapshot })
  snapshot = await world.devnet.client.snapshot()
})

const chunk = 100
/** In a deep run as many as a thief with patience. */
const callsPerSeed = runs(100, 100) > 100 ? 2_000 : 100

type Delegations = Parameters<typeof contracts.DelegationManager.encode.redeemDelegations>[0]['delegations'][number]

/** A transaction, and who sends it. */
interface Attempt {
  by: LocalAccount
  to: Address
  data: Hex
}

/** Wraps a call as a thief would redeem it: whatever it likes, in any mode. */
function buildRedemption(
  { to, data, value }: Omit<HostileCall, 'name'>,
  {
    by = world.session,
    chain = [world.grant.delegation],
    mode = ExecutionMode.SingleDefault,
  }: { by?: LocalAccount; chain?: Delegations; mode?: ExecutionMode } = {},
): Attempt {
  const encoded = contracts.DelegationManager.encode.redeemDelegations({
    delegations: [chain],
    modes: [mode],
    executions: [[createExecution({ target: to, value, callData: data })]],
  })
  return { by, to: world.grant.delegationManager, data: encoded }
}

const trySend = ({ by, ...call }: Attempt): Promise<boolean> =>
  sendTransaction(world.devnet.client, by, call).then(
    () => true,
    () => false,
  )

const redeem = (...given: Parameters<typeof buildRedemption>) => trySend(buildRedemption(...given))

const encode = encodeFunctionData
const claimCall = (job: Job) => ({
  to: world.grant.contracts.taskRegistry,
  value: 0n,
  data: encode({ abi: taskRegistryAbi, functionName: 'claim', args: [job.id, world.computeDigest(job)] }),
})

const tok = (amount: number) => BigInt(amount) * 10n ** 18n

const registryAbi: Abi = taskRegistryAbi
const toRegistry = (functionName: string, args: readonly unknown[]) => ({
  to: world.grant.contracts.taskRegistry,
  value: 0n,
  data: encode({ abi: registryAbi, functionName, args }),
})

/** A task of the account, all of it in escrow, as whoever holds the key would write it. Throws if the grant or the allowance refuses. */
async function postAsAgent(amounts: readonly bigint[]): Promise<Job> {
  const { scene, owner, thief } = world
  const { terms: usual } = await world.postAsThief()
  const terms = {
    ...usual,
    poster: owner.address,
    amounts,
    durations: amounts.map(() => usual.durations[0] ?? 0n),
    criteriaHash: keccak256(stringToHex('Work')),
    // Without a receipt of this store, the worker may dispute when the review has ended.
    store: thief.address,
  }
  const all = amounts.reduce((sum, each) => sum + each, 0n)
  const isPosted = await redeem(toRegistry('post', [terms, 'Work', all]))
  if (!isPosted) throw new Error('It was refused.')
  return { id: BigInt(await countTasks(scene)), terms, poster: owner, worker: thief }
}

/** Compares what the owner has with what it had: never less than the worst case says, and nothing else of the account has changed. */
async function expectWithin(
  before: Awaited<ReturnType<AgentWorld['readOwned']>>,
  grant: Pick<Grant, 'uses' | 'limits'> = world.grant,
) {
  const [after, worst] = [await world.readOwned(), computeWorstCase(grant)]
  const lost = { tok: before.tok - after.tok, usdc: before.usdc - after.usdc }
  expect(lost.tok, 'TOK').toBeLessThanOrEqual(worst.tokWei)
  expect(lost.usdc, 'USDC').toBeLessThanOrEqual(worst.usdcUnits)
  expect(after.ether).toBe(before.ether)
  return lost
}

test('the worst case is what the owner reads before it signs, and a grant is the same after it was a file', () => {
  const file = encodeGrant(world.grant)
  expect(encodeGrant(parseGrant(JSON.parse(JSON.stringify(file))))).toEqual(file)
  expect(describeWorstCase(computeWorstCase(world.grant))).toBe(
    'Worst case: 6,000 TOK + 39.00 USDC + 0.05 ETH of gas. Earnings stay in the account; only you can move them.',
  )
})

describe('directed thefts', () => {
  const thefts: Readonly<Record<string, () => Promise<boolean> | boolean>> = {
    'TOK to the thief': () =>
      call('tokToken', encode({ abi: erc20Abi, functionName: 'transfer', args: [world.thief.address, 1n] })),
    'a larger allowance': () =>
      call(
        'tokToken',
        encode({ abi: erc20Abi, functionName: 'approve', args: [world.grant.contracts.paymentGateway, maxUint256] }),
      ),
    'an allowance of USDC': () =>
      call('usdc', encode({ abi: erc20Abi, functionName: 'approve', args: [world.thief.address, 1n] })),
    'the deposit': () =>
      call('depositVault', encode({ abi: depositVaultAbi, functionName: 'withdraw', args: [1n, world.thief.address] })),
    'more into the deposit': () =>
      call('depositVault', encode({ abi: depositVaultAbi, functionName: 'topUp', args: [1n] })),
    'a deferred payout': () =>
      call('escrowVault', encode({ abi: escrowVaultAbi, functionName: 'withdraw', args: [world.thief.address] })),
    'a plan for the thief out of the allowance': () =>
      call(
        'paymentGateway',
        encode({
          abi: paymentGatewayAbi,
          functionName: 'buyPlan',
          args: [encodePlanId('basic'), world.thief.address, world.grant.contracts.tokToken, maxUint256],
        }),
      ),
    'a stake out of the allowance': () =>
      call('stakingVault', encode({ abi: stakingVaultAbi, functionName: 'stake', args: [1n] })),
    'a bond out of the allowance': () =>
      call('arbitration', encode({ abi: arbitrationAbi, functionName: 'register', args: [10_000n * 10n ** 18n] })),
    'a post, which was not granted': () =>
      call('taskRegistry', `${encode({ abi: taskRegistryAbi, functionName: 'cancel', args: [1n] })}`),
    'a claim in the other market': () =>
      redeem({
        to: world.devnet.deployments.markets.standard.taskRegistry,
        value: 0n,
        data: encode({ abi: taskRegistryAbi, functionName: 'claim', args: [1n, zeroHash] }),
      }),
    'ether of the account': () => redeem({ to: world.thief.address, value: 1n, data: '0x' }),
    'the account calls itself': () => redeem({ to: world.owner.address, value: 0n, data: '0x' }),
    'the same in a batch': () =>
      redeem(
        {
          to: world.grant.contracts.tokToken,
          value: 0n,
          data: encode({ abi: erc20Abi, functionName: 'transfer', args: [world.thief.address, 1n] }),
        },
        { mode: ExecutionMode.BatchDefault },
      ),
    'without its caveats': () =>
      call('tokToken', encode({ abi: erc20Abi, functionName: 'transfer', args: [world.thief.address, 1n] }), [
        { ...world.grant.delegation, caveats: [] },
      ]),
    'with another delegate': () =>
      call(
        'tokToken',
        encode({ abi: erc20Abi, functionName: 'transfer', args: [world.thief.address, 1n] }),
        [{ ...world.grant.delegation, delegate: world.thief.address }],
        world.thief,
      ),
    'delegated on to the thief, without caveats': async () => {
      const { environment, session, thief, grant } = world
      const on = createDelegation({
        environment,
        from: session.address,
        to: thief.address,
        parentDelegation: grant.delegation,
        scope: {
          type: ScopeType.FunctionCall,
          targets: [grant.contracts.tokToken],
          selectors: ['transfer(address,uint256)'],
        },
      })
      return call(
        'tokToken',
        encode({ abi: erc20Abi, functionName: 'transfer', args: [thief.address, 1n] }),
        [{ ...on, signature: '0x' }, grant.delegation],
        thief,
      )
    },
    'after its time': async () => {
      const job = await world.postAsThief()
      await advanceTime(world.devnet.client, 91 * 86_400)
      return redeem(claimCall(job))
    },
  }
  const call = (name: keyof Grant['contracts'], data: Hex, chain?: Delegations, by?: LocalAccount) =>
    redeem({ to: world.grant.contracts[name], value: 0n, data }, { ...(chain && { chain }), ...(by && { by }) })

  test.each(Object.entries(thefts))('%s: refused', async (_, steal) => {
    const before = await world.readOwned()
    expect(await steal()).toBe(false)
    expect(await world.readOwned()).toEqual(before)
  })

  test('a poster of the same owner takes what every claim puts at stake, and not one unit more', async () => {
    const before = await world.readOwned()
    const { taskRegistry } = world.grant.contracts
    const { consentWindow, evidenceWindow } = world.scene.params
    for (let count = 0; count < 3; count++) {
      const job = { ...(await world.postAsThief()), worker: world.owner }
      expect(await redeem(claimCall(job))).toBe(true)
      await sendActivation(world.scene, job)
      const none = { size: 0n, until: 0n, signature: '0x' } as const
      const data = encode({
        abi: taskRegistryAbi,
        functionName: 'markDelivered',
        args: [job.id, 0n, keccak256('0x01'), none],
      })
      expect(await redeem({ to: taskRegistry, value: 0n, data })).toBe(true)
      await sendDispute(world.scene, job, 'It is junk.')
      await advanceTime(world.devnet.client, consentWindow + 1)
      await sendTimeoutResolution(world.scene, job)
      await advanceTime(world.devnet.client, evidenceWindow + 1)
      await sendDecision(world.scene, job, false, 'It is junk.')
    }
    expect(await redeem(claimCall(await world.postAsThief())), 'a fourth claim').toBe(false)
    const lost = await expectWithin(before)
    const { tokWei, usdcUnits } = computeWorstCase(world.grant)
    expect(lost).toEqual({ tok: tokWei, usdc: usdcUnits })
  })

  test('three claims that are slept through cost all TOK of the worst case', async () => {
    const before = await world.readOwned()
    const { client } = world.devnet
    for (let count = 0; count < 3; count++) {
      const job = { ...(await world.postAsThief()), worker: world.owner }
      expect(await redeem(claimCall(job))).toBe(true)
      await sendActivation(world.scene, job)
      await advanceTime(client, 86_400)
      await sendExpiry(world.scene, job)
    }
    expect((await expectWithin(before)).tok).toBe(computeWorstCase(world.grant).tokWei)
  })
})

test('a claim succeeds through a node that has its receipt later than its nonce', async () => {
  const job = await world.postAsThief()
  const { grant, session, folder, devnet } = world
  const { client } = devnet
  let early = 5
  const chain: typeof client = {
    ...client,
    async getTransactionReceipt(wanted) {
      const receipt = await client.getTransactionReceipt(wanted)
      if (early-- > 0) throw new Error('The receipt is not there yet.')
      return receipt
    },
  }
  const signer = createSigner({ grant, session, chain, journal: createJournalFile(join(folder, 'late.jsonl')) })
  const result = await signer.act({
    action: 'claim-task',
    input: { taskId: `v2:micro:${job.id}`, settlementDigest: world.computeDigest(job) },
  })
  expect(result).toMatchObject({ status: 'confirmed' })
})

test('after revoke nothing succeeds', async () => {
  const job = await world.postAsThief()
  await world.revoke()
  expect(await redeem(claimCall(job))).toBe(false)
  const result = await world.signer.act({
    action: 'claim-task',
    input: { taskId: `v2:micro:${job.id}`, settlementDigest: world.computeDigest(job) },
  })
  expect(result).toMatchObject({ status: 'refused', limit: 'allowance' })
  const { client } = world.devnet
  const { tokToken, paymentGateway } = world.grant.contracts
  const left = await client.readContract({
    address: tokToken,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [world.owner.address, paymentGateway],
  })
  expect(left).toBe(0n)
})

/** What an owner may grant: the same thief tries each. */
const grants: Readonly<Record<string, Partial<GrantRequest>>> = {
  earn: {},
  hire: { uses: ['hire'], claims: 0, hires: 3, budgetTokWei: tok(9_000) },
  'earn and hire': { uses: ['earn', 'hire'], claims: 2, hires: 2, budgetTokWei: tok(5_000) },
}

describe.each(Object.entries(grants))('a grant to %s', (name, wanted) => {
  const uses = wanted.uses ?? ['earn']
  beforeAll(async () => {
    await world.stop()
    world = await createAgentWorld(wanted)
    snapshot = await world.devnet.client.snapshot()
  })

  if (uses.includes('hire')) {
    test('all of its TOK goes to a thief that works for it: the worst case, to the wei', async () => {
      const before = await world.readOwned()
      const { thief, owner, scene, grant } = world
      const { allowanceTokWei } = grant.limits
      const { consentWindow, evidenceWindow } = scene.params
      const job = await postAsAgent([allowanceTokWei - accessFee - exitDeposit])
      await sendClaim(scene, job, thief)
      expect(await redeem(toRegistry('activate', [job.id]))).toBe(true)
      await sendDelivery(scene, job, 'junk')
      for (const [wait, step] of [
        [Number(job.terms.reviewWindow), () => sendDispute(scene, job, 'It is mine.', { by: thief })],
        [consentWindow, () => sendTimeoutResolution(scene, job)],
        [evidenceWindow, () => sendDecision(scene, job, true, 'Nobody answered.')],
      ] as const) {
        await advanceTime(world.devnet.client, wait + 1)
        await step()
      }
      expect(await expectWithin(before)).toEqual({ tok: allowanceTokWei, usdc: taskReserve })
      expect(await redeem(toRegistry('allowWorker', [job.id, owner.address])), 'its task is not open').toBe(false)
    })
  }

  test.each(Array.from({ length: runs(1) }, (_, index) => index + 1))(
    `${callsPerSeed} random calls, seed %d`,
    async (seed) => {
      const random = createRandom(seed)
      const before = await world.readOwned()
      const targets = listTargets(world)
      const { taskRegistry, ...others } = world.grant.contracts
      const granted = targets.filter(({ to }) => to === taskRegistry)
      const { client } = world.devnet
      const jobs: Job[] = []
      const words: Hex[] = [zeroHash]
      let done = 0
      const { timestamp } = await client.getBlock()
      const addresses = [world.owner, world.thief, world.session]
        .map(({ address }) => address)
        .concat(taskRegistry, Object.values(others))
      const attempt = (): Attempt => {
        const target = random.pick(random.chance(0.3) ? granted : targets)
        const call = fillCall(target, random, {
          addresses,
          tasks: jobs.map(({ id }) => id),
          words: [...words, `0x${random.word()}`],
          until: timestamp + BigInt(random.below(1_000_000)),
        })
        // The thief itself, who is the other side of every task; the key itself; a batch; and mostly the delegation.
        const way = random.below(8)
        if (way < 2) return { by: way === 0 ? world.thief : world.session, ...call }
        return buildRedemption(call, way === 2 ? { mode: ExecutionMode.BatchDefault } : {})
      }
      const wouldPass = ({ by, to, data }: Attempt) =>
        client.call({ account: by, to, data }).then(
          () => true,
          () => false,
        )
      const enter = async () => {
        // By chance the thief has taken back its own allowance.
        const posted = await world.postAsThief().catch(() => null)
        if (posted) {
          const job = { ...posted, worker: world.owner }
          jobs.push(job)
          words.push(world.computeDigest(job))
        }
        if (uses.includes('earn') && jobs.length > 0) await redeem(claimCall(random.pick(jobs)))
        if (!uses.includes('hire')) return
        const hired = await postAsAgent([tok(1 + random.below(3)), tok(1)]).catch(() => null)
        if (!hired) return
        jobs.push(hired)
        if (random.chance(0.7)) await sendClaim(world.scene, hired, world.thief).catch(() => {})
        if (random.chance(0.5)) await redeem(toRegistry('activate', [hired.id]))
        if (random.chance(0.5)) await sendDelivery(world.scene, hired, 'junk').catch(() => {})
      }
      for (let tried = 0; tried < callsPerSeed; tried += chunk) {
        await enter()
        if (random.chance(0.3)) await advanceTime(client, random.below(50_000))
        const attempts = Array.from({ length: chunk }, attempt)
        const passing = await Promise.all(attempts.map(wouldPass))
        for (const [index, each] of attempts.entries()) if (passing[index]) done += Number(await trySend(each))
      }
      const lost = await expectWithin(before)
      console.log(
        `${name}, seed ${seed}: ${callsPerSeed} calls of ${targets.length} functions, ${done} went through; lost ${lost.tok / 10n ** 18n} TOK and ${lost.usdc} units of USDC`,
      )
      expect(done).toBeGreaterThan(0)
      await world.revoke()
      const passing = await Promise.all(
        Array.from({ length: chunk }, attempt).map((each) =>
          each.by === world.thief || each.to !== world.grant.delegationManager ? false : wouldPass(each),
        ),
      )
      expect(passing).not.toContain(true)
    },
  )
})
