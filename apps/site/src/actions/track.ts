import { type Hex, numberToHex } from 'viem'
import { recordOwnBlock } from '../lastOwnBlock.ts'
import { actionText } from '../text/signing.ts'
import type { WalletProvider } from '../wallet/provider.ts'
import { describePartial } from './partial.ts'
import { recordOwnPosts, type WalletLog } from './recordOwnPosts.ts'
import { afterSigning } from './signingLock.ts'
import { changeTransaction, findTransaction, openTransactions, type Transaction } from './transactions.ts'

const words = actionText.problems

const pollIntervalMs = 1_000
/** How many polls without finding a transaction until it counts as dropped. */
const maxUnseenPolls = 60

interface Receipt {
  status: Hex
  blockNumber: Hex
  logs?: readonly WalletLog[]
}

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
  if (!last) return changeTransaction(id, { stage: 'dropped', problem: words.closed })
  // Nobody is left to ask for the other signatures.
  const standing = stage === 'sent' ? stands + 1 : stands
  const problem = describePartial(parts, standing, actionText.partial.closed)
  changeTransaction(id, { stage: 'partial', stands: standing, problem })
}

/** Waits until a transaction is mined, replaced or dropped. The last one of an action is tracked until its block is safe. */
export async function awaitReceipt(provider: WalletProvider, id: string, hash: Hex, isLast: boolean): Promise<boolean> {
  let nonce: Hex | null = null
  for (let unseen = 0; unseen < maxUnseenPolls; ) {
    const receipt = (await ask(provider, 'eth_getTransactionReceipt', [hash])) as Receipt | null | undefined
    if (receipt) return settle(provider, id, hash, receipt, isLast)
    const known = (await ask(provider, 'eth_getTransactionByHash', [hash])) as { nonce: Hex; from: Hex } | null
    if (known) nonce = known.nonce
    // A provider that does not respond does not count as not finding it.
    else if (receipt === null) unseen++
    const from = findTransaction(id)?.from
    if (!known && nonce !== null && from) {
      const count = (await ask(provider, 'eth_getTransactionCount', [from, 'latest'])) as Hex | undefined
      if (count && BigInt(count) > BigInt(nonce)) {
        changeTransaction(id, {
          stage: 'replaced',
          problem: words.replaced,
        })
        return false
      }
    }
    await wait()
  }
  changeTransaction(id, {
    stage: 'dropped',
    problem: words.dropped,
  })
  return false
}

async function settle(
  provider: WalletProvider,
  id: string,
  hash: Hex,
  { status, blockNumber, logs = [] }: Receipt,
  isLast: boolean,
): Promise<boolean> {
  if (status !== '0x1') {
    changeTransaction(id, {
      stage: 'failed',
      problem: words.reverted,
    })
    return false
  }
  if (isLast) {
    const block = Number(blockNumber)
    changeTransaction(id, { stage: 'in block', block })
    recordOwnBlock(block)
    const own = findTransaction(id)
    if (own) void recordOwnPosts(own, logs, hash)
    void awaitSafe(provider, id, hash, block)
  }
  return true
}

/** Waits until a block is safe. After a reorg, the transaction is pending again. */
async function awaitSafe(provider: WalletProvider, id: string, hash: Hex, block: number): Promise<void> {
  for (let looks = 0; looks < 600; looks++) {
    const safe = (await ask(provider, 'eth_getBlockByNumber', ['safe', false])) as { number: Hex } | null
    if (safe && Number(safe.number) >= block) {
      const receipt = (await ask(provider, 'eth_getTransactionReceipt', [hash])) as Receipt | null
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
  for (let looks = 0; looks < 1_800; looks++) {
    const found = (await ask(provider, 'wallet_getCallsStatus', [callsId])) as CallsStatus | null | undefined
    const receipts = found?.receipts ?? []
    const hashes = receipts.map(({ transactionHash }) => transactionHash)
    if (found && found.status >= 200) {
      const last = receipts.at(-1)
      changeTransaction(id, { hashes })
      if (found.status === 200 && last) {
        await settle(provider, id, last.transactionHash, last, true)
        return
      }
      const problem = found.status < 500 ? words.notSent : words.reverted
      return changeTransaction(id, { stage: 'failed', problem })
    }
    await wait()
  }
  changeTransaction(id, {
    stage: 'dropped',
    problem: words.noReport,
  })
}

interface CallsStatus {
  status: number
  receipts?: readonly (Receipt & { transactionHash: Hex })[]
}

/** Sends a request to the wallet. Returns undefined if it fails. */
const ask = (provider: WalletProvider, method: string, params: readonly unknown[]): Promise<unknown> =>
  provider.request({ method, params }).catch(() => undefined)

const wait = () => new Promise((done) => setTimeout(done, pollIntervalMs))
