import { accounts } from '@svc/devnet'
import { base, baseSepolia } from '@svc/protocol'
import { create2Deployer } from '@svc/protocol/internal/base'
import { describe, expect, test } from 'vitest'
import { checkDeployment } from '../../apps/admin/src/check/checkDeployment.ts'
import { connectAll } from '../../apps/admin/src/commands/shared.ts'
import type { DeployState } from '../../apps/admin/src/deploy/deployState.ts'
import { assertPlan, deploySuite } from '../../apps/admin/src/deploy/deploySuite.ts'
import { createRemoteSigner } from '../../apps/admin/src/deploy/signer.ts'
import { createDeployBatches } from '../../apps/admin/src/deploy/writeBatches.ts'
import { parsePlan, planSchema } from '../../apps/admin/src/plan/planFile.ts'
import { computeSuite } from '../../apps/admin/src/plan/plannedSuite.ts'
import { findRuleFaults } from '../../apps/admin/src/plan/planRules.ts'
import { startForTests } from '../harness/startForTests.ts'
import { badPlans } from './badPlans.ts'
import { createState, deployerKey, isFull, startRehearsal } from './rehearsal.ts'

const rehearsal = startForTests(() => startRehearsal(base.id), 'stop')

describe('a plan is refused before the first transaction', () => {
  test('there are at least 40', () => expect(badPlans.length).toBeGreaterThanOrEqual(40))

  test.each(badPlans)('$title', async ({ change, prepare, reason }) => {
    const { client, provider, planJson } = rehearsal
    const snapshot = await client.snapshot()
    await prepare?.(rehearsal)
    const nonce = await client.getTransactionCount({ address: deployerKey.address })
    const run = async () => {
      const plan = parsePlan(JSON.stringify({ ...planJson, ...change?.(rehearsal) }), 'the plan')
      await deploySuite({ ...rehearsal, client: provider, plan, state: createState(plan), save: async () => {} })
    }
    await expect(run()).rejects.toThrow(reason)
    expect(await client.getTransactionCount({ address: deployerKey.address })).toBe(nonce)
    await client.revert({ id: snapshot })
  })
})

test('the right plan is accepted, and all its faults are told at once', async () => {
  const { provider, plan, planJson } = rehearsal
  await assertPlan(plan, provider)
  const wrong = planSchema.parse({ ...planJson, guardian: deployerKey.address, finalCourt: planJson.treasury })
  expect(findRuleFaults(wrong)).toHaveLength(2)
})

const chains = isFull ? [base.id, baseSepolia.id] : [base.id]
/** What an interruption leaves of the state file. */
const losses = isFull ? ['nothing is lost', 'the state file is lost'] : ['the state file is lost']

test.each(chains.flatMap((chainId) => losses.map((loss) => ({ chainId, loss }))))(
  'on chain $chainId, interrupted after every transaction, and $loss',
  async ({ chainId, loss }) => {
    const own = chainId === base.id ? rehearsal : await startRehearsal(chainId)
    const { client, provider, plan, signer } = own
    const snapshot = await client.snapshot()
    const { steps, shared, markets, factory } = computeSuite(plan)
    const firstBlock = Number(await client.getBlockNumber()) + 1
    let state: DeployState = createState(plan)
    const context = () => ({ plan, client: provider, state: structuredClone(state), pollMs: 5 })
    for (const [index] of steps.entries()) {
      let sent = 0
      const dying = {
        ...signer,
        async send(...call: Parameters<typeof signer.send>) {
          if (sent++ > 0) throw new Error('power cut')
          return signer.send(...call)
        },
      }
      const save = async (next: DeployState) => {
        if (loss === 'nothing is lost') state = structuredClone(next)
      }
      const running = deploySuite({ ...context(), signer: dying, save })
      // The last run finds nothing left to send.
      if (index < steps.length - 1) await expect(running).rejects.toThrow('power cut')
      else await running
    }
    const sends = await client.getTransactionCount({ address: deployerKey.address })
    const deployments = await deploySuite({ ...context(), signer, save: async () => {} })
    expect(await client.getTransactionCount({ address: deployerKey.address })).toBe(sends)
    expect(sends).toBe(steps.length)
    expect(deployments).toMatchObject({ chainId, shared, markets, startBlock: firstBlock })
    expect(await client.getCode({ address: factory, blockNumber: BigInt(firstBlock - 1) })).toBeUndefined()
    expect(await checkDeployment(plan, deployments, connectAll([own.rpcUrl, own.rpcUrl], chainId))).toEqual([])
    await client.revert({ id: snapshot })
    if (own !== rehearsal) await own.stop()
  },
)

test('a changed plan starts from the beginning and shares nothing with the old one', async () => {
  const { client, provider, plan, planJson, signer } = rehearsal
  const snapshot = await client.snapshot()
  let sent = 0
  const dying = {
    ...signer,
    async send(...call: Parameters<typeof signer.send>) {
      if (sent++ > 8) throw new Error('power cut')
      return signer.send(...call)
    },
  }
  const rest = { client: provider, save: async () => {}, pollMs: 5 }
  await expect(deploySuite({ ...rest, plan, signer: dying, state: createState(plan) })).rejects.toThrow('power cut')
  // Governors are not in any code: only other addresses keep two plans apart.
  const other = planSchema.parse({ ...planJson, timelock: { governors: [rehearsal.deployerSafe.address] } })
  const deployments = await deploySuite({ ...rest, plan: other, signer, state: createState(other) })
  expect(deployments.shared.timelock).not.toBe(computeSuite(plan).shared.timelock)
  expect(await checkDeployment(other, deployments, connectAll([rehearsal.rpcUrl], base.id))).toEqual([])
  await client.revert({ id: snapshot })
})

test('a Safe deploys the same plan in batches below the gas limit, at the addresses that the plan says', async () => {
  const { client, provider, planJson, deployerSafe } = rehearsal
  const plan = planSchema.parse({ ...planJson, deployer: deployerSafe.address, suite: 'by-safe' })
  await assertPlan(plan, provider)
  const batches = createDeployBatches(plan)
  expect(batches.length).toBeGreaterThan(2)
  expect(batches[0]).toMatchObject({ chainId: String(base.id), meta: { createdFromSafeAddress: deployerSafe.address } })
  expect(batches[0]?.transactions[0]?.to).toBe(create2Deployer)
  for (const { transactions } of batches) {
    expect(await deployerSafe.execute(transactions)).toBeLessThan(BigInt(plan.maxBatchGas))
  }
  const signer = { address: plan.deployer, send: () => Promise.reject(new Error('Nothing is left to send.')) }
  const state = createState(plan)
  const deployments = await deploySuite({ plan, client: provider, signer, state, save: async () => {} })
  const { shared, markets, factory } = computeSuite(plan)
  expect(deployments).toMatchObject({ shared, markets })
  const { startBlock } = deployments
  expect(await client.getCode({ address: factory, blockNumber: BigInt(startBlock) })).toBeDefined()
  expect(await client.getCode({ address: factory, blockNumber: BigInt(startBlock - 1) })).toBeUndefined()
})

test.runIf(isFull)('a remote signer deploys a plan', async () => {
  const { provider, planJson, rpcUrl } = rehearsal
  // The node of the local chain signs for its own accounts, as Web3Signer does for its keys.
  const { address } = accounts.olga
  const plan = planSchema.parse({ ...planJson, deployer: address, suite: 'by-remote-signer' })
  const signer = createRemoteSigner(rpcUrl, address, base.id)
  const context = { plan, client: provider, signer, state: createState(plan), save: async () => {}, pollMs: 5 }
  const deployments = await deploySuite(context)
  expect(await checkDeployment(plan, deployments, connectAll([rpcUrl], base.id))).toEqual([])
})

test('a deployer that cannot pay for everything sends nothing', async () => {
  const { client, provider, plan, signer } = rehearsal
  const snapshot = await client.snapshot()
  await client.setBalance({ address: deployerKey.address, value: 10n ** 12n })
  const nonce = await client.getTransactionCount({ address: deployerKey.address })
  const context = { plan, client: provider, signer, state: createState(plan), save: async () => {} }
  await expect(deploySuite(context)).rejects.toThrow(/has 0\.000001 ether, but [\d.]+ may be needed/)
  expect(await client.getTransactionCount({ address: deployerKey.address })).toBe(nonce)
  await client.revert({ id: snapshot })
})
