import { setTimeout } from 'node:timers/promises'
import type { ChainClient, Deployments } from '@svc/chain'
import { suiteFactoryAbi } from '@svc/protocol/abis'
import {
  type Address,
  formatEther,
  type Hex,
  keccak256,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { AdminError } from '../adminError.ts'
import { findChainFaults } from '../plan/chainFaults.ts'
import type { Plan } from '../plan/planFile.ts'
import { computeSuite, listSuiteContracts, type PlannedStep, type PlannedSuite } from '../plan/plannedSuite.ts'
import { findRuleFaults, formatPlanFaults } from '../plan/planRules.ts'
import type { DeployState } from './deployState.ts'
import { assertSigner, type Signer } from './signer.ts'

export interface DeployContext {
  plan: Plan
  client: ChainClient
  signer: Signer
  state: DeployState
  save: (state: DeployState) => Promise<void>
  onStep?: (done: number, total: number, step: PlannedStep) => void
  /** Milliseconds between looks for a receipt. */
  pollMs?: number
  /** How long a transaction may take. */
  receiptMs?: number
}

/** Throws with everything that is wrong with a plan, before anything is sent. */
export async function assertPlan(plan: Plan, client: ChainClient): Promise<void> {
  const faults = [...findRuleFaults(plan), ...(await findChainFaults(plan, client))]
  if (faults.length > 0) throw new AdminError(formatPlanFaults(faults))
}

/**
 * Creates what does not exist yet of a plan, one transaction after another, and returns the deployment. It can be interrupted at
 * any time: the chain says what exists, a transaction on its way is waited for, and one that is sent twice fails the second time.
 */
export async function deploySuite(context: DeployContext): Promise<Deployments> {
  const { plan, client, signer } = context
  assertSigner(signer, plan.deployer, 'deployer')
  await assertPlan(plan, client)
  const suite = computeSuite(plan)
  await settlePending(context)
  await assertFunds(context, suite)
  for (const [index, step] of suite.steps.entries()) {
    if ((await countCreated(client, suite)) <= index) await sendStep(context, step)
    if (index === 0) await rememberStart(context, suite)
    context.onStep?.(index + 1, suite.steps.length, step)
  }
  return describeDeployment(client, suite, context.state.startBlock ?? 0)
}

/** Counts the steps whose contract exists: none without the factory, otherwise one more than it has created. */
export async function countCreated(client: ChainClient, { factory }: PlannedSuite): Promise<number> {
  if (!(await client.getCode({ address: factory }))) return 0
  return 1 + Number(await client.readContract({ address: factory, abi: suiteFactoryAbi, functionName: 'created' }))
}

/** Returns the deployments file of a suite that exists, with the hashes of its code. */
async function describeDeployment(
  client: ChainClient,
  { chainId, shared, markets, ...suite }: PlannedSuite,
  startBlock: number,
): Promise<Deployments> {
  const deployments = { chainId, startBlock, shared, markets }
  const hashes: [Address, Hex][] = []
  for (const { address, path } of listSuiteContracts({ ...suite, ...deployments })) {
    const code = await client.getCode({ address })
    if (!code)
      throw new AdminError(`There is no code of ${path} at ${address} yet. Run it again. Factory: ${suite.factory}`)
    hashes.push([address, keccak256(code)])
  }
  return { ...deployments, codeHashes: Object.fromEntries(hashes) }
}

/** Throws unless the deployer can pay for what is left. The estimate is high, so a deployment does not stop halfway. */
async function assertFunds({ client, signer: { address } }: DeployContext, suite: PlannedSuite): Promise<void> {
  const steps = suite.steps.slice(await countCreated(client, suite))
  const gas = steps.reduce((sum, step) => sum + step.gas, 0n)
  const [balance, gasPrice] = [await client.getBalance({ address }), await client.getGasPrice()]
  // A Safe pays nothing itself, and then nothing is left to send.
  if (balance >= gas * gasPrice) return
  const [has, needs] = [formatEther(balance), formatEther(gas * gasPrice)]
  throw new AdminError(
    `The deployer ${address} has ${has} ether, but ${needs} may be needed. Send it more, then run it again.`,
  )
}

async function sendStep(context: DeployContext, step: PlannedStep): Promise<void> {
  const { client, signer, state, save } = context
  const nonce = await client.getTransactionCount({ address: signer.address })
  const hash = await signer.send(step, nonce)
  state.transactions.push({ name: step.name, hash })
  await save(state)
  const { status } = await waitForReceipt(context, hash)
  if (status !== 'success') throw new AdminError(`The creation of ${step.name} in ${hash} failed.`)
}

/** Waits for what an interrupted run has sent. Otherwise the same nonce would be used twice. */
async function settlePending({ client, signer, pollMs = 1_000, receiptMs = 300_000 }: DeployContext): Promise<void> {
  const { address } = signer
  for (let waited = 0; ; waited += pollMs) {
    const [mined, pending] = await Promise.all([
      client.getTransactionCount({ address, blockTag: 'latest' }),
      client.getTransactionCount({ address, blockTag: 'pending' }),
    ])
    if (pending <= mined) return
    if (waited >= receiptMs)
      throw new AdminError(`${address} has transactions that are not mined. Wait, or replace them.`)
    await setTimeout(pollMs)
  }
}

/** Records the block that created the factory. Without the transaction's hash, it is searched for in the past states of the chain. */
async function rememberStart({ client, state, save }: DeployContext, { factory }: PlannedSuite): Promise<void> {
  if (state.startBlock !== null) return
  const [first] = state.transactions
  const receipt =
    first?.name === 'SuiteFactory'
      ? await client.getTransactionReceipt({ hash: first.hash as Hex }).catch(() => null)
      : null
  state.startBlock = Number(
    receipt?.status === 'success' ? receipt.blockNumber : await findCreationBlock(client, factory),
  )
  await save(state)
}

/** Finds the first block that has code at an address, by halving. Needs a provider with past states. */
async function findCreationBlock(client: ChainClient, address: Address): Promise<bigint> {
  let [low, high] = [0n, await client.getBlockNumber()]
  while (low < high) {
    const middle = (low + high) / 2n
    const code = await client.getCode({ address, blockNumber: middle }).catch(() => {
      throw new AdminError(
        `The provider has no state at block ${middle}, so the first block of the deployment is not known. Use a provider with past states.`,
      )
    })
    if (code) high = middle
    else low = middle + 1n
  }
  return low
}

async function waitForReceipt(
  { client, pollMs = 1_000, receiptMs = 300_000 }: DeployContext,
  hash: Hex,
): Promise<TransactionReceipt> {
  for (let waited = 0; ; waited += pollMs) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || waited >= receiptMs) throw error
    }
    await setTimeout(pollMs)
  }
}
