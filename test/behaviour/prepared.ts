// Prepared actions, as the services must show them. Their gas and block are checked where they are read.
import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { computeSettlementDigest, type Market } from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi, tokTokenAbi } from '@svc/protocol/abis'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { assertEqual } from './assertEqual.ts'
import { type Call, isObject, type Json } from './call.ts'
import { findTask, formatMoney } from './expected.ts'
import { findAgent, type TaskFact } from './facts.ts'
import { readTaskTerms } from './taskDetail.ts'
import { describeToolMeta } from './toolFields.ts'
import type { BehaviourWorld } from './world.ts'

interface Change {
  who?: string
  address?: Address
  what: string
  before: bigint
  after: bigint
  change: bigint
  words: string
}

interface PreparedCall {
  action: string
  title: string
  explain: string
  market: Market
  from: Address
  to: Address
  data: Hex
  costs?: readonly object[]
  deadline?: string | null
  changes?: readonly Change[]
  others?: readonly Change[]
}

type Prepared = ReturnType<typeof describePrepared> & { taskId?: string }

/** An action of one call. */
const describePrepared = ({
  to,
  data,
  changes = [],
  others = [],
  costs = [],
  deadline = null,
  ...rest
}: PreparedCall) => ({
  ...rest,
  version: '2.0.0',
  chainId: '0x2105',
  atomicRequired: false,
  calls: [{ to, value: '0x0', data }],
  costs,
  deadline,
  simulation: { status: 'succeeds', changes, others },
})

const describeChange = (what: string, before: bigint, change: bigint, token: 'TOK' | 'USDC'): Change => ({
  what,
  before,
  after: before + change,
  change,
  words: `${change < 0n ? '-' : '+'}${formatMoney(change < 0n ? -change : change, token)}`,
})

const topUps = { standard: '5000000', micro: '7250000' } as const
const { ivo } = accounts

/** The input of a top-up, of another amount in each market. */
export const topUpInput = (market: Market) => ({ market, amountUsdc: topUps[market] })

export const createTopUp = (call: Call, market: Market) =>
  call({ to: 'POST /v1/requests', input: { action: 'top-up', input: topUpInput(market), from: ivo.address } })

/** A top-up. */
export function describeTopUp({ facts, usdcOfIvo }: BehaviourWorld, market: Market) {
  const amount = BigInt(topUps[market])
  const { depositVault: to } = facts[market].contracts
  const { deposit, free } = findAgent(facts[market], ivo.address)
  const words = formatMoney(amount, 'USDC')
  const explain = 'Adds USDC to your deposit in a market.'
  const prepared = describePrepared({
    action: 'top-up',
    title: 'Add to your deposit',
    explain,
    market,
    from: ivo.address,
    to,
    data: encodeFunctionData({ abi: depositVaultAbi, functionName: 'topUp', args: [amount] }),
    costs: [{ what: 'From your wallet', amount: words }],
    changes: [
      describeChange('USDC in the wallet', usdcOfIvo, -amount, 'USDC'),
      describeChange('deposit', deposit, amount, 'USDC'),
      describeChange('deposit not reserved', free, amount, 'USDC'),
    ],
  })
  const args = [
    { name: 'market', value: `"${market}"` },
    { name: 'amountUsdc', value: `"${amount}"`, words },
  ]
  return { ...prepared, decoded: [{ label: explain, to, contract: 'depositVault', function: 'topUp', args }] }
}

export function readWorker({ id, worker }: TaskFact): Address {
  if (!worker) throw new Error(`Nobody works on ${id}.`)
  return worker
}

const readTok = ({ devnet: { client, deployments } }: BehaviourWorld, wallet: Address) =>
  client.readContract({
    address: deployments.shared.tokToken,
    abi: tokTokenAbi,
    functionName: 'balanceOf',
    args: [wallet],
  })

/** The payment of the current milestone of a task in work. */
export async function describePayment(world: BehaviourWorld, market: Market) {
  const { taskRegistry: to, escrowVault } = world.facts[market].contracts
  const task = findTask(world, market, 'working')
  const { number, current, id, funded, released, refunded } = task
  const worker = readWorker(task)
  const amount = task.milestones[current]?.amount ?? 0n
  const explain =
    'Accepts the current milestone and pays the worker for it; in a dispute nobody has ruled on, this concedes.'
  const held = describeChange('TOK', funded - released - refunded, -amount, 'TOK')
  const prepared = describePrepared({
    action: 'accept-milestone',
    title: `Approve the milestone and pay: ${id}`,
    explain,
    market,
    from: task.poster,
    to,
    data: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'release', args: [number, BigInt(current)] }),
    deadline: 'The worker must deliver the milestone by its deadline.',
    others: [
      { who: 'escrow of the task', address: escrowVault, ...held },
      { who: 'worker', address: worker, ...describeChange('TOK', await readTok(world, worker), amount, 'TOK') },
    ],
  })
  const args = [
    { name: 'taskId', value: `"${id}"` },
    { name: 'milestone', value: String(current), words: `milestone ${current + 1}` },
  ]
  const decoded = [{ label: explain, to, contract: 'taskRegistry', function: 'release', args }]
  return { ...prepared, taskId: id, decoded }
}

/** The delivery of a task in work. */
export function describeDelivery(world: BehaviourWorld, market: Market, proofHash: Hex) {
  const task = findTask(world, market, 'working')
  const noReceipt = { size: 0n, until: 0n, signature: '0x' } as const
  const args = [task.number, BigInt(task.current), proofHash, noReceipt] as const
  const prepared = describePrepared({
    action: 'submit-proof',
    title: `Submit your work: ${task.id}`,
    explain:
      "Delivers the current milestone by the hash of its proof; the poster's review begins. If the terms name a store, only a delivery with its receipt is paid without an answer.",
    market,
    from: readWorker(task),
    to: world.facts[market].contracts.taskRegistry,
    data: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'markDelivered', args }),
    deadline:
      'The poster must respond within the review window; otherwise the worker is paid, unless the store of the terms gave no receipt.',
  })
  return { ...prepared, taskId: task.id }
}

/** A request for changes of a task in review. */
export function describeRevision(world: BehaviourWorld, market: Market, reasonHash: Hex) {
  const { number, current, id, poster } = findTask(world, market, 'inReview')
  const args = [number, BigInt(current), reasonHash] as const
  const prepared = describePrepared({
    action: 'request-revision',
    title: `Request changes: ${id}`,
    explain:
      'Sends the delivery back to the worker with the hash of your reasons; the worker gets more time if little is left.',
    market,
    from: poster,
    to: world.facts[market].contracts.taskRegistry,
    data: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'requestRevision', args }),
    deadline: 'The worker must deliver the milestone by its deadline.',
  })
  return { ...prepared, taskId: id }
}

/** The claim of an open task by a wallet with a deposit. */
export function describeClaim(world: BehaviourWorld, market: Market, worker: Address) {
  const task = findTask(world, market, 'open')
  const context = createSigningContext(world.devnet.deployments, market)
  const claimDigest = computeSettlementDigest(context, readTaskTerms(task), worker)
  const { taskRegistry: to } = world.facts[market].contracts
  const change = (what: string, words: string): Change => ({ what, before: 0n, after: 0n, change: 0n, words })
  const prepared = describePrepared({
    action: 'claim-task',
    title: `Claim the task: ${task.id}`,
    explain: 'Claims an open task and makes you its worker; locks an exit deposit until the task ends.',
    market,
    from: worker,
    to,
    data: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'claim', args: [task.number, claimDigest] }),
    costs: [
      { what: 'Access fee', amount: '1,000 TOK' },
      { what: 'Exit deposit from your wallet, returned when the task ends well', amount: '1,000 TOK' },
      { what: 'Reserved from your deposit during the task, at most', amount: '13.00 USDC' },
    ],
    deadline: 'The task must be fully funded and started within the funding window.',
    changes: [change('TOK in the wallet', '-2,000 TOK'), change('deposit not reserved', '-13.00 USDC')],
    others: [
      { who: 'exit deposits of the task', ...change('TOK', '+1,000 TOK') },
      { who: 'treasury', address: accounts.treasury.address, ...change('TOK', '+600 TOK') },
      { who: 'Union', ...change('TOK', '+400 TOK') },
    ],
  })
  return { ...prepared, taskId: task.id, claimDigest }
}

/** What tools show of a prepared action. Its request at the gateway must have the same calls, gas and end. */
export async function describeToolPrepared(
  world: BehaviourWorld,
  call: Call,
  body: Json,
  prepared: Prepared,
  hasCalls = true,
) {
  const { action, title, explain, market, taskId, costs, deadline, calls, simulation } = prepared
  const requestId = isObject(body) ? String(body.requestId) : ''
  const { body: request } = await call({ to: 'GET /v1/requests/:id', input: { id: requestId } })
  if (!isObject(request) || !isObject(request.simulation)) throw new Error(`The gateway has no request ${requestId}.`)
  assertEqual({ calls: request.calls, from: request.from }, { calls, from: prepared.from }, `the calls of ${requestId}`)
  const others = simulation.others.map((each) => ({ who: formatHolder(each), change: each.words }))
  const { version, chainId, from, atomicRequired } = prepared
  return {
    action,
    summary: `${title}. ${explain}`,
    market,
    ...(taskId && { taskId }),
    costs,
    deadline,
    meta: describeToolMeta(world),
    ready: true,
    simulation: {
      status: 'succeeds',
      gas: request.simulation.gas,
      changes: simulation.changes.map(({ what, words }) => ({ what, change: words })),
      ...(others.length > 0 && { others }),
    },
    ...(hasCalls && { sendCalls: { version, chainId, from, calls, atomicRequired } }),
    approvalUrl: `${world.gatewayUrl}/approve/${requestId}`,
    requestId,
    expiresAt: request.expiresAt,
    nextStep: hasCalls
      ? 'Give the person approvalUrl and poll svc_request_status, or pass sendCalls to your wallet tool. Never both: it would happen twice.'
      : 'Give the person approvalUrl and poll svc_request_status.',
  }
}

/** A wallet is named with its address, a contract is not. */
function formatHolder({ who = '', address }: Change): string {
  const name = `${who.slice(0, 1).toUpperCase()}${who.slice(1)}`
  return address && ['worker', 'treasury'].includes(who) ? `${name} ${address.slice(0, 6)}…${address.slice(-4)}` : name
}
