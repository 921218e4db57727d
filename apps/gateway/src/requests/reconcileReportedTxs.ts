import { getMinedTransaction, type Providers, type RawLog, type Rpc } from '@svc/chain'
import { type Address, type Hex, isAddress, isAddressEqual, isHex } from 'viem'
import type { Proof } from './proof.ts'
import type { StoredRequest } from './request.ts'

interface Transaction {
  from: Address
  to: Address | null
  data: Hex
  value: bigint
}

/** Reads a transaction from a node, mined or pending; null if the node does not know it. */
export async function readTransaction(rpc: Rpc, hash: Hex): Promise<Transaction | null> {
  const answer = await rpc.request('eth_getTransactionByHash', [hash])
  if (typeof answer !== 'object' || answer === null) return null
  const { from, to, input, value }: Record<string, unknown> = { ...answer }
  if (!isAddressText(from) || !isHex(input) || !isHex(value)) return null
  return { from, to: isAddressText(to) ? to : null, data: input, value: BigInt(value) }
}

const isAddressText = (value: unknown): value is Address => typeof value === 'string' && isAddress(value)

/**
 * Checks the reported transaction hashes against the chain. Returns the updated request, or null if nothing changed. Hashes
 * of unrelated transactions are dropped, whatever their outcome, so nobody can fail a request with them. A transaction is
 * unrelated if it is older than the request, or if all its proving logs already confirm other requests.
 */
export async function reconcileReportedTxs(
  request: StoredRequest,
  proof: Proof | null,
  providers: Providers,
  isUsed: (log: RawLog) => boolean,
): Promise<StoredRequest | null> {
  let { told, transactions, status, outcome } = request
  for (const hash of request.told.filter((each) => !transactions.includes(each))) {
    const [sent, mined] = await Promise.all([
      providers.read(({ rpc }) => readTransaction(rpc, hash)),
      getMinedTransaction(providers, hash),
    ])
    const isCall = sent !== null && matchesCall(sent, request.prepared)
    const isOther = sent !== null && !isCall && isAddressEqual(sent.from, request.prepared.from as Address)
    if (!mined && !isOther) continue
    const proving = mined?.succeeded ? mined.logs.filter((log) => proof?.match(log)) : []
    const ofProof = proving.find((log) => !isUsed(log))
    const isOlder = mined !== null && (await isBeforeRequest(mined.block.number, request, providers))
    if (!mined || isOlder || (!ofProof && (!isCall || proving.length > 0))) {
      told = told.filter((each) => each !== hash)
      continue
    }
    transactions = [...transactions, hash]
    const place = { block: Number(mined.block.number), blockHash: mined.block.hash, transaction: hash }
    if (ofProof && status !== 'confirmed') {
      ;[status, outcome] = ['confirmed', { ...place, logIndex: ofProof.logIndex }]
    } else if (!mined.succeeded && status !== 'confirmed' && status !== 'reverted') {
      ;[status, outcome] = ['reverted', { ...place, logIndex: null }]
    }
  }
  const isNew = told !== request.told || transactions !== request.transactions || status !== request.status
  return isNew ? { ...request, told, transactions, status, outcome } : null
}

/**
 * Whether a block is not later than the one a request was prepared at. Numbers can be compared only while that block is on
 * the chain: after a reorganisation, the transaction can be mined at a lower number.
 */
async function isBeforeRequest(number: bigint, { prepared }: StoredRequest, providers: Providers): Promise<boolean> {
  const blockNumber = BigInt(prepared.block.number)
  if (number > blockNumber) return false
  const block = await providers.read(({ client }) => client.getBlock({ blockNumber }).catch(() => null))
  return block?.hash === prepared.block.hash
}

/** Whether a transaction is exactly one of the calls. */
function matchesCall({ from, to, data, value }: Transaction, prepared: StoredRequest['prepared']): boolean {
  return (
    to !== null &&
    isAddressEqual(from, prepared.from as Address) &&
    prepared.calls.some(
      (call) => isAddressEqual(to, call.to as Address) && call.data === data && BigInt(call.value) === value,
    )
  )
}
