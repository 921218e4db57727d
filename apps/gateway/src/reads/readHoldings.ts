import { type BlockRef, ChainReadError, getLogs, type MarketAddresses, type Provider } from '@svc/chain'
import { depositVaultAbi, escrowVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { type Address, getAbiItem, getAddress, type Hex, slice, toEventSelector } from 'viem'

/** A wallet's collateral, in units of USDC. */
export interface Wallet {
  address: Address
  deposit: bigint
  reserved: bigint
}

/** What the vaults of a market hold, and for whom. */
export interface Holdings {
  /** Wallets with a deposit, lowest deposit first. */
  wallets: readonly Wallet[]
  totalDeposits: bigint
  /** In TOK wei; largest first. */
  escrow: { held: bigint; withdrawable: bigint; tasks: readonly { number: bigint; held: bigint }[] }
}

/** Maximum number of wallets or tasks. Beyond this, use an index. */
const maxRows = 10_000
/** How many of them one call reads. */
const chunk = 500

/**
 * Finds every wallet that ever had a deposit by its events, since no contract lists them, and reads the current balances. What
 * tasks hold is read from the vault alone.
 */
export async function readHoldings(
  provider: Provider,
  contracts: MarketAddresses,
  block: BlockRef,
  startBlock: bigint,
): Promise<Holdings> {
  const range = { from: startBlock, to: block.number }
  const filter = { address: contracts.depositVault, topics: [[toppedUp, penalised]] }
  const deposits = await getLogs(provider.rpc, filter, range)
  const totals = await readTotals(provider, contracts, block)
  // A deposit comes from a payer, or from what another wallet owes.
  const owners = deposits.map(({ topics }) => (topics[0] === toppedUp ? topics[1] : topics[3]))
  const addresses = [...new Set(owners)].filter((topic) => topic !== undefined).map(decodeAddress)
  for (const count of [addresses.length, totals.tasks]) assertReadable(count)
  const wallets = await readWallets(provider, contracts, addresses, block)
  const tasks = await readHeld(provider, contracts, totals.tasks, block)
  return {
    wallets: wallets
      .filter(({ deposit }) => deposit > 0n)
      .toSorted((a, b) => order(a.deposit, b.deposit) || order(a.address, b.address)),
    totalDeposits: totals.deposits,
    escrow: {
      held: totals.held,
      withdrawable: totals.withdrawable,
      tasks: tasks
        .filter(({ held }) => held > 0n)
        .toSorted((a, b) => order(b.held, a.held) || order(b.number, a.number)),
    },
  }
}

async function readTotals({ client }: Provider, contracts: MarketAddresses, block: BlockRef) {
  const [deposits, held, withdrawable, tasks] = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    contracts: [
      { address: contracts.depositVault, abi: depositVaultAbi, functionName: 'totalDeposits' },
      { address: contracts.escrowVault, abi: escrowVaultAbi, functionName: 'totalHeld' },
      { address: contracts.escrowVault, abi: escrowVaultAbi, functionName: 'totalWithdrawable' },
      { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'taskCount' },
    ],
  })
  return { deposits, held, withdrawable, tasks: Number(tasks) }
}

async function readWallets(
  { client }: Provider,
  contracts: MarketAddresses,
  all: readonly Address[],
  block: BlockRef,
): Promise<Wallet[]> {
  const vault = { address: contracts.depositVault, abi: depositVaultAbi } as const
  const read = (functionName: 'balanceOf' | 'reservedOf', some: readonly Address[]) =>
    client.multicall({
      allowFailure: false,
      blockNumber: block.number,
      contracts: some.map((wallet) => ({ ...vault, functionName, args: [wallet] }) as const),
    })
  const wallets: Wallet[] = []
  for (const some of chunks(all)) {
    const [balances, reserves] = await Promise.all([read('balanceOf', some), read('reservedOf', some)])
    for (const [index, address] of some.entries()) {
      const [deposit = 0n, reserved = 0n] = [balances[index], reserves[index]]
      wallets.push({ address, deposit, reserved })
    }
  }
  return wallets
}

async function readHeld({ client }: Provider, contracts: MarketAddresses, count: number, block: BlockRef) {
  const tasks: { number: bigint; held: bigint }[] = []
  for (const some of chunks(Array.from({ length: count }, (_, index) => BigInt(index + 1)))) {
    const found = await client.readContract({
      address: contracts.escrowVault,
      abi: escrowVaultAbi,
      functionName: 'accountsOf',
      args: [some],
      blockNumber: block.number,
    })
    for (const [index, number] of some.entries()) {
      const { funded = 0n, released = 0n, refunded = 0n } = found[index] ?? {}
      tasks.push({ number, held: funded - released - refunded })
    }
  }
  return tasks
}

function assertReadable(rows: number): void {
  if (rows <= maxRows) return
  throw new ChainReadError(`The treasury has more than ${maxRows} rows, too many to read without an index.`, {
    retryable: false,
  })
}

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += chunk) yield all.slice(start, start + chunk)
}

const order = <T extends bigint | string>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
const decodeAddress = (topic: Hex) => getAddress(slice(topic, 12))
const [toppedUp, penalised] = (['ToppedUp', 'Penalised'] as const).map((name) =>
  toEventSelector(getAbiItem({ abi: depositVaultAbi, name })),
) as [Hex, Hex]
