import type { PreparedJson } from '@svc/operations'
import { canonicalizeJson, formatAmount } from '@svc/protocol'
import { findAction } from '@svc/protocol/actions'
import { getAddress, keccak256, stringToHex } from 'viem'
import { chainId } from '../deployments.ts'
import { actionText } from '../text/signing.ts'
import { readCapabilities } from '../wallet/capabilities.ts'
import { listPaymasterCalls, paymasterService } from '../wallet/paymaster.ts'
import { readWalletError, type WalletProvider } from '../wallet/provider.ts'
import { parseWalletAnswer, readChainId, WalletAnswerError } from '../wallet/walletAnswers.ts'
import { describePartial } from './partial.ts'
import { signPermit } from './permit.ts'
import type { ReadBack, RequestedAction } from './readBack.ts'
import { withSigningLock } from './signingLock.ts'
import { awaitReceipt, trackCalls } from './track.ts'
import {
  type After,
  addTransaction,
  changeTransaction,
  findPending,
  findTransaction,
  forgetTransaction,
  type Part,
  type Transaction,
} from './transactions.ts'

const messages = actionText.problems

/** What is sent: one or more prepared actions in their order, each with what was read back from its bytes. */
export interface SendRequest {
  /** What the user asked for: the last of the actions. */
  asked: RequestedAction
  actions: readonly { prepared: PreparedJson; read: ReadBack }[]
  /** What is shown once it is done. */
  after?: After | null
  /** The transaction that this completes, of which some calls were sent before. */
  continues?: Transaction | undefined
}

/** Identifies a request. */
export const computeRequestKey = (asked: RequestedAction): string =>
  keccak256(stringToHex(canonicalizeJson({ ...asked, from: asked.from.toLowerCase() }))).slice(2, 34)

/**
 * Asks the wallet to sign prepared calls: as one batch if it supports EIP-5792, otherwise one transaction after another, with
 * approvals as signatures where the contract takes them. The progress is stored under the id that `onStart` gets, and survives a
 * reload. Returns false if another tab is already signing the request.
 */
export async function sendPrepared(
  provider: WalletProvider,
  request: SendRequest,
  onStart: (id: string) => void,
): Promise<boolean> {
  const key = computeRequestKey(request.asked)
  if (findPending(key)) return false
  return withSigningLock(key, async () => {
    const id = crypto.randomUUID()
    const { asked, actions, after, continues } = request
    const last = actions.at(-1)?.prepared
    if (!last) return
    const sent = continues ? (continues.stands ?? 0) : 0
    const earlier = (continues?.parts ?? []).slice(0, sent)
    let parts = [...earlier, ...actions.flatMap(listParts)]
    addTransaction({
      id,
      action: last.action,
      title: last.title,
      market: last.market,
      taskId: last.taskId,
      from: getAddress(last.from),
      input: plainInput(last),
      stage: 'signing',
      hashes: (continues?.hashes ?? []).slice(0, sent),
      stands: sent,
      calls: parts.length,
      parts,
      asked,
      key,
      after: after ?? undefined,
      began: Date.now(),
    })
    if (continues) forgetTransaction(continues.id)
    onStart(id)
    const calls = actions.flatMap(({ prepared }) => prepared.calls)
    try {
      const { canBatch, canSponsor, canPermit } = await readCapabilities(provider, last.from)
      if (canSponsor || (canBatch && calls.length > 1)) await sendAsOne(provider, last, calls, id, canSponsor)
      else {
        const steps = canPermit ? await replaceApprovals(provider, actions) : actions.map(toSteps)
        parts = [...earlier, ...steps.flatMap((step) => step.parts)]
        changeTransaction(id, { parts, calls: parts.length })
        await sendOneByOne(
          provider,
          last,
          steps.flatMap((step) => step.calls),
          id,
        )
      }
    } catch (error) {
      const { stage, problem } = describeWalletError(error)
      const stands = findTransaction(id)?.stands ?? 0
      if (stands === 0) changeTransaction(id, { stage, problem })
      else
        changeTransaction(id, {
          stage: 'partial',
          problem: describePartial(parts, stands, stage === 'rejected' ? actionText.partial.declined : problem),
        })
    }
  })
}

/** The calls of one action, and what each does. */
interface Steps {
  calls: Calls
  parts: readonly Part[]
}

const toSteps = (action: SendRequest['actions'][number]): Steps => ({
  calls: action.prepared.calls,
  parts: listParts(action),
})

/** Has approvals signed instead of sent, where the contract takes a permit and the wallet can sign one. */
async function replaceApprovals(provider: WalletProvider, actions: SendRequest['actions']): Promise<Steps[]> {
  const all: Steps[] = []
  for (const action of actions) {
    const { read, prepared } = action
    const steps = toSteps(action)
    if (read.permit) await assertSameWallet(provider, prepared.from)
    const call = read.permit && (await signPermit(provider, getAddress(prepared.from), read.permit))
    all.push(call ? { calls: [call], parts: steps.parts.slice(-1) } : steps)
  }
  return all
}

/** What each call does, as a part of a sentence. */
function listParts({ prepared: { action }, read }: SendRequest['actions'][number]): Part[] {
  const nouns: Readonly<Record<string, string>> = actionText.nouns
  return [
    ...read.approvals.map(({ amount, ...approval }) => ({
      name: actionText.partial.approval(formatAmount(amount, approval.token)),
      approval: { ...approval, amount: String(amount) },
    })),
    {
      name: nouns[action] ?? actionText.partial.action(findAction(action)?.verb ?? action),
      holds: findHolding(read),
    },
    ...(action === 'buy-tok' ? [{ name: actionText.swap.takeBack }] : []),
  ]
}

/** What a purchase or a top-up leaves the wallet with. */
function findHolding({ calls }: ReadBack): string | undefined {
  const read = (name: string) => calls.flatMap(({ args }) => args).find((each) => each.name === name)?.words
  const call = calls.find((each) => each.function === 'multicall' || each.function === 'topUp')
  if (call?.function === 'topUp') return actionText.partial.deposit(read('amountUsdc') ?? '')
  return call && read('maxUsdc') ? read('amountTokWei') : undefined
}

/** The short arguments of the last call. */
function plainInput({ decoded }: PreparedJson): Record<string, string> {
  const short = (decoded.at(-1)?.args ?? []).filter(({ value }) => /^"[^"]{0,80}"$/.test(value))
  return Object.fromEntries(short.map(({ name, value }) => [name, String(JSON.parse(value))]))
}

type Calls = PreparedJson['calls']

async function sendAsOne(
  provider: WalletProvider,
  { version, from, chainId: chain, atomicRequired }: PreparedJson,
  calls: Calls,
  id: string,
  isSponsored: boolean,
): Promise<void> {
  await assertSameWallet(provider, from)
  const sponsored = isSponsored && {
    calls: [...listPaymasterCalls(), ...calls],
    capabilities: { paymasterService },
  }
  const params = [{ version, from, chainId: chain, atomicRequired, calls, ...sponsored }]
  const sent = parseWalletAnswer('wallet_sendCalls', await provider.request({ method: 'wallet_sendCalls', params }))
  changeTransaction(id, { stage: 'sent', callsId: sent.id })
  await trackCalls(provider, id, sent.id)
}

async function sendOneByOne(provider: WalletProvider, { from }: PreparedJson, calls: Calls, id: string): Promise<void> {
  for (const [index, { to, data, value }] of calls.entries()) {
    await assertSameWallet(provider, from)
    const params = [{ from, to, data, value }]
    const answer = await provider.request({ method: 'eth_sendTransaction', params })
    const hash = parseWalletAnswer('eth_sendTransaction', answer)
    const { hashes = [], stands = 0, parts = [] } = findTransaction(id) ?? {}
    changeTransaction(id, { stage: 'sent', hashes: [...hashes, hash] })
    const isLast = index === calls.length - 1
    // The next call needs the approval of this one.
    const isGood = await awaitReceipt(provider, id, hash, isLast)
    if (!isGood) {
      const problem = findTransaction(id)?.problem ?? ''
      if (stands > 0) changeTransaction(id, { stage: 'partial', problem: describePartial(parts, stands, problem) })
      return
    }
    if (!isLast) changeTransaction(id, { stage: 'signing', stands: stands + 1 })
  }
}

/** The wallet is not the one that the calls were prepared for any more. */
class SwitchedError extends Error {}

/** Asks the wallet whether it is still on the account and the chain of the calls. */
async function assertSameWallet(provider: WalletProvider, from: string): Promise<void> {
  const [accounts, chainAnswer] = await Promise.all(
    ['eth_accounts', 'eth_chainId'].map((method) => provider.request({ method }).catch(() => undefined)),
  )
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account === 'string' && account.toLowerCase() !== from.toLowerCase()) {
    throw new SwitchedError(messages.switchedAccount)
  }
  const chain = readChainId(chainAnswer)
  if (chain !== null && chain !== chainId) throw new SwitchedError(messages.switchedChain)
}

/** Describes an error of the wallet. */
function describeWalletError(error: unknown): { stage: 'rejected' | 'failed'; problem: string } {
  if (error instanceof SwitchedError || error instanceof WalletAnswerError) {
    return { stage: 'failed', problem: error.message }
  }
  const { code, message } = readWalletError(error)
  if (code === 4001) return { stage: 'rejected', problem: messages.declined }
  if (/insufficient funds/i.test(message)) return { stage: 'failed', problem: messages.noEth }
  if (code === 4100 || code === 4900 || code === 4901) return { stage: 'failed', problem: messages.notConnected }
  return { stage: 'failed', problem: messages.rejected(message.split('\n')[0]?.slice(0, 200) ?? '') }
}
