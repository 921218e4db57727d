import { type Hex, isHex, numberToHex } from 'viem'
import { ChainReadError } from './errors.ts'
import { type RawLog, readLogs } from './logs.ts'
import type { Provider, Providers } from './providers.ts'
import type { BlockRef } from './reader.ts'
import type { Rpc } from './rpc.ts'

/** A transaction that is on the chain, with all its logs. */
export interface Mined {
  block: BlockRef
  succeeded: boolean
  logs: readonly RawLog[]
}

/** A transaction as two providers have it; null while no two have the same. */
export function minedTransaction(providers: Pick<Providers, 'all'>, hash: Hex): Promise<Mined | null> {
  return agreed(providers, ({ rpc }) => readMined(rpc, hash))
}

/** The hash of a block as two providers have it; null while no two have the same. */
export function blockHashAt(providers: Pick<Providers, 'all'>, number: bigint): Promise<Hex | null> {
  return agreed(providers, async ({ rpc }) => (await readBlock(rpc, number))?.hash ?? null)
}

/**
 * What two providers say alike, or the only one where there is one; null where they answer and no two agree. Does not wait
 * for the slow ones. Throws when too few answer.
 */
function agreed<T>(
  { all }: Pick<Providers, 'all'>,
  read: (provider: Provider) => Promise<T | null>,
): Promise<T | null> {
  const needed = Math.min(2, all.length)
  return new Promise((resolve, reject) => {
    const said = new Map<string, number>()
    let [open, answered] = [all.length, 0]
    let cause: unknown
    const hear = (answer: T | null) => {
      const words = spell(answer)
      const count = (said.get(words) ?? 0) + 1
      said.set(words, count)
      answered++
      if (count === needed) resolve(answer)
    }
    const settle = () => {
      open--
      if (open > 0) return
      if (answered >= needed) resolve(null)
      else reject(new ChainReadError('Too few providers answered.', { retryable: true, cause }))
    }
    for (const provider of all) {
      void read(provider)
        .then(hear, (error: unknown) => {
          cause = error
        })
        .then(settle)
    }
  })
}

const spell = (answer: unknown) =>
  JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

async function readMined(rpc: Rpc, hash: Hex): Promise<Mined | null> {
  const receipt = await rpc.request('eth_getTransactionReceipt', [hash])
  if (receipt === null) return null
  const { blockNumber, blockHash, status, logs: given, transactionHash } = receipt as Record<string, unknown>
  if (!isHex(blockNumber) || !isHex(blockHash) || !isHex(status) || transactionHash !== hash) {
    throw new ChainReadError(`${rpc.name} answered with a receipt that is none.`, { retryable: true })
  }
  const logs = readLogs(rpc, given)
  if (logs.some((log) => log.transactionHash !== hash || log.blockHash !== blockHash)) {
    throw new ChainReadError(`${rpc.name} answered with logs of another transaction.`, { retryable: true })
  }
  const block = await readBlock(rpc, BigInt(blockNumber))
  // A node may still have the receipt of a block that was replaced.
  if (block?.hash !== blockHash) return null
  return { block, succeeded: BigInt(status) === 1n, logs }
}

/** A block as one provider has it, by its height or its hash; null where it has none. */
export async function readBlock(rpc: Rpc, which: bigint | Hex): Promise<BlockRef | null> {
  const block = await (typeof which === 'bigint'
    ? rpc.request('eth_getBlockByNumber', [numberToHex(which), false])
    : rpc.request('eth_getBlockByHash', [which, false]))
  if (block === null) return null
  const { number, hash, timestamp } = block as Record<string, unknown>
  const isIt = isHex(number) && isHex(hash) && (typeof which === 'bigint' ? BigInt(number) : hash) === which
  if (!isIt || !isHex(timestamp)) {
    throw new ChainReadError(`${rpc.name} answered with a block that is none.`, { retryable: true })
  }
  return { number: BigInt(number), hash, timestamp: Number(timestamp) }
}
