// An agent that earns TOK in the micro market: it finds, evaluates, claims and delivers tasks with the MCP tools, and is paid when
// the poster accepts or the review window ends. `--tasks 2` takes up to two. `--hurry` moves the clock of a local chain forward.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { advanceTimeTo, createDevnetClient } from '@svc/devnet'
import { receiptAnswerJson, requestJson } from '@svc/operations'
import { formatAmount, formatTime, marketParams, recommendedDeposit } from '@svc/protocol'
import { buildCalls, type Call, findAction, parseActionInput } from '@svc/protocol/actions'
import { erc20Abi, isAddressEqual, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { computeHourlyPay, doWork, findObjection, nameFile, type Offer } from './agent/brain.ts'
import { openTools } from './agent/tools.ts'
import { openStack } from './stack.ts'

const { values: options } = parseArgs({
  options: { tasks: { type: 'string', default: '1' }, hurry: { type: 'boolean', default: false } },
})
const market = 'micro'
/** What the worker does when it is their turn. */
const turns: readonly string[] = ['start-work', 'submit-proof', 'release-lapsed']
/** When to stop waiting: after more than the longest review window of the market. */
const giveUpAt = Date.now() + 2 * marketParams[market].maxReviewWindow * 1000

const stack = await openStack()
const me = privateKeyToAccount(stack.key('newcomer'))
const contracts = stack.places.markets[market]
// An agent that runs for longer keeps this folder: it has the keys that open what others send.
const folder = await mkdtemp(join(tmpdir(), 'agent-'))
await mkdir(join(folder, 'work'))
const tools = await openTools(stack, folder)
try {
  await getReady()
  const before = await balance()
  const taken: Offer[] = []
  for (const offer of await findOffers()) {
    if (taken.length < Number(options.tasks) && (await claim(offer))) taken.push(offer)
  }
  await workUntilPaid(taken)
  console.log(`Earned ${formatAmount((await balance()) - before, 'tok')} after fees.`)
} finally {
  await tools.close()
  await rm(folder, { recursive: true, force: true })
}

/** Tops up the deposit if the checklist asks for it. */
async function getReady(): Promise<void> {
  const { items } = await tools.call('svc_onboarding_checklist', { address: me.address, market })
  for (const { item, ok, required, nextStep } of items) {
    if (ok || !required) continue
    if (item !== 'deposit') throw new Error(`The wallet is not ready: ${nextStep}`)
    const { depositUsdcUnits } = await tools.call('svc_get_agent_reputation', { address: me.address, market })
    await act('top-up', { market, amountUsdc: String(recommendedDeposit - depositUsdcUnits) })
  }
}

/** Lists the offers worth taking, best first. */
async function findOffers(): Promise<Offer[]> {
  const { tasks, meta } = await tools.call('svc_list_open_tasks', { market, limit: 50 })
  const good: Offer[] = []
  for (const { id } of tasks) {
    const { task } = await tools.call('svc_get_task', { id })
    const poster = await tools.call('svc_get_agent_reputation', { address: task.poster, market })
    const offer = { ...task, poster, claimUntil: task.deadlines.claim?.at ?? 0 }
    const why = findObjection(offer, meta.block.timestamp)
    console.log(`${id} "${task.untrustedTitle}": ${why ?? `good for ${computeHourlyPay(offer)} TOK an hour`}`)
    if (!why) good.push(offer)
  }
  return good.sort((a, b) => Number(computeHourlyPay(b) - computeHourlyPay(a)))
}

/** Claims a task through the gateway's x402 route, which requires a readiness receipt. Returns false if the task is no longer available. */
async function claim({ id }: Offer): Promise<boolean> {
  const { matches } = await tools.call('svc_verify_settlement_digest', { id })
  const { claimDigest } = (await tools.call('svc_get_task', { id, address: me.address })).task
  if (!matches || !claimDigest) return false
  const { header } = receiptAnswerJson.parse(await ask('/v1/payment-receipt', { taskId: id, address: me.address }))
  const prepared = await ask(`/v1/tasks/${id}/claim`, {}, { [header.name]: header.value })
  await act('claim-task', { taskId: id, settlementDigest: claimDigest }, prepared)
  return true
}

/** Acts in each task whenever it is the worker's turn, until all are settled. */
async function workUntilPaid(taken: readonly Offer[]): Promise<void> {
  let told = 0
  for (const open = new Set(taken); open.size > 0 && Date.now() < giveUpAt; ) {
    const othersUntil: number[] = []
    for (const offer of open) {
      const { task } = await tools.call('svc_get_task', { id: offer.id })
      const { steps } = await tools.call('svc_task_next_steps', { id: offer.id, address: me.address })
      const step = steps.find(({ action }) => turns.includes(action))
      if (task.phase === 'SETTLED') {
        console.log(`${offer.id} is ${task.state}: ${formatAmount(task.releasedTokWei, 'tok')} paid`)
        open.delete(offer)
      } else if (step?.action === 'submit-proof') {
        const proof = doWork(offer)
        console.log(`${offer.id} my work: ${proof.split('\n')[0]}`)
        const delivered = task.store ? await deliverFile(offer, proof) : { proofHash: keccak256(stringToHex(proof)) }
        await act(step.action, { taskId: offer.id, milestone: task.currentMilestone, ...delivered })
      } else if (step) {
        await act(step.action, step.call.arguments.input ?? { taskId: offer.id })
      } else {
        const theirs = task.deadlines.review ?? task.deadlines.vet
        if (theirs) othersUntil.push(theirs.at)
      }
    }
    if (open.size === 0 || othersUntil.length < open.size) continue
    const until = Math.min(...othersUntil)
    if (until !== told) console.log(`It is the poster's turn until ${formatTime(until)}.`)
    told = until
    if (options.hurry && stack.isLocal) await advanceTimeTo(createDevnetClient(stack.rpcUrl), until + 1)
    else await wait(1_000)
  }
}

/** Encrypts the work for the poster and sends it to the store, which signs a receipt. Returns what `submit-proof` takes. */
async function deliverFile(offer: Offer, proof: string) {
  await signIn()
  const file = nameFile(offer)
  const outbox = join(folder, 'work', offer.id.replaceAll(':', '-'), 'outbox')
  await mkdir(outbox, { recursive: true })
  await writeFile(join(outbox, file), proof)
  const sending = { id: offer.id, address: me.address, kind: 'delivery', text: `See ${file}.`, files: [file] }
  const { hash, receipt } = await tools.call('svc_send_work', sending)
  console.log(`${offer.id} delivered ${file} through the store: ${hash}`)
  return { proofHash: hash, ...(receipt && { receipt }) }
}

/** Signs in at the store, if necessary. The wallet signs here: the tools never see its key. */
async function signIn(): Promise<void> {
  const { message } = await tools.call('svc_work_sign_in', { address: me.address })
  if (!message) return
  const signature = await me.signMessage({ message })
  await tools.call('svc_work_sign_in', { address: me.address, message, signature })
}

/** Lets the gateway prepare an action, verifies and signs the calls, and waits until they are confirmed. */
async function act(name: string, input: Record<string, unknown>, given?: unknown): Promise<void> {
  const prepared = given ?? (await ask('/v1/requests', { action: name, input, from: me.address }))
  const { requestId, calls, approvalUrl } = requestJson.parse(prepared)
  const receipts = await stack.send(me, onlyWhatIsMeant(calls as Call[], name, input))
  const transactionHashes = receipts.map(({ transactionHash }) => transactionHash)
  await ask(`/v1/requests/${requestId}/submitted`, { account: me.address, transactionHashes })
  const { status } = await tools.call('svc_request_status', { requestId, waitSeconds: 25 })
  if (status !== 'confirmed') throw new Error(`${name} is ${status}: see ${approvalUrl}`)
  console.log(`${input.taskId ?? market} ${name}: confirmed`)
}

/** Returns the calls if they are exactly what the protocol requires for this action. */
function onlyWhatIsMeant(calls: readonly Call[], name: string, input: Record<string, unknown>): readonly Call[] {
  const action = findAction(name)
  if (!action) throw new Error(`Action ${name} does not exist.`)
  // Approvals of exactly the cost, then the action itself: to our own contracts, with our own values.
  const meant = buildCalls(action, parseActionInput(action, input), { from: me.address, contracts })
  const isSame = (one: Call | undefined, other: Call | undefined) =>
    one && other && isAddressEqual(one.to, other.to) && one.data === other.data && one.value === other.value
  if (isSame(calls.at(-1), meant.at(-1)) && calls.every((call) => meant.some((each) => isSame(call, each))))
    return calls
  throw new Error(
    `The gateway prepared something other than ${name} with ${JSON.stringify(input)}. Nothing was signed.`,
  )
}

/** Sends a POST request to the gateway. Throws its error message. */
async function ask(path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(new URL(path, stack.gatewayUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const answer = (await response.json()) as { error?: string; hint?: string }
  if (!response.ok) throw new Error([answer.error, answer.hint].filter(Boolean).join(' '))
  return answer
}

function balance(): Promise<bigint> {
  const token = { address: contracts.tokToken, abi: erc20Abi } as const
  return stack.chain.readContract({ ...token, functionName: 'balanceOf', args: [me.address] })
}
