import type { Address } from 'viem'
import type { PairRecord, ReserveRecord } from '../records/agent.ts'
import { applyCases, type Cases } from './cases.ts'
import type { MarketEvent } from './event.ts'

/** What a task reserves of a wallet's deposit, before its first event. */
export function newReserve(task: bigint, agent: Address): ReserveRecord {
  return { task, agent, amount: 0n }
}

/** The reserve of one wallet for one task after an event of both. */
export function applyReserve(reserve: ReserveRecord, event: MarketEvent): ReserveRecord {
  return applyCases(reserveCases, reserve, event)
}

/** Every event of a reserve. */
export const reserveCases: Cases<ReserveRecord> = {
  'depositVault.Reserved': (reserve, { args }) => ({ ...reserve, amount: reserve.amount + args.amount }),
  'depositVault.Unreserved': (reserve, { args }) => ({ ...reserve, amount: reserve.amount - args.amount }),
  'depositVault.Penalised': (reserve, { args }) => ({ ...reserve, amount: reserve.amount - args.amount }),
}

/** Two wallets that have settled money, by the order of their addresses: who paid whom first makes no difference. */
export function newPair(one: Address, other: Address): PairRecord {
  const [lower, higher] = inOrder(one, other)
  return { lower, higher }
}

/** Two addresses, the lower first: the order of the numbers, which letter case must not change. */
export function inOrder(one: Address, other: Address): [Address, Address] {
  return one.toLowerCase() < other.toLowerCase() ? [one, other] : [other, one]
}
