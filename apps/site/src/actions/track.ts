import { type Hex, numberToHex } from 'viem'
import { recordOwnBlock } from '../lastOwnBlock.ts'
import { actionText } from '../text/signing.ts'
import type { WalletProvider } from '../wallet/provider.ts'
import { parseWalletAnswer, WalletAnswerError, type WalletMethod, type WalletReceipt } from '../wallet/walletAnswers.ts'
import { describePartial } from './partial.ts'
import { recordOwnPosts } from './recordOwnPosts.ts'
import { afterSigning } from './signingLock.ts'
import { changeTransaction, findTransaction, openTransactions, type Transaction } from './transactions.ts'

const messages = actionText.problems

const pollIntervalMs = 1_000
/** How many polls without finding a transaction until it counts as dropped. */
const maxUnseenPolls = 60

/** How many invalid answers of a wallet until tracking ends. A single one may be a hiccup of its provider. */
const maxInvalidAnswers = 5

/** Resumes tracking all transactions that were pending when a page was last open. Another tab may still be at some of them. */
export function resumeTransactions(provider: WalletProvider): void {
  for (const { id, key } of openTransactions()) {
    if (resumed.has(id)) continue
    resumed.add(id)
    void afterSigning(key ?? id, async () => {
      const open = openTransactions().find((each) => each.id === id)
      if (open) await resume(provider, open)
    })
  }
}

/** The transactions that this tab tracks already. */
const resumed = new Set<string>()

async function resume(provider: WalletProvider, transaction: Transaction): Promise<void> {
  const { id, callsId, hashes, stage, calls, stands = 0, parts = [] } = transaction
  if (callsId) return trackCalls(provider, id, callsId)
  const last = hashes.at(-1)
  if (last && hashes.length === calls) return void (await awaitReceipt(provider, id, last, true))
  if (last && stage === 'sent' && !(await awaitReceipt(provider, id, last, false))) return
  if (!last) return changeTransaction(id, { stage: 'dropped', problem: messages.closed })
  // Nobody is left to ask for the other signatures.
  const standing = stage === 'sent' ? stands + 1 : stands
  const problem = describePartial(parts, standing, actionText.partial.closed)
  changeTransaction(id, { stage: 'partial', stands: standing, problem })
}

/** Waits until a transaction is mined, replaced or dropped. The last one of an action is tracked until its block is safe. */
export async function awaitReceipt(provider: WalletProvider, id: string, hash: Hex, isLast: boolean): Promise<boolean> {
  try {
    return await pollReceipt(provider, id, hash, isLast)
  } catch (error) {
    failInvalid(id, error)
    return false
  }
}

async function pollReceipt(provider: WalletProvider, id: string, hash: Hex, isLast: boolean): Promise<boolean> {
  const ask = createAsk(provider)
  let nonce: Hex | null = null
  for (let unseen = 0; unseen < maxUnseenPolls; ) {
    const receipt = await ask('eth_getTransactionReceipt', [hash])
    if (receipt) return settle(provider, id, hash, receipt, isLast)
    const known = await ask('eth_getTransactionByHash', [hash])
    if (known) nonce = known.nonce
    // A provider that does not respond does not count as not finding it.
    else if (receipt === null) unseen++
    const from = findTransaction(id)?.from
    if (!known && nonce !== null && from) {
      const count = await ask('eth_getTransactionCount', [from, 'latest'])
      if (count && BigInt(count) > BigInt(nonce)) {
        changeTransaction(id, {
          stage: 'replaced',
          problem: messages.replaced,
        })
        return false
      }
    }
    await wait()
  }
  changeTransaction(id, {
    stage: 'dropped',
    problem: messages.dropped,
  })
  return false
}

async function settle(
  provider: WalletProvider,
  id: string,
  hash: Hex,
  { status, blockNumber, logs }: WalletReceipt,
  isLast: boolean,
): Promise<boolean> {
  if (status !== '0x1') {
    changeTransaction(id, {
      stage: 'failed',
      problem: messages.reverted,
    })
    return false
  }
  if (isLast) {
    const block = Number(blockNumber)
    changeTransaction(id, { stage: 'in block', block })
    recordOwnBlock(block)
    const transaction = findTransaction(id)
    if (transaction) void recordOwnPosts(transaction, logs, hash)
    // Without a valid answer, it stays in its block.
    void awaitSafe(provider, id, hash, block).catch(() => {})
  }
  return true
}

/** Waits until a block is safe. After a reorg, the transaction is pending again. */
async function awaitSafe(provider: WalletProvider, id: string, hash: Hex, block: number): Promise<void> {
  const ask = createAsk(provider)
  for (let looks = 0; looks < 600; looks++) {
    const safe = await ask('eth_getBlockByNumber', ['safe', false])
    if (safe && Number(safe.number) >= block) {
      const receipt = await ask('eth_getTransactionReceipt', [hash])
      if (receipt?.blockNumber === numberToHex(block)) return changeTransaction(id, { stage: 'safe' })
      changeTransaction(id, { stage: 'sent', block: undefined })
      await awaitReceipt(provider, id, hash, true)
      return
    }
    await wait()
  }
}

/** Tracks a batch of calls. */
export async function trackCalls(provider: WalletProvider, id: string, callsId: string): Promise<void> {
  try {
    await pollCalls(provider, id, callsId)
  } catch (error) {
    failInvalid(id, error)
  }
}

async function pollCalls(provider: WalletProvider, id: string, callsId: string): Promise<void> {
  const ask = createAsk(provider)
  for (let looks = 0; looks < 1_800; looks++) {
    const found = await ask('wallet_getCallsStatus', [callsId])
    const receipts = found?.receipts ?? []
    const hashes = receipts.map(({ transactionHash }) => transactionHash)
    if (found && found.status >= 200) {
      const last = receipts.at(-1)
      changeTransaction(id, { hashes })
      if (found.status === 200 && last) {
        await settle(provider, id, last.transactionHash, last, true)
        return
      }
      const problem = found.status < 500 ? messages.notSent : messages.reverted
      return changeTransaction(id, { stage: 'failed', problem })
    }
    await wait()
  }
  changeTransaction(id, {
    stage: 'dropped',
    problem: messages.noReport,
  })
}

/**
 * Creates a function that sends requests to the wallet and returns undefined if it does not respond. Throws `WalletAnswerError`
 * after several invalid answers.
 */
function createAsk(provider: WalletProvider) {
  let invalid = 0
  return async <Method extends WalletMethod>(method: Method, params: readonly unknown[]) => {
    const answer = await provider.request({ method, params }).catch(() => undefined)
    if (answer === undefined) return undefined
    try {
      return parseWalletAnswer(method, answer)
    } catch (error) {
      if (++invalid >= maxInvalidAnswers) throw error
      return undefined
    }
  }
}

/** Ends a transaction whose wallet gives invalid answers. What became of it is not known. */
function failInvalid(id: string, error: unknown): void {
  if (!(error instanceof WalletAnswerError)) throw error
  changeTransaction(id, { stage: 'dropped', problem: error.message })
}

const wait = () => new Promise((done) => setTimeout(done, pollIntervalMs))
