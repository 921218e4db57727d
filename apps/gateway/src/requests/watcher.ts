import {
  type BlockRef,
  countReadableBlocks,
  getLogs,
  getMinedTransaction,
  type LogFilter,
  type MarketDeployment,
  type Provider,
  type Providers,
  type RawLog,
} from '@svc/chain'
import { requestStatuses } from '@svc/operations'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { buildProof, type Proof } from './proof.ts'
import { readTransaction, reconcileReportedTxs } from './reconcileReportedTxs.ts'
import { findRequestOfLog, isWatched, type StoredRequest } from './request.ts'
import type { Store } from './store.ts'

export interface WatcherOptions {
  providers: Providers
  places: MarketDeployment
  store: Store
  /** Number of confirmations after which a block is considered final. */
  finalDepth?: number
  now?: () => number
  /** Called when a request is confirmed, with the transaction that did it. */
  onConfirmed?: (request: StoredRequest, txHash: Hex) => void
}

/** How long a log that proves several equal requests waits for the page to report which one was signed. */
const reportMs = 2_000

/** Maximum number of blocks per round. After a long pause it takes several rounds. */
const maxBlocks = 5_000n

/** Checks the chain once for all waiting requests. */
export type Look = () => Promise<void>

/**
 * Settles requests from the chain alone: by the event that proves the action, after the block it was prepared at, and by
 * reported transactions that match the calls. An outcome is rolled back if its block is reorganised away.
 */
export function createWatcher(options: WatcherOptions): Look {
  const { providers, places, store, finalDepth = 64, now = Date.now, onConfirmed = () => {} } = options
  const proofs = new Map<string, Proof | null>()
  /** The last block whose logs were searched. */
  const looked = new Map<string, bigint>()
  /** When a log that proves several requests was first seen. */
  const ambiguous = new Map<string, number>()
  const isUsed = (log: RawLog) => findRequestOfLog(store.all(), log) !== undefined

  return async () => {
    await expire()
    forget()
    if (![...store.all()].some(isOpen)) return
    await providers.read(async (provider) => {
      const { number, hash, timestamp } = await provider.client.getBlock()
      const head = { number, hash, timestamp: Number(timestamp) }
      await takeBack(provider, head)
      await findProofs(provider, head)
    })
    for (const request of [...store.all()].filter((each) => isOpen(each) && each.status !== 'confirmed')) {
      const judged = await reconcileReportedTxs(request, proof(request), providers, isUsed)
      if (judged) await save(judged, request)
    }
  }

  async function save(request: StoredRequest, was: StoredRequest): Promise<void> {
    // Another gateway may have settled it first, and reports it.
    if (!(await store.replace(was, request))) return
    const { status, outcome } = request
    if (status === 'confirmed' && was.status !== 'confirmed' && outcome) onConfirmed(request, outcome.transaction)
  }

  function isOpen(request: StoredRequest): boolean {
    return isWatched(request, now())
  }

  function proof(request: StoredRequest): Proof | null {
    const known = proofs.get(request.id)
    if (known !== undefined) return known
    const made = buildProof(request, places.markets)
    proofs.set(request.id, made)
    return made
  }

  function forget(): void {
    for (const id of [...proofs.keys()]) {
      const request = store.get(id)
      if (request && isOpen(request)) continue
      proofs.delete(id)
      looked.delete(id)
    }
  }

  /** Expires requests that were not signed in time, or were reported as sent and never reached the chain. */
  async function expire(): Promise<void> {
    for (const request of [...store.all()]) {
      const isLate =
        request.status === 'pending' ? now() >= request.expiresAt : request.status === 'submitted' && !isOpen(request)
      if (isLate) await store.replace(request, { ...request, status: 'expired' })
    }
  }

  async function takeBack(provider: Provider, head: BlockRef): Promise<void> {
    for (const request of [...store.all()]) {
      const { outcome } = request
      if (!outcome || !isOpen(request) || head.number - BigInt(outcome.block) >= BigInt(finalDepth)) continue
      const block =
        BigInt(outcome.block) > head.number
          ? null
          : await provider.client.getBlock({ blockNumber: BigInt(outcome.block) })
      if (block?.hash === outcome.blockHash) continue
      looked.delete(request.id)
      const transactions = request.transactions.filter((hash) => hash !== outcome.transaction)
      // The transaction may be mined again in another block.
      const told = [...new Set([...request.told, outcome.transaction])].slice(-8)
      await store.replace(request, { ...request, status: 'submitted', outcome: null, transactions, told })
    }
  }

  async function findProofs(provider: Provider, head: BlockRef): Promise<void> {
    const open = [...store.all()].filter((each) => isOpen(each) && each.status !== 'confirmed' && proof(each))
    if (open.length === 0) return
    const begin = (request: StoredRequest) => {
      const first = BigInt(request.prepared.block.number) + 1n
      const again = (looked.get(request.id) ?? 0n) - BigInt(finalDepth)
      return again > first ? again : first
    }
    const from = open.map(begin).reduce((a, b) => (a < b ? a : b))
    if (from > head.number) return
    const last = from + countReadableBlocks(provider.rpc, maxBlocks) - 1n
    const to = last < head.number ? last : head.number
    const found: RawLog[] = []
    for (const filter of buildFilters(open.map(proof)))
      found.push(...(await getLogs(provider.rpc, filter, { from, to })))
    for (const log of found.toSorted(byPlace)) {
      const request = await findOwner(provider, log, open)
      if (request) await confirm(request, log)
    }
    for (const { id } of open) looked.set(id, to)
    const current = new Set(found.map(formatLogKey))
    for (const key of ambiguous.keys()) if (!current.has(key)) ambiguous.delete(key)
  }

  /**
   * Finds the request that a log proves: the one that reported its transaction, else the oldest, and an unsettled one before
   * one that was rejected or has expired. Null for now if several match and the page may still report which was signed.
   */
  async function findOwner(
    provider: Provider,
    log: RawLog,
    open: readonly StoredRequest[],
  ): Promise<StoredRequest | null> {
    if (isUsed(log)) return null
    const candidates: StoredRequest[] = []
    for (const { id, prepared } of open) {
      const request = store.get(id)
      if (!request || request.status === 'confirmed' || log.blockNumber <= BigInt(prepared.block.number)) continue
      const found = proof(request)?.match(log)
      if (!found) continue
      if (request.told.includes(log.transactionHash)) return request
      const sender = found.byCaller ? null : (await readTransaction(provider.rpc, log.transactionHash))?.from
      if (found.byCaller || (sender && isAddressEqual(sender, prepared.from as Hex))) candidates.push(request)
    }
    if (candidates.length > 1) {
      const key = formatLogKey(log)
      const firstSeen = ambiguous.get(key) ?? now()
      ambiguous.set(key, firstSeen)
      if (now() - firstSeen < reportMs) return null
    }
    return candidates.find(({ status }) => !requestStatuses[status].settled) ?? candidates[0] ?? null
  }

  async function confirm(request: StoredRequest, { transactionHash: transaction, logIndex }: RawLog): Promise<void> {
    // One provider found the log. If there are two, both must have it.
    const mined = await getMinedTransaction(providers, transaction)
    if (!mined?.succeeded || !mined.logs.some((log) => log.logIndex === logIndex)) return
    const { number, hash: blockHash } = mined.block
    await save(
      {
        ...request,
        status: 'confirmed',
        transactions: [...new Set([...request.transactions, transaction])],
        outcome: { block: Number(number), blockHash, transaction, logIndex },
      },
      request,
    )
  }
}

/** Builds one filter per event, as narrow as the waiting requests allow: a token has too many approvals to read them all. */
function buildFilters(proofs: readonly (Proof | null)[]): LogFilter[] {
  const kinds = new Map<string, { address: Address; topics: (Set<Hex> | null)[] }>()
  for (const { contract: address, topics: events } of proofs.filter((each) => each !== null)) {
    for (const topics of events) {
      const kind = kinds.get(`${address} ${topics[0]}`) ?? { address, topics: topics.map(() => new Set<Hex>()) }
      kinds.set(`${address} ${topics[0]}`, kind)
      kind.topics = kind.topics.map((known, index) => {
        const topic = topics[index]
        return known && topic ? known.add(topic) : null
      })
    }
  }
  return [...kinds.values()].map(({ address, topics }) => ({
    address,
    topics: topics.map((each) => each && [...each]),
  }))
}

const byPlace = (a: RawLog, b: RawLog) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex

const formatLogKey = ({ transactionHash, logIndex }: RawLog): string => `${transactionHash} ${logIndex}`
