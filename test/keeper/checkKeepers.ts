import { accounts, type Devnet, type Person } from '@svc/devnet'
import { formatTaskId, markets } from '@svc/protocol'
import { depositVaultAbi, escrowVaultAbi } from '@svc/protocol/abis'
import { decodeCalls } from '@svc/protocol/actions'
import { marketAbis } from '@svc/protocol/fold'
import { type Address, erc20Abi, type Hex, parseEventLogs, type TransactionReceipt } from 'viem'
import type { StuckWorld } from './stuckWorld.ts'

/** What keepers did on chain. */
export interface KeeperCalls {
  /** The actions that succeeded on each task, in order, by its id. */
  done: Map<string, string[]>
  reverted: number
  /** Transactions that only used up a nonce. */
  cancelled: number
  /** What each keeper spent. */
  costs: Map<Person, bigint>
}

/** Reads every transaction of these keepers after a block. Throws if one of them is not a call of the action table. */
export async function readKeeperCalls(
  { devnet }: StuckWorld,
  keepers: readonly Person[],
  after: bigint,
): Promise<KeeperCalls> {
  const { client, deployments } = devnet
  const { shared } = deployments
  const places = {
    standard: { ...shared, ...deployments.markets.standard },
    micro: { ...shared, ...deployments.markets.micro },
  }
  const senders = new Map(keepers.map((person) => [accounts[person].address.toLowerCase(), person]))
  const calls: KeeperCalls = { done: new Map(), reverted: 0, cancelled: 0, costs: new Map() }
  const { number: head } = await client.getBlock()
  for (let number = after + 1n; number <= head; number++) {
    const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { hash, from, to, input } of transactions) {
      const person = senders.get(from.toLowerCase())
      if (!person) continue
      const receipt = await client.getTransactionReceipt({ hash })
      const cost = receipt.gasUsed * receipt.effectiveGasPrice
      calls.costs.set(person, (calls.costs.get(person) ?? 0n) + cost)
      if (to?.toLowerCase() === from.toLowerCase()) calls.cancelled++
      else if (receipt.status !== 'success') calls.reverted++
      else {
        const { task, action } = decodeCall(to ?? '0x', input, receipt)
        calls.done.set(task, [...(calls.done.get(task) ?? []), action])
      }
    }
  }
  return calls

  function decodeCall(to: Address, data: Hex, receipt: TransactionReceipt) {
    const decoded = decodeCalls([{ to, value: '0x0', data }], places)
    if (!decoded || !('taskId' in decoded.input)) throw new Error(`Not a call of the action table: ${data}`)
    const { action, market, input } = decoded
    const contract = action.contract as keyof typeof marketAbis
    const events = parseEventLogs({ abi: marketAbis[contract], logs: receipt.logs }) as { eventName: string }[]
    const proofs = events.filter(({ eventName }) => action.proof.includes(eventName))
    if (proofs.length === 0) throw new Error(`${action.name} changed nothing: ${receipt.transactionHash}`)
    const { number } = input.taskId
    return { task: formatTaskId({ market, number }), action: action.name }
  }
}

/** What others hold of the tokens that were not burnt, the USDC of everyone, and what the vaults owe. After every task has ended, nothing is held or reserved. */
export async function readTotals({ client, deployments }: Devnet) {
  const { shared } = deployments
  const everybody = [...Object.values(accounts).map(({ address }) => address), shared.treasury, shared.timelock]
  const vaults = markets.flatMap((market) => Object.values(deployments.markets[market]))
  const holders = [...new Set([...everybody, ...vaults])]
  const sumOf = async (token: Address) => {
    const amounts = await client.multicall({
      allowFailure: false,
      contracts: holders.map(
        (holder) => ({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] }) as const,
      ),
    })
    return amounts.reduce((total, amount) => total + amount, 0n)
  }
  const vaultTotals = await Promise.all(
    markets.map(async (market) => {
      const { escrowVault, depositVault } = deployments.markets[market]
      const [inEscrow, held, payable, inDeposits, deposits] = await client.multicall({
        allowFailure: false,
        contracts: [
          { address: shared.tokToken, abi: erc20Abi, functionName: 'balanceOf', args: [escrowVault] },
          { address: escrowVault, abi: escrowVaultAbi, functionName: 'totalHeld' },
          { address: escrowVault, abi: escrowVaultAbi, functionName: 'totalWithdrawable' },
          { address: shared.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [depositVault] },
          { address: depositVault, abi: depositVaultAbi, functionName: 'totalDeposits' },
        ],
      })
      const reserves = await client.multicall({
        allowFailure: false,
        contracts: everybody.map(
          (wallet) =>
            ({ address: depositVault, abi: depositVaultAbi, functionName: 'reservedOf', args: [wallet] }) as const,
        ),
      })
      return {
        held,
        reserved: reserves.reduce((total, amount) => total + amount, 0n),
        /** What each vault has beyond what it owes. */
        surplus: { escrow: inEscrow - held - payable, deposits: inDeposits - deposits },
      }
    }),
  )
  const supply = await client.readContract({ address: shared.tokToken, abi: erc20Abi, functionName: 'totalSupply' })
  return { missingTok: supply - (await sumOf(shared.tokToken)), usdc: await sumOf(shared.usdc), vaults: vaultTotals }
}
