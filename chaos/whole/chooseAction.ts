import { createSigningContext, getMarketDeployment, getTaskContext, type Provider } from '@svc/chain'
import { accounts } from '@svc/devnet'
import {
  accessFee,
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  computeSettlementDigest,
  disputePhases,
  exitDeposit,
  formatTermsText,
  type Market,
  marketParams,
  type TaskTerms,
  taskStates,
  terminalStates,
  toTaskTerms,
} from '@svc/protocol'
import {
  type AnyAction,
  encodeActionInput,
  findAction,
  listNextSteps,
  type NextStep,
  type TaskContext,
} from '@svc/protocol/actions'
import { listDueSteps } from '@svc/protocol/internal/steps'
import { type Address, erc20Abi, type Hex, isAddressEqual, type LocalAccount } from 'viem'
import type { Agreements } from './agreements.ts'
import type { Deliveries } from './deliveries.ts'
import type { PlannedChain } from './plannedChain.ts'
import { drawNonce, type TaskRun } from './taskRun.ts'
import { listJudgeWallets } from './wallets.ts'

/** The next action of a run: the wallet, the action and its input as JSON. */
export interface PlannedAction {
  run: TaskRun | null
  action: AnyAction
  by: LocalAccount
  input: Record<string, unknown>
  /** Wallets whose balances it may change. No other action in the same block may touch them. */
  touches: readonly Address[]
}

/** Plans an action that belongs to no run. */
export function planWalletAction(
  name: string,
  by: LocalAccount,
  input: { market: Market } & Record<string, unknown>,
  touches: readonly Address[],
): PlannedAction {
  const action = findActionByName(name)
  return { run: null, action, by, input: encodeActionInput(action, input), touches }
}

/** The chosen action, or the time to try again. `isKeepersTurn`: a keeper must act before that. */
export type ActionChoice =
  | { planned: PlannedAction; context: TaskContext | null }
  | { wakeAt: number; isKeepersTurn?: boolean }

export interface ChooseContext {
  chain: PlannedChain
  provider: Provider
  wallets: readonly LocalAccount[]
  agreements: Agreements
  /** Null if no terms name a store. */
  deliveries: Deliveries | null
}

/** How often each action is picked among those the lifecycle tables allow. Actions that are missing here are never picked. */
const weights: Readonly<Record<string, number>> = {
  'claim-task': 30,
  'allow-worker': 5,
  'cancel-task': 1,
  'fund-task': 20,
  'start-work': 20,
  'dismiss-worker': 1,
  'leave-task': 1,
  'mutual-cancel': 1,
  'submit-proof': 20,
  'accept-milestone': 8,
  'request-revision': 4,
  'complete-task': 3,
  'open-dispute': 4,
  'release-lapsed': 30,
  'expire-task': 30,
  'propose-arbitrator': 10,
  'step-down': 1,
  'submit-evidence': 10,
  'resolve-dispute': 20,
  escalate: 15,
  'decide-dispute': 20,
  'finalize-dispute': 30,
  'resolve-timed-out': 30,
}

/** A task is not claimed again after this many looks. */
const maxLooks = 25

/** Reads a run's task from the chain and picks, by the run's seed, an action that is allowed in the next block. */
export async function chooseAction(run: TaskRun, world: ChooseContext, isLate: boolean): Promise<ActionChoice> {
  const { chain, provider, wallets, agreements } = world
  const head = chain.head()
  if (run.number === null) return { planned: await planFirstAction(run, chain, agreements), context: null }
  const looks = ++run.looks
  const bystander = run.random.pick(wallets)
  const candidates = [run.poster, ...run.workers, bystander]
  const places = getMarketDeployment(chain.deployments).markets[run.market]
  const taskId = { market: run.market, number: run.number }
  const look = async (who: readonly LocalAccount[]) => {
    const addresses = who.map(({ address }) => address)
    const found = await getTaskContext(provider, places, taskId, addresses, head)
    if (!found) throw new Error(`Task ${run.number} of run ${run.index} is not on the chain.`)
    return found
  }
  let context = await look(candidates)
  if (terminalStates.some((state) => state === context.task.state)) {
    run.isOver = true
    return { wakeAt: Number.POSITIVE_INFINITY }
  }
  if (run.isKept && listDueSteps(context, head.timestamp).length > 0)
    return { wakeAt: head.timestamp + 1, isKeepersTurn: true }
  const judges = listJudges(context, wallets)
  // Who may judge is known only now.
  if (judges.length > 0) context = await look([...candidates, ...judges])
  const steps = [...new Set([...candidates, ...judges])]
    .filter((wallet) => !(isLate || looks > run.patience) || !isSilent(run, context, wallet, judges))
    .flatMap((wallet) => listSteps(context, wallet, head.timestamp).map((step) => ({ step, wallet })))
    .filter(({ step, wallet }) => isPlausible(run, context, step, wallet))
  if (steps.length === 0) return { wakeAt: nextWakeTime(context, head.timestamp) }
  const { step, wallet } = pickWeighted(run, steps)
  const input = { ...step.derived, ...(await buildInput(run, context, step, wallet, world)) }
  const paid = wallets.filter(({ address }) => address === context.dispute?.judge)
  if (context.dispute?.phase === 'COURT') paid.push(accounts.court)
  const touches = [run.poster, ...run.workers, ...paid, wallet].map(({ address }) => address)
  return {
    planned: { run, action: step.action, by: wallet, input: encodeActionInput(step.action, input), touches },
    context,
  }
}

/** Whoever may judge the dispute: its judge, those who are named for it, and the final court when it is called. */
function listJudges({ dispute }: TaskContext, wallets: readonly LocalAccount[]): LocalAccount[] {
  if (!dispute) return []
  if (dispute.phase === 'COURT') return [accounts.court]
  const { judge, named, posterProposal, workerProposal } = dispute
  return wallets.filter(({ address }) => [judge, named, posterProposal, workerProposal].includes(address))
}

/** Steps that are allowed now and, at the same cost, one second later: an action is prepared at this block and mined in the next. */
function listSteps(context: TaskContext, wallet: LocalAccount, now: number): NextStep[] {
  const later = listNextSteps(context, wallet.address, now + 1)
  return listNextSteps(context, wallet.address, now).filter(({ action, row }) =>
    later.some((step) => step.action === action && step.row === row),
  )
}

function isSilent(
  { silent }: TaskRun,
  { task }: TaskContext,
  wallet: LocalAccount,
  judges: readonly LocalAccount[],
): boolean {
  if (wallet.address === task.poster) return silent.poster
  if (wallet.address === task.worker) return silent.worker
  if (wallet === accounts.court) return silent.court
  return judges.includes(wallet) && silent.arbitrators
}

function isPlausible(
  run: TaskRun,
  { task, dispute }: TaskContext,
  { action, derived, required, row }: NextStep,
  wallet: LocalAccount,
): boolean {
  if (!(action.name in weights)) return false
  // Disputes would pay arbitrators, who act in other runs in the same block.
  if (run.isKept && (row.by === 'anyone' || action.name === 'open-dispute')) return false
  // A hash of nothing gets no receipt, and a poster who cannot open a delivery does not accept it.
  const isBlind = required.includes('receipt') || action.name === 'accept-milestone' || action.name === 'complete-task'
  if (run.deliversNothing && isBlind) return false
  if (action.name === 'allow-worker') return task.allowedWorker === null
  // Where one side is silent, the other could claim and leave forever.
  if (action.name === 'claim-task') return run.workers.includes(wallet) && run.looks <= maxLooks
  if (action.name === 'leave-task' || action.name === 'dismiss-worker') return run.random.chance(0.2)
  // Anyone may send what both parties signed. If every wallet did, most tasks would end this way.
  if (action.name === 'mutual-cancel') return wallet === run.poster && run.random.chance(0.2)
  if (action.name === 'fund-task') return (derived.amountTokWei as bigint) > 0n
  if (action.name === 'submit-evidence' && dispute) {
    return !(wallet.address === task.poster ? dispute.posterSpoke : dispute.workerSpoke)
  }
  if (action.name === 'propose-arbitrator' && dispute) {
    if (wallet.address !== task.poster && wallet.address !== task.worker) return true
    return !(wallet.address === task.poster ? dispute.posterProposal : dispute.workerProposal)
  }
  return true
}

function pickWeighted<T extends { step: NextStep }>({ random }: TaskRun, steps: readonly T[]): T {
  const weigh = ({ step }: T) => weights[step.action.name] ?? 0
  let at = random.below(steps.reduce((sum, each) => sum + weigh(each), 0))
  for (const each of steps) {
    at -= weigh(each)
    if (at < 0) return each
  }
  throw new RangeError('No step has a weight.')
}

/** The earliest time at which another action may become possible. */
function nextWakeTime({ task, dispute, taskId }: TaskContext, now: number): number {
  const params = marketParams[taskId.market]
  const moments = [
    task.claimDeadline - params.claimCutoff,
    task.claimedAt + params.vetWindow,
    task.claimedAt + params.fundingWindow,
    task.deadline,
    task.reviewEnd,
    task.reviewEnd + Math.max(task.reviewWindow, params.minRevisionTime),
    ...(dispute
      ? [dispute.consentEnd, dispute.evidenceEnd, dispute.rulingEnd, dispute.appealEnd, dispute.courtEnd]
      : []),
  ]
  return Math.min(...moments.map((moment) => moment + 1).filter((moment) => moment > now), now + 86_400)
}

async function planFirstAction(run: TaskRun, chain: PlannedChain, agreements: Agreements): Promise<PlannedAction> {
  const { market, poster, workers, terms, isPrivate, fundAmount } = run
  const plan = (name: string, by: LocalAccount, input: Record<string, unknown>): PlannedAction => {
    const action = findActionByName(name)
    return { run, action, by, input: encodeActionInput(action, input), touches: [poster.address, workers[0].address] }
  }
  if (!isPrivate) {
    return plan('post-task', poster, {
      market,
      terms: toTaskTerms(terms),
      text: formatTermsText(terms),
      fundAmountTokWei: fundAmount,
    })
  }
  const [by, other] = run.random.chance(0.5) ? [workers[0], poster] : [poster, workers[0]]
  // The sender of the acceptances approves its own part in the same batch. The other party must approve beforehand.
  const { shared, markets } = chain.deployments
  const allowed = await chain.client.readContract({
    address: shared.tokToken,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [other.address, markets[market].paymentGateway],
  })
  const entry = accessFee + exitDeposit
  if (allowed < entry) return plan('approve-tok-router', other, { market, amountTokWei: entry })
  return plan('create-task', by, await agreements.agree(run))
}

function findActionByName(name: string): AnyAction {
  const action = findAction(name)
  if (!action) throw new Error(`Unknown action: ${name}.`)
  return action
}

/** Creates the inputs that the wallet must provide: hashes, digests, shares and signatures, from the run's own seed. */
async function buildInput(
  run: TaskRun,
  context: TaskContext,
  { action, required, derived }: NextStep,
  wallet: LocalAccount,
  { chain, wallets, deliveries }: ChooseContext,
) {
  const { random, market } = run
  const { task, dispute } = context
  const signing = createSigningContext(chain.deployments, market)
  const terms: TaskTerms = toTaskTerms(run.terms)
  const provided: Record<string, unknown> = {}
  const number = context.taskId.number
  const fresh = () => ({ nonce: drawNonce(random), expiry: BigInt(chain.head().timestamp + 3 * 86_400) })
  for (const need of required) {
    if (/Hash$/.test(need)) provided[need] = `0x${random.word()}`
    else if (need === 'settlementDigest') provided[need] = computeSettlementDigest(signing, terms, wallet.address)
    else if (need === 'workerBps') provided[need] = BigInt(random.pick([0, 2_500, 5_000, 6_667, 10_000]))
    else if (need === 'forWorker') provided[need] = random.chance(0.5)
    else if (need === 'worker') provided[need] = random.pick(run.workers).address
    else if (need === 'arbitrator') {
      const others = listJudgeWallets(wallets).filter(
        ({ address }) => address !== task.poster && address !== task.worker,
      )
      provided[need] = dispute?.posterProposal ?? dispute?.workerProposal ?? random.pick(others).address
    } else if (need === 'permit') {
      const settlementDigest = computeSettlementDigest(signing, terms, wallet.address)
      const message = { taskId: number, settlementDigest, worker: wallet.address, ...fresh() }
      const data = await run.poster.signTypedData(buildClaimPermitTypedData(signing, message))
      provided[need] = { nonce: message.nonce, expiry: message.expiry, data }
    }
  }
  const isDelivery = action.name === 'submit-proof' && task.store !== null
  const isReceipted = isDelivery && random.chance(0.5) && !run.deliversNothing
  if (deliveries && isDelivery) {
    const place = { taskId: context.taskId, milestone: task.current, revision: task.revisions }
    if (!run.deliversNothing) {
      provided.proofHash = await deliveries.deliver({ ...place, worker: wallet, poster: run.poster }, random)
    } else await deliveries.expectNoReceipt(provided.proofHash as Hex, wallet)
  }
  if (deliveries && (required.includes('receipt') || isReceipted)) {
    provided.receipt = await deliveries.getReceipt(provided.proofHash as Hex)
  }
  if (action.name === 'open-dispute' && random.chance(0.5)) {
    provided.shareBps = BigInt(wallet.address === task.poster ? random.below(10_000) : 1 + random.below(10_000))
  }
  if (action.name === 'submit-evidence' && dispute && random.chance(0.5)) {
    provided.shareBps = dispute.offerBps + BigInt(random.below(Number(dispute.askBps - dispute.offerBps) + 1))
  }
  if (action.name === 'mutual-cancel') {
    const worker = run.workers.find(({ address }) => isAddressEqual(address, task.worker as Address))
    if (!worker) throw new Error(`Run ${run.index} is worked on by a bystander.`)
    const shared = {
      taskId: number,
      settlementDigest: computeSettlementDigest(signing, terms, worker.address),
      milestone: BigInt(task.current),
      state: taskStates.indexOf(task.state),
      reviewEnd: BigInt(task.reviewEnd),
      disputePhase: disputePhases.indexOf(dispute?.phase ?? 'NONE'),
      workerBps: provided.workerBps as bigint,
    }
    for (const [name, party] of [
      ['posterSignature', run.poster],
      ['workerSignature', worker],
    ] as const) {
      const message = { ...shared, party: party.address, ...fresh() }
      const data: Hex = await party.signTypedData(buildMutualCancelTypedData(signing, message))
      provided[name] = { nonce: message.nonce, expiry: message.expiry, data }
    }
  }
  // Now and then, funds only half of what is missing.
  if (action.name === 'fund-task' && random.chance(0.2))
    provided.amountTokWei = ((derived.amountTokWei as bigint) + 1n) / 2n
  return provided
}
