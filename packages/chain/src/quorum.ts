import { type Hex, isHex, numberToHex } from 'viem'
import { ChainReadError } from './errors.ts'
import { parseLogs, type RawLog } from './logs.ts'
import type { Provider, Providers } from './providers.ts'
import type { BlockRef } from './reader.ts'
import type { Rpc } from './rpc.ts'

/** A transaction that was included in a block, with all its logs. */
export interface MinedTransaction {
  block: BlockRef
  succeeded: boolean
  logs: readonly RawLog[]
}

/** Returns a transaction that two providers agree on; null if no two agree. */
export function getMinedTransaction(providers: Pick<Providers, 'all'>, hash: Hex): Promise<MinedTransaction | null> {
  return readWithQuorum(providers, ({ rpc }) => readMined(rpc, hash))
}

/** Returns the hash of a block that two providers agree on; null if no two agree. */
export function getAgreedBlockHash(providers: Pick<Providers, 'all'>, number: bigint): Promise<Hex | null> {
  return readWithQuorum(providers, async ({ rpc }) => (await fetchBlock(rpc, number))?.hash ?? null)
}

/**
 * Returns the first result that two providers agree on, or that of the only provider. Null if they respond and no two agree.
 * Does not wait for slow providers. Throws if too few respond.
 */
function readWithQuorum<T>(
  { all }: Pick<Providers, 'all'>,
  read: (provider: Provider) => Promise<T | null>,
): Promise<T | null> {
  const needed = Math.min(2, all.length)
  return new Promise((resolve, reject) => {
    const votes = new Map<string, number>()
    let [open, answered] = [all.length, 0]
    let cause: unknown
    const count = (answer: T | null) => {
      const key = serialize(answer)
      const agreeing = (votes.get(key) ?? 0) + 1
      votes.set(key, agreeing)
      answered++
      if (agreeing === needed) resolve(answer)
    }
    const settle = () => {
      open--
      if (open > 0) return
      if (answered >= needed) resolve(null)
      else
        reject(
          new ChainReadError(`Only ${answered} of ${all.length} providers responded; ${needed} must agree.`, {
            retryable: true,
            cause,
          }),
        )
    }
    for (const provider of all) {
      void read(provider)
        .then(count, (error: unknown) => {
          cause = error
        })
        .then(settle)
    }
  })
}

const serialize = (answer: unknown) =>
  JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

async function readMined(rpc: Rpc, hash: Hex): Promise<MinedTransaction | null> {
  const receipt = await rpc.request('eth_getTransactionReceipt', [hash])
  if (receipt === null) return null
  const { blockNumber, blockHash, status, logs: given, transactionHash } = receipt as Record<string, unknown>
  if (!isHex(blockNumber) || !isHex(blockHash) || !isHex(status) || transactionHash !== hash) {
    throw new ChainReadError(`${rpc.name} returned an invalid receipt.`, { retryable: true })
  }
  const logs = parseLogs(rpc, given)
  if (logs.some((log) => log.transactionHash !== hash || log.blockHash !== blockHash)) {
    throw new ChainReadError(`${rpc.name} returned a receipt with logs of another transaction.`, { retryable: true })
  }
  const block = await fetchBlock(rpc, BigInt(blockNumber))
  // A node can still have the receipt of a block that a reorg replaced.
  if (block?.hash !== blockHash) return null
  return { block, succeeded: BigInt(status) === 1n, logs }
}

/** Fetches a block from one provider, by number or hash; null if the provider does not have it. */
export async function fetchBlock(rpc: Rpc, which: bigint | Hex): Promise<BlockRef | null> {
  const block = await (typeof which === 'bigint'
    ? rpc.request('eth_getBlockByNumber', [numberToHex(which), false])
    : rpc.request('eth_getBlockByHash', [which, false]))
  if (block === null) return null
  const { number, hash, timestamp } = block as Record<string, unknown>
  const matches = isHex(number) && isHex(hash) && (typeof which === 'bigint' ? BigInt(number) : hash) === which
  if (!matches || !isHex(timestamp)) {
    throw new ChainReadError(`${rpc.name} returned an invalid block, or another one than ${which}.`, {
      retryable: true,
    })
  }
  return { number: BigInt(number), hash, timestamp: Number(timestamp) }
}
