import { contracts, createExecution, ExecutionMode } from '@metamask/smart-accounts-kit'
import { decodeRevertReason } from '@metamask/smart-accounts-kit/utils'
import { createClient } from '@svc/client'
import { gatewayEndpoints } from '@svc/operations/endpoints'
import { type AnyAction, buildCalls, type Call, computeCost, findAction, parseActionInput } from '@svc/protocol/actions'
import { computeWalletTok } from '@svc/protocol/internal/actions'
import { type Grant, listGrantedActions } from '@svc/protocol/internal/grants'
import { erc20Abi, type Hex, isAddressEqual, keccak256, type LocalAccount } from 'viem'
import * as z from 'zod'
import type { Journal, JournalEntry } from './journal.ts'
import type { ChainAccess } from './owner.ts'

/** What a program asks the signer for. With `calls`, they must be what the action is made of. */
export interface ActRequest {
  action: string
  input: Record<string, unknown>
  calls?: readonly { to: string; data: string; value?: string | undefined }[] | undefined
}

/** What can stop the signer. */
const grantLimits = ['action', 'market', 'time', 'allowance', 'escrow', 'calls differ', 'chain'] as const

/** What became of a request. Over a limit a person can approve the same call, if a gateway runs. */
export const actResult = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('confirmed'),
    transactionHash: z.custom<Hex>(),
    blockNumber: z.int(),
    gasUsed: z.string(),
  }),
  z.object({
    status: z.literal('needsApproval'),
    approvalUrl: z.string(),
    limit: z.enum(grantLimits),
    left: z.string(),
  }),
  z.object({ status: z.literal('refused'), limit: z.enum(grantLimits), left: z.string() }),
])
export type ActResult = z.output<typeof actResult>

/** Acts for an agent within its grant. The key is on the other side. */
export interface Signer {
  act: (request: ActRequest) => Promise<ActResult>
}

export interface SignerOptions {
  grant: Grant
  /** The session key. */
  session: LocalAccount
  chain: ChainAccess
  /** Written before anything is sent. */
  journal: Journal
  /** Where a person approves what is over a limit. */
  gatewayUrl?: string | undefined
}

/**
 * Creates the signer of a grant. It builds every call itself from the action and its input, and sends nothing else. What was sent before a
 * restart is brought to its end first, so nothing is sent twice.
 *
 * @example
 * ```ts
 * const signer = createSigner({ grant, session, chain, journal })
 * ```
 */
export function createSigner({ grant, session, chain, journal, gatewayUrl }: SignerOptions): Signer {
  const { account, limits, market, delegationManager, delegation } = grant
  if (!isAddressEqual(session.address, grant.session)) throw new TypeError('The key is not that of the grant.')
  const granted = listGrantedActions(grant.uses)
  const gateway = gatewayUrl ? createClient(gatewayEndpoints, { baseUrl: gatewayUrl, timeoutMs: 30_000 }) : null

  const act = async (request: ActRequest): Promise<ActResult> => {
    const { action: name } = request
    const action = findAction(name)
    if (!action) return refuse('action', `${name.slice(0, 40)} does not exist`)
    const meant = buildMeant(action, request.input)
    if (!isSame(request.calls, meant.all)) return refuse('calls differ', 'nothing was signed')
    if (meant.market !== market) return refuse('market', `the grant is for ${market}`)
    await settle()
    const over = await findLimit(name, meant)
    if (over) return askPerson(request, over)
    return redeem(request, meant.call)
  }

  /** Builds the calls of an action: with every allowance that it could need, and the call of the action itself. */
  function buildMeant(action: AnyAction, json: unknown) {
    const input = parseActionInput(action, json)
    const all = buildCalls(action, input, { from: account, contracts: grant.contracts })
    const call = all.findLast(({ to }) => isAddressEqual(to, grant.contracts.taskRegistry))
    const cost = computeCost(action, input, { from: account })
    const { taskId, market = taskId?.market, fundAmountTokWei, amountTokWei } = facts.parse(input)
    const escrow = fundAmountTokWei ?? amountTokWei ?? 0n
    return { all, call, market, tokWei: computeWalletTok(cost, { credits: 0n }), escrow }
  }

  async function findLimit(name: string, { tokWei, escrow }: ReturnType<typeof buildMeant>): Promise<Limit | null> {
    if (!granted.some((each) => each === name))
      return { limit: 'action', left: `the grant allows ${granted.join(', ')}` }
    const { timestamp } = await chain.getBlock()
    if (timestamp >= BigInt(limits.until)) return { limit: 'time', left: '0 s' }
    if (escrow > limits.hireTokWei) return { limit: 'escrow', left: String(limits.hireTokWei) }
    const { tokToken, paymentGateway } = grant.contracts
    const left = await chain.readContract({
      address: tokToken,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [account, paymentGateway],
    })
    return tokWei > left ? { limit: 'allowance', left: String(left) } : null
  }

  /**
   * Makes a link where the owner reviews and signs the same call. Only for a step of the grant that the chain fixes: a stranger's text may
   * have led the program, so nothing that it could have worded or addressed is ever put in front of the owner.
   */
  async function askPerson({ action, input }: ActRequest, over: Limit): Promise<ActResult> {
    if (!gateway || over.limit === 'action' || isFree(action)) return refuse(over.limit, over.left)
    const asker = `an agent over its ${over.limit} limit, maybe misled by a text`
    const { body } = await gateway.createRequest({ action, input, from: account, asker })
    return { status: 'needsApproval', approvalUrl: body.approvalUrl, ...over }
  }

  async function redeem({ action, input }: ActRequest, call: Call | undefined): Promise<ActResult> {
    if (!call) return refuse('action', 'it does not concern a task')
    const data = contracts.DelegationManager.encode.redeemDelegations({
      delegations: [[delegation]],
      modes: [ExecutionMode.SingleDefault],
      executions: [[createExecution({ target: call.to, callData: call.data })]],
    })
    const from = session.address
    const gas = await chain.estimateGas({ account: from, to: delegationManager, data }).catch((error: unknown) => {
      return decodeRevertReason(error)?.errorName ?? readReason(error)
    })
    if (typeof gas === 'string') return refuse('chain', gas)
    const [nonce, fees] = await Promise.all([chain.getTransactionCount({ address: from }), chain.estimateFeesPerGas()])
    const raw = await session.signTransaction({
      type: 'eip1559',
      chainId: grant.chainId,
      to: delegationManager,
      data,
      nonce,
      gas: gas + gas / 4n,
      ...fees,
    })
    const entry = { hash: keccak256(raw), nonce, raw, action, input }
    await journal.append(entry)
    return finish(entry)
  }

  /** Waits until nothing of this key is under way: neither what the journal knows, nor what a lost journal had sent. */
  async function settle(): Promise<void> {
    for (const entry of await journal.listOpen()) await finish(entry)
    for (let tries = 0; tries < maxPolls; tries++) {
      const [mined, sent] = await Promise.all(
        (['latest', 'pending'] as const).map((blockTag) =>
          chain.getTransactionCount({ address: session.address, blockTag }),
        ),
      )
      if (mined === sent) return
      await wait(chain.pollingInterval)
    }
    throw new Error(stillPending)
  }

  /** Sends what the journal holds until the chain has it, or another transaction has its nonce. */
  async function finish(entry: JournalEntry): Promise<ActResult> {
    for (let tries = 0, passed = 0; tries < maxPolls; tries++) {
      const receipt = await chain.getTransactionReceipt({ hash: entry.hash }).catch(() => null)
      if (receipt) {
        await journal.close(entry.hash)
        const { transactionHash, gasUsed, blockNumber } = receipt
        return receipt.status === 'success'
          ? { status: 'confirmed', transactionHash, blockNumber: Number(blockNumber), gasUsed: String(gasUsed) }
          : refuse('chain', 'it reverted')
      }
      const mined = await chain.getTransactionCount({ address: session.address })
      if (mined > entry.nonce && ++passed > receiptPolls) {
        await journal.close(entry.hash)
        return refuse('chain', 'another transaction took its place')
      }
      // A node that has it already says so by an error.
      if (mined <= entry.nonce && tries % rebroadcastEvery === 0)
        await chain.sendRawTransaction({ serializedTransaction: entry.raw }).catch(() => null)
      else await wait(chain.pollingInterval)
    }
    throw new Error(stillPending)
  }

  let last: Promise<unknown> = Promise.resolve()
  return {
    /** One at a time: the next one sees what the last one left. */
    act(request) {
      const next = last.then(() => act(request))
      last = next.catch(() => {})
      return next
    },
  }
}

/** What limits are about, of the input of any action. */
const facts = z.object({
  taskId: z.object({ market: z.string() }).optional(),
  market: z.string().optional(),
  fundAmountTokWei: z.bigint().optional(),
  amountTokWei: z.bigint().optional(),
})

interface Limit {
  limit: (typeof grantLimits)[number]
  left: string
}

/** Actions with words or a wallet of free choice. */
const isFree = (action: string) => action === 'post-task' || action === 'allow-worker'

const refuse = (limit: Limit['limit'], left: string): ActResult => ({ status: 'refused', limit, left })

const maxPolls = 600
const rebroadcastEvery = 50
/** A node can count a transaction before it has the receipt, and the next request can go to a node that is a block behind. */
const receiptPolls = 60
const stillPending = 'A transaction of the session key is still pending.'
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Whether given calls are the meant action, perhaps after allowances that it could need. */
function isSame(given: ActRequest['calls'], meant: readonly Call[]): boolean {
  if (!given) return true
  const text = ({ to, data }: { to: string; data: string }) => `${to}${data}`.toLowerCase()
  const known = new Set(meant.map(text))
  const [end, goal] = [given.at(-1), meant.at(-1)]
  if (!end || !goal || text(end) !== text(goal)) return false
  return given.every((call) => known.has(text(call)) && BigInt(call.value ?? 0) === 0n)
}

/** The error of a contract of the market, as its name or selector. */
function readReason(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  return /0x[0-9a-f]{8,}/.exec(/revert[^\n]*/.exec(text)?.[0] ?? '')?.[0]?.slice(0, 10) ?? 'the chain would refuse it'
}
