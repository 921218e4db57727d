import type { Deployments } from '@svc/chain'
import { accounts, type DevnetClient, deployOnDevnet, openStaking, startAnvil } from '@svc/devnet'
import {
  type Address,
  getAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  parseGwei,
  toHex,
} from 'viem'

/** An unsigned transaction. */
export interface Draft {
  by: LocalAccount
  to: Address
  data: Hex
}

/** A signed transaction that can be sent again. */
export interface Signed {
  hash: Hex
  from: Address
  raw: Hex
}

/** A real anvil with planned blocks: the same plan produces the same block hashes. */
export interface PlannedChain {
  rpcUrl: string
  client: DevnetClient
  deployments: Deployments
  head: () => { number: bigint; timestamp: number; hash: Hex }
  /** Mines one block with these transactions, in this order, `seconds` after the last one. */
  mine: (drafts: readonly Draft[], seconds?: number) => Promise<Signed[]>
  /** Rolls back `depth` blocks and mines them again, without the transactions that `keep` rejects and later ones of the same sender. */
  reorganise: (depth: number, keep: (transaction: Signed) => boolean, isLate: boolean) => Promise<number>
  stop: () => Promise<void>
}

interface Block {
  number: bigint
  timestamp: number
  transactions: readonly Signed[]
}

/** More gas than any action uses. */
const gas = 3_000_000n

/** Starts anvil at `start` (unix seconds) with both markets and staking open. The timelock's two days lie before `start`. */
export async function startPlannedChain(start: number): Promise<PlannedChain> {
  const anvil = await startAnvil({ genesisTime: start - 3 * 86_400 })
  const { client, rpcUrl } = anvil
  // Block times must not depend on the clock of this machine.
  await client.setBlockTimestampInterval({ interval: 1 })
  await client.setBlockGasLimit({ gasLimit: 1_000_000_000n })
  const deployments = await deployOnDevnet(client)
  await openStaking(client, deployments)
  await client.removeBlockTimestampInterval()
  await client.setAutomine(false)
  const made: Block[] = []
  let head = { number: 0n, timestamp: 0, hash: '0x' as Hex }
  let branches = 0

  const mineAt = async (timestamp: number, transactions: readonly Signed[]) => {
    for (const { raw } of transactions) await client.sendRawTransaction({ serializedTransaction: raw })
    await client.request<EvmMine>({ method: 'evm_mine', params: [{ timestamp }] })
    const block = await client.getBlock({ includeTransactions: true })
    head = { number: block.number, timestamp: Number(block.timestamp), hash: block.hash }
    // A keeper's transactions are not planned. They offer less, so they come last.
    const others = block.transactions.slice(transactions.length)
    const isPlanned = transactions.every(({ hash }, index) => block.transactions[index]?.hash === hash)
    if (!isPlanned || !others.every(({ from }) => isAddressEqual(from, accounts.keeper.address))) {
      throw new Error(`Block ${block.number} has other transactions than planned, or in another order.`)
    }
    made.push({ number: block.number, timestamp, transactions })
  }
  const sign = async (drafts: readonly Draft[]): Promise<Signed[]> => {
    const senders = [...new Set(drafts.map(({ by }) => by.address))]
    const counts = await Promise.all(senders.map((address) => client.getTransactionCount({ address })))
    const next = new Map(senders.map((address, index) => [address, counts[index] ?? 0]))
    return Promise.all(
      drafts.map(async ({ by, to, data }, index) => {
        const nonce = next.get(by.address) ?? 0
        next.set(by.address, nonce + 1)
        // Anvil orders by fee, so the fee decides the position.
        const maxFeePerGas = parseGwei('100') - BigInt(index)
        const fees = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas }
        const raw = await by.signTransaction({
          chainId: client.chain.id,
          type: 'eip1559',
          nonce,
          gas,
          to,
          data,
          ...fees,
        })
        return { hash: keccak256(raw), from: by.address, raw }
      }),
    )
  }
  await mineAt(start, [])

  return {
    rpcUrl,
    client,
    deployments,
    head: () => head,
    async mine(drafts, seconds = 1) {
      const transactions = await sign(drafts)
      await mineAt(head.timestamp + seconds, transactions)
      return transactions
    },
    async reorganise(depth, keep, isLate) {
      const taken = made.splice(-depth)
      await client.request<Rollback>({ method: 'anvil_rollback', params: [depth] })
      // A different miner per branch, so that no two branches share a block hash.
      await client.setCoinbase({ address: getAddress(keccak256(toHex(++branches)).slice(0, 42)) })
      const silent = new Set<Address>()
      let dropped = 0
      const left = taken.map(({ transactions }) =>
        transactions.filter((transaction) => {
          if (!silent.has(transaction.from) && keep(transaction)) return true
          silent.add(transaction.from)
          dropped++
          return false
        }),
      )
      if (isLate) left.unshift([])
      let timestamp = taken[0]?.timestamp ?? head.timestamp
      for (const [index, transactions] of left.entries()) {
        timestamp = taken[index]?.timestamp ?? timestamp + 1
        await mineAt(timestamp, transactions)
      }
      return dropped
    },
    stop: anvil.stop,
  }
}

type EvmMine = { Method: 'evm_mine'; Parameters: [{ timestamp: number }]; ReturnType: string }
type Rollback = { Method: 'anvil_rollback'; Parameters: [number]; ReturnType: null }
