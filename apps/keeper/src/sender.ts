import { ChainReadError, type Providers, RpcResponseError } from '@svc/chain'
import { type Address, type Hex, isHex, keccak256, type LocalAccount } from 'viem'
import { computeFees, computeReplacementFees, type FeeLimits, type Fees } from './fees.ts'
import { type GasBudget, mapPurposes } from './gasBudget.ts'
import type { Purpose } from './purposes.ts'

/** A call to send. */
interface ContractCall {
  /** Identifies the call. Only one transaction for it is in flight. */
  key: string
  to: Address
  data: Hex
  /** Which part of the budget pays for it. */
  purpose: Purpose
}

/** What became of a transaction. `lost`: another one has its nonce, so the wallet is used elsewhere or the chain reorganised. */
export interface SettledCall {
  key: string
  outcome: 'done' | 'reverted' | 'cancelled' | 'lost'
  hash: Hex
  costWei: bigint
}

/** Why a call was not sent. */
export type NotSent = 'busy' | 'budget' | 'fee' | 'rejected'

export interface Sender {
  address: Address
  /** The keys of calls in flight. */
  inFlight: () => ReadonlySet<string>
  send: (call: ContractCall, gas: bigint, baseFee: bigint) => Promise<{ hash: Hex; nonce: number } | { not: NotSent }>
  /**
   * Reads what became of the transactions in flight. Those that wait for too long are replaced with a higher fee, or cancelled
   * if `isStillDue` says that the call would revert.
   */
  settle: (isStillDue: (call: ContractCall) => Promise<boolean>) => Promise<SettledCall[]>
}

export interface SenderOptions {
  account: LocalAccount
  providers: Providers
  chainId: number
  budget: GasBudget
  fees: FeeLimits
  maxInFlight: number
  /** How long to wait for a block before a replacement. */
  replaceMs: number
  onReplaced?: (key: string, hash: Hex, isCancelled: boolean) => void
  onRejected?: (key: string, error: Error) => void
  now?: () => number
}

/** A transaction that may be mined at any time. */
interface Sent {
  call: ContractCall
  nonce: number
  gas: bigint
  fees: Fees
  raw: Hex
  /** The transaction and everything that it replaced: any of them may be mined. */
  hashes: Hex[]
  cancelHash: Hex | null
  sentAt: number
  /** How often its nonce was used but no receipt was found. */
  missing: number
}

/** Providers can know a nonce some time before the receipt. */
const maxMissing = 20
const transferGas = 21_000n

/**
 * Creates the only user of a wallet's nonces. It stores nothing: after a restart, transactions of the previous process that
 * still wait are given time, and then replaced.
 */
export function createTransactionSender(options: SenderOptions): Sender {
  const { account, providers, chainId, budget, fees: limits, maxInFlight, replaceMs, now = Date.now } = options
  const sent = new Map<number, Sent>()
  /** The nonce after the highest one that was seen mined, and when. */
  let mined = { next: 0, at: Number.NEGATIVE_INFINITY }
  /** Since when the chain's nonce has been this one, to detect transactions of an earlier process that never get mined. */
  let stuck = { nonce: -1, since: 0 }
  /** How often nodes called a transaction underpriced since the last one they accepted. */
  let raises = 0

  const computeReserved = () =>
    mapPurposes((purpose) =>
      [...sent.values()]
        .filter(({ call }) => call.purpose === purpose)
        .reduce((sum, { gas, fees }) => sum + gas * fees.maxFeePerGas, 0n),
    )
  const readNonce = (block: 'latest' | 'pending') =>
    providers.read(async ({ rpc }) => Number(await rpc.request('eth_getTransactionCount', [account.address, block])))

  const readNextNonce = async () => {
    const latest = await readNonce('latest')
    if (latest !== stuck.nonce) stuck = { nonce: latest, since: now() }
    return latest
  }

  /** Returns the next nonce to use: the first that no transaction of this process has. */
  const pickNonce = async () => {
    const latest = await readNextNonce()
    // A provider that lags reports a nonce that is used already. If it is still so after a while, the chain reorganised.
    let nonce = now() - mined.at < replaceMs ? Math.max(latest, mined.next) : latest
    // Transactions of an earlier process may wait in the pool. They are replaced only if they do not get mined.
    if (!sent.has(latest) && now() - stuck.since < replaceMs) nonce = Math.max(nonce, await readNonce('pending'))
    while (sent.has(nonce)) nonce++
    return nonce
  }

  const sign = (nonce: number, { to, data }: { to: Address; data: Hex }, gas: bigint, fees: Fees) =>
    account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, gas, ...fees })

  /** Sends a signed transaction to every provider. Throws if all of them rejected it; if one did not answer, it may be sent. */
  const broadcast = async (raw: Hex) => {
    const answers = await Promise.allSettled(
      providers.all.map(({ rpc }) => rpc.request('eth_sendRawTransaction', [raw]).catch(ignoreKnown)),
    )
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    const isRejected = errors.length === answers.length && errors.every((error) => error instanceof RpcResponseError)
    if (isRejected) throw errors[0]
  }

  const replace = async (tx: Sent, isStillDue: (call: ContractCall) => Promise<boolean>) => {
    const fees = computeReplacementFees(tx.fees, limits)
    const isCancel = tx.cancelHash !== null || !(await isStillDue(tx.call))
    const gas = isCancel ? transferGas : tx.gas
    const extra = fees ? gas * fees.maxFeePerGas - tx.gas * tx.fees.maxFeePerGas : 0n
    tx.sentAt = now()
    // A transaction that waits holds up all later ones, so it may use the parts of other purposes.
    if (!fees || !budget.allows(extra > 0n ? extra : 0n, null, computeReserved())) return broadcast(tx.raw)
    const raw = await sign(tx.nonce, isCancel ? { to: account.address, data: '0x' } : tx.call, gas, fees)
    await broadcast(raw)
    // What was replaced may still be mined, so the larger gas stays reserved.
    Object.assign(tx, { fees, raw })
    const hash = keccak256(raw)
    tx.hashes.push(hash)
    if (isCancel) tx.cancelHash = hash
    options.onReplaced?.(tx.call.key, hash, isCancel)
  }

  /** Uses a nonce that no transaction has any more, after a reorg, so that those with higher nonces can be mined. */
  const fillGap = async (nonce: number) => {
    const fees = [...sent.values()].reduce((best, tx) => (tx.fees.maxFeePerGas > best.maxFeePerGas ? tx.fees : best), {
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
    })
    const call = { key: `gap:${nonce}`, to: account.address, data: '0x', purpose: 'housekeeping' } as const
    const raw = await sign(nonce, call, transferGas, fees)
    const hash = keccak256(raw)
    await broadcast(raw)
    const rest = { raw, hashes: [hash], cancelHash: hash, sentAt: now(), missing: 0 }
    sent.set(nonce, { call, nonce, gas: transferGas, fees, ...rest })
  }

  return {
    address: account.address,
    inFlight: () => new Set([...sent.values()].map(({ call }) => call.key)),
    async send(call, gas, baseFee) {
      if (sent.size >= maxInFlight) return { not: 'busy' }
      const fees = computeFees(baseFee, limits, raises)
      if (!fees) return { not: 'fee' }
      if (!budget.allows(gas * fees.maxFeePerGas, call.purpose, computeReserved())) return { not: 'budget' }
      const nonce = await pickNonce()
      const raw = await sign(nonce, call, gas, fees)
      const hash = keccak256(raw)
      sent.set(nonce, {
        call,
        nonce,
        gas,
        fees,
        raw,
        hashes: [hash],
        cancelHash: null,
        sentAt: now(),
        missing: 0,
      })
      try {
        await broadcast(raw)
        raises = 0
        return { hash, nonce }
      } catch (error) {
        sent.delete(nonce)
        if (/underpriced/i.test((error as Error).message)) raises++
        options.onRejected?.(call.key, error as Error)
        return { not: 'rejected' }
      }
    },
    async settle(isStillDue) {
      const settled: SettledCall[] = []
      if (sent.size === 0) return settled
      const latest = await readNextNonce()
      const reportRejected = (key: string) => (error: unknown) => {
        if (!(error instanceof ChainReadError)) throw error
        options.onRejected?.(key, error)
      }
      const isGap = Math.min(...sent.keys()) > latest && now() - stuck.since >= replaceMs
      if (isGap) await fillGap(latest).catch(reportRejected(`gap:${latest}`))
      for (const tx of [...sent.values()]) {
        if (tx.nonce >= latest) {
          if (now() - tx.sentAt >= replaceMs) await replace(tx, isStillDue).catch(reportRejected(tx.call.key))
          continue
        }
        const receipt = await findReceipt(providers, tx.hashes)
        if (!receipt && ++tx.missing < maxMissing) continue
        // Without a receipt, its maximum cost counts.
        const { hash, costWei, succeeded } = receipt ?? {
          hash: tx.hashes[0] ?? '0x',
          costWei: tx.gas * tx.fees.maxFeePerGas,
          succeeded: false,
        }
        budget.spend(costWei, tx.call.purpose)
        sent.delete(tx.nonce)
        mined = { next: Math.max(mined.next, tx.nonce + 1), at: now() }
        const end = succeeded ? 'done' : 'reverted'
        const outcome = !receipt ? 'lost' : hash === tx.cancelHash ? 'cancelled' : end
        settled.push({ key: tx.call.key, outcome, hash, costWei })
      }
      return settled
    },
  }
}

/** A node that has the transaction already says so with an error. */
function ignoreKnown(error: unknown): void {
  if (error instanceof RpcResponseError && /already known|already imported|known transaction/i.test(error.message))
    return
  throw error
}

async function findReceipt(providers: Providers, hashes: readonly Hex[]) {
  for (const hash of hashes.toReversed()) {
    const receipt = await providers.read(async ({ rpc }) => rpc.request('eth_getTransactionReceipt', [hash]))
    if (typeof receipt !== 'object' || receipt === null) continue
    const { status, gasUsed, effectiveGasPrice, l1Fee }: Record<string, unknown> = { ...receipt }
    // Chains of the OP stack add a fee for the data.
    const costWei = parseAmount(gasUsed) * parseAmount(effectiveGasPrice) + parseAmount(l1Fee)
    return { hash, succeeded: status === '0x1', costWei }
  }
  return null
}

const parseAmount = (value: unknown): bigint => (isHex(value) ? BigInt(value) : 0n)
