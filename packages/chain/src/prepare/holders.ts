import { depositVaultAbi, escrowVaultAbi } from '@svc/protocol/abis'
import type { TaskContext } from '@svc/protocol/actions'
import type { HeldAsset, MoneyHolder } from '@svc/protocol/internal/actions'
import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex, isAddress, isAddressEqual } from 'viem'
import type { MarketAddresses } from '../market.ts'

/** Somebody or something, besides the caller, whose money an action can move. */
export interface Holder {
  who: MoneyHolder
  what: HeldAsset
  address: Address
  /** The reads whose sum is the amount. */
  reads: readonly { to: Address; data: Hex }[]
  /** Starts at zero: the reads are totals of the market, of which only the difference belongs to a new task. */
  isNew?: boolean
}

/** What decides whom an action can pay: the task as it is, or the input that creates one. */
interface Action {
  from: Address
  context: TaskContext | null
  input: Readonly<Record<string, unknown>>
}

/** Lists everybody whose money an action can move: the task, its parties, its judge, and the market itself. */
export function listHolders(contracts: MarketAddresses, action: Action): Holder[] {
  return [
    ...listTaskHolders(contracts, action),
    ...listWallets(contracts, action).flatMap(({ who, address }) => listWalletHolders(contracts, who, address)),
    {
      who: 'payouts to withdraw',
      address: contracts.escrowVault,
      what: 'TOK',
      reads: [escrowRead(contracts, 'totalWithdrawable')],
    },
    readTok(contracts, 'Union', contracts.stakingVault),
    readTok(contracts, 'arbitration', contracts.arbitration),
  ]
}

/** What the task holds: the escrow, and the exit deposits of both parties. */
function listTaskHolders(contracts: MarketAddresses, { from, context }: Action): Holder[] {
  const address = contracts.escrowVault
  if (!context) {
    return [
      {
        who: 'escrow of the task',
        address,
        what: 'TOK',
        reads: [escrowRead(contracts, 'totalHeld')],
        isNew: true,
      },
      {
        who: 'exit deposits of the task',
        address,
        what: 'TOK',
        reads: [escrowRead(contracts, 'totalExitDeposits')],
        isNew: true,
      },
    ]
  }
  const { taskId, task } = context
  const parties = [...new Set([task.poster, task.worker ?? from].map((each) => getAddress(each)))]
  const held = encodeFunctionData({ abi: escrowVaultAbi, functionName: 'heldOf', args: [taskId.number] })
  const exitDeposits = parties.map((party) => ({
    to: address,
    data: encodeFunctionData({ abi: escrowVaultAbi, functionName: 'exitDepositOf', args: [taskId.number, party] }),
  }))
  return [
    { who: 'escrow of the task', address, what: 'TOK', reads: [{ to: address, data: held }] },
    { who: 'exit deposits of the task', address, what: 'TOK', reads: exitDeposits },
  ]
}

/** The wallets that can be paid, without the caller. A wallet with two roles has the first. */
function listWallets(contracts: MarketAddresses, { from, context, input }: Action) {
  const { terms, worker, to, agent } = input
  const named: readonly (readonly [MoneyHolder, unknown])[] = [
    ['poster', context?.task.poster ?? readField(terms, 'poster')],
    ['worker', context ? context.task.worker : worker],
    ['judge', context?.dispute?.judge],
    ['final court', context?.dispute && context.finalCourt],
    ['receiver', to ?? agent],
    ['treasury', contracts.treasury],
  ]
  const wallets: { who: MoneyHolder; address: Address }[] = []
  for (const [who, given] of named) {
    if (typeof given !== 'string' || !isAddress(given, { strict: false })) continue
    const address = getAddress(given)
    if ([from, ...wallets.map((each) => each.address)].some((each) => isAddressEqual(each, address))) continue
    wallets.push({ who, address })
  }
  return wallets
}

const readField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined

const listWalletHolders = (contracts: MarketAddresses, who: MoneyHolder, address: Address): Holder[] => [
  readTok(contracts, who, address),
  { who, address, what: 'USDC', reads: [{ to: contracts.usdc, data: encodeBalanceRead(address) }] },
  {
    who,
    address,
    what: 'deposit',
    reads: [
      {
        to: contracts.depositVault,
        data: encodeFunctionData({ abi: depositVaultAbi, functionName: 'balanceOf', args: [address] }),
      },
    ],
  },
]

const readTok = ({ tokToken }: MarketAddresses, who: MoneyHolder, address: Address): Holder => ({
  who,
  address,
  what: 'TOK',
  reads: [{ to: tokToken, data: encodeBalanceRead(address) }],
})

const encodeBalanceRead = (address: Address) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] })

const escrowRead = (
  { escrowVault }: MarketAddresses,
  functionName: 'totalHeld' | 'totalExitDeposits' | 'totalWithdrawable',
) => ({ to: escrowVault, data: encodeFunctionData({ abi: escrowVaultAbi, functionName }) })
