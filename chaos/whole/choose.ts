import { getStanding, marketPlaces, type Provider, signingContext } from '@svc/chain'
import {
  accessFee,
  claimPermitTypedData,
  type Market,
  marketParams,
  mutualCancelTypedData,
  settlementDigest,
  type TaskTerms,
  terminalStates,
  termsOf,
  textOf,
} from '@svc/protocol'
import { arbitrationAbi } from '@svc/protocol/abis'
import { type AnyAction, actions, type NextStep, nextSteps, type Standing, writeInput } from '@svc/protocol/actions'
import { type Address, erc20Abi, type Hex, isAddressEqual, type LocalAccount } from 'viem'
import type { Agreements } from './agree.ts'
import { type Life, nonceOf } from './life.ts'
import type { PlannedChain } from './plannedChain.ts'

/** An action that a life takes next: who does what, with which input as JSON. */
export interface Deed {
  life: Life | null
  action: AnyAction
  by: LocalAccount
  input: Record<string, unknown>
  /** Whose money it may move: nobody else's deed in the same block may. */
  touches: readonly Address[]
}

/** What a look at a life came to: a deed, or when to look again. */
export type Choice = { deed: Deed; standing: Standing | null } | { wakeAt: number }

export interface Chooser {
  chain: PlannedChain
  provider: Provider
  wallets: readonly LocalAccount[]
  agreements: Agreements
}

/** How likely an action is among those that the tables allow; those that are not here never happen in a life. */
const weights: Readonly<Record<string, number>> = {
  'claim-task': 30,
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
  'seat-panel': 20,
  'submit-evidence': 10,
  'resolve-dispute': 20,
  escalate: 5,
  'finalize-dispute': 30,
  'resolve-timed-out': 30,
}

/** A life that was looked at so often is not begun again. */
const maxLooks = 25

/** Looks at a life on the chain and lets its seed choose among what the tables allow at the next block. */
export async function choose(life: Life, chooser: Chooser, isLate: boolean): Promise<Choice> {
  const { chain, provider, wallets, agreements } = chooser
  const head = chain.head()
  if (life.number === null) return { deed: await begin(life, chain, agreements), standing: null }
  const looks = ++life.looks
  const stranger = life.random.pick(wallets)
  const candidates = [life.poster, ...life.workers, stranger]
  const places = marketPlaces(chain.deployments).markets[life.market]
  const taskId = { market: life.market, number: life.number }
  const look = async (who: readonly LocalAccount[]) => {
    const addresses = who.map(({ address }) => address)
    const found = await getStanding(provider, places, taskId, addresses, head)
    if (!found) throw new Error(`Task ${life.number} of life ${life.index} is not on the chain.`)
    return found
  }
  let standing = await look(candidates)
  if (terminalStates.includes(standing.task.state as never)) {
    life.isOver = true
    return { wakeAt: Number.POSITIVE_INFINITY }
  }
  const panel = standing.dispute?.panel.map(({ arbitrator }) => arbitrator as Address) ?? []
  const seated = wallets.filter(({ address }) => panel.includes(address))
  // Who sits is known only now.
  if (seated.length > 0) standing = await look([...candidates, ...seated])
  const steps = [...new Set([...candidates, ...seated])]
    .filter((wallet) => !(isLate || looks > life.patience) || !isSilent(life, standing, wallet, seated))
    .flatMap((wallet) => stepsOf(standing, wallet, head.timestamp).map((step) => ({ step, wallet })))
    .filter(({ step, wallet }) => isPlausible(life, standing, step, wallet))
  if (steps.length === 0) return { wakeAt: wakeOf(standing, head.timestamp) }
  const { step, wallet } = pickWeighted(life, steps)
  const input = { ...step.known, ...(await bring(life, standing, step, wallet, chain)) }
  const bench = standing.dispute ? await benchOf(chain, life.market, life.number) : []
  const touches = [life.poster.address, ...life.workers.map(({ address }) => address), ...bench, wallet.address]
  return { deed: { life, action: step.action, by: wallet, input: writeInput(step.action, input), touches }, standing }
}

/** Whoever sat in a dispute, in any round: the fees are shared among them all. */
async function benchOf({ client, deployments }: PlannedChain, market: Market, number: bigint): Promise<Address[]> {
  const address = deployments.markets[market].arbitration
  const seats = await client.readContract({ address, abi: arbitrationAbi, functionName: 'benchOf', args: [number] })
  return seats.map(({ arbitrator }) => arbitrator)
}

/** What may be done now and, at the same cost, in the next second too: a deed is judged at this block and carried out in the next. */
function stepsOf(standing: Standing, wallet: LocalAccount, now: number): NextStep[] {
  const later = nextSteps(standing, wallet.address, now + 1)
  return nextSteps(standing, wallet.address, now).filter(({ action, row }) =>
    later.some((step) => step.action === action && step.row === row),
  )
}

function isSilent(
  { silent }: Life,
  { task }: Standing,
  wallet: LocalAccount,
  seated: readonly LocalAccount[],
): boolean {
  if (seated.includes(wallet)) return silent.arbitrators
  if (wallet.address === task.poster) return silent.poster
  return wallet.address === task.worker && silent.worker
}

function isPlausible(
  life: Life,
  { task, dispute }: Standing,
  { action, known }: NextStep,
  wallet: LocalAccount,
): boolean {
  if (!(action.name in weights)) return false
  // Where one side is silent the other would claim and leave for ever.
  if (action.name === 'claim-task') return life.workers.includes(wallet) && life.looks <= maxLooks
  if (action.name === 'leave-task' || action.name === 'dismiss-worker') return life.random.chance(0.2)
  // Anyone may send what both signed; were it everyone, most tasks would end so.
  if (action.name === 'mutual-cancel') return wallet === life.poster && life.random.chance(0.2)
  if (action.name === 'fund-task') return (known.amountTokWei as bigint) > 0n
  if (action.name === 'submit-evidence' && dispute) {
    return !(wallet.address === task.poster ? dispute.posterSpoke : dispute.workerSpoke)
  }
  if (action.name === 'propose-arbitrator' && dispute) {
    return !(wallet.address === task.poster ? dispute.posterProposal : dispute.workerProposal)
  }
  return true
}

function pickWeighted<T extends { step: NextStep }>({ random }: Life, steps: readonly T[]): T {
  const weightOf = ({ step }: T) => weights[step.action.name] ?? 0
  let at = random.below(steps.reduce((sum, each) => sum + weightOf(each), 0))
  for (const each of steps) {
    at -= weightOf(each)
    if (at < 0) return each
  }
  throw new RangeError('Nothing can be picked.')
}

/** The first moment at which something else may be possible. */
function wakeOf({ task, dispute, draw, taskId }: Standing, now: number): number {
  const params = marketParams[taskId.market]
  const moments = [
    draw === 'pending' ? now + 1 : 0,
    task.claimDeadline - params.claimCutoff,
    task.claimedAt + params.fundingWindow,
    task.claimedAt + params.fundingWindow + params.vetWindow,
    task.deadline,
    task.reviewEnd,
    ...(dispute
      ? [dispute.consentEnd, dispute.seatEnd, dispute.evidenceEnd, dispute.rulingEnd, dispute.appealEnd]
      : []),
  ]
  return Math.min(...moments.map((moment) => moment + 1).filter((moment) => moment > now), now + 86_400)
}

async function begin(life: Life, chain: PlannedChain, agreements: Agreements): Promise<Deed> {
  const { market, poster, workers, terms, isPrivate, fundAmount } = life
  const deed = (name: string, by: LocalAccount, input: Record<string, unknown>): Deed => {
    const action = actionNamed(name)
    return { life, action, by, input: writeInput(action, input), touches: [poster.address, workers[0].address] }
  }
  if (!isPrivate) {
    return deed('post-task', poster, {
      market,
      terms: termsOf(terms),
      text: textOf(terms),
      fundAmountTokWei: fundAmount,
    })
  }
  const [by, other] = life.random.chance(0.5) ? [workers[0], poster] : [poster, workers[0]]
  // Whoever sends the acceptances in approves its own fee with them; the other must have done so.
  const { shared, markets } = chain.deployments
  const allowed = await chain.client.readContract({
    address: shared.tokToken,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [other.address, markets[market].paymentGateway],
  })
  if (allowed < accessFee) return deed('approve-tok-router', other, { market, amountTokWei: accessFee })
  return deed('create-task', by, await agreements.agreed(life))
}

/** The action of this name. */
export function actionNamed(name: string): AnyAction {
  const action = actions.find((each) => each.name === name)
  if (!action) throw new Error(`There is no action ${name}.`)
  return action
}

/** What the wallet brings to a step: hashes, digests, shares and signatures of this life's own chance. */
async function bring(
  life: Life,
  standing: Standing,
  { action, needs, known }: NextStep,
  wallet: LocalAccount,
  chain: PlannedChain,
) {
  const { random, market } = life
  const context = signingContext(chain.deployments, market)
  const terms: TaskTerms = termsOf(life.terms)
  const brought: Record<string, unknown> = {}
  const number = standing.taskId.number
  const fresh = () => ({ nonce: nonceOf(random), expiry: BigInt(chain.head().timestamp + 3 * 86_400) })
  for (const need of needs) {
    if (/Hash$/.test(need)) brought[need] = `0x${random.word()}`
    else if (need === 'settlementDigest') brought[need] = settlementDigest(context, terms, wallet.address)
    else if (need === 'workerBps') brought[need] = BigInt(random.pick([0, 2_500, 5_000, 6_667, 10_000]))
    else if (need === 'arbitrator')
      brought[need] = standing.dispute?.posterProposal ?? standing.dispute?.workerProposal ?? standing.candidate
    else if (need === 'permit') {
      const message = { taskId: number, worker: wallet.address, ...fresh() }
      const data = await life.poster.signTypedData(claimPermitTypedData(context, message))
      brought[need] = { nonce: message.nonce, expiry: message.expiry, data }
    }
  }
  if (action.name === 'mutual-cancel') {
    const worker = life.workers.find(({ address }) => isAddressEqual(address, standing.task.worker as Address))
    if (!worker) throw new Error(`Life ${life.index} is worked on by a stranger.`)
    const shared = {
      taskId: number,
      settlementDigest: settlementDigest(context, terms, worker.address),
      milestone: BigInt(standing.task.current),
      workerBps: brought.workerBps as bigint,
    }
    for (const [name, party] of [
      ['posterSignature', life.poster],
      ['workerSignature', worker],
    ] as const) {
      const message = { ...shared, party: party.address, ...fresh() }
      const data: Hex = await party.signTypedData(mutualCancelTypedData(context, message))
      brought[name] = { nonce: message.nonce, expiry: message.expiry, data }
    }
  }
  // Half of what is missing, now and then.
  if (action.name === 'fund-task' && random.chance(0.2))
    brought.amountTokWei = ((known.amountTokWei as bigint) + 1n) / 2n
  return brought
}
