import type { Market } from '@svc/protocol'
import { findAction } from '@svc/protocol/actions'
import { useSyncExternalStore } from 'react'
import type { Address, Hex } from 'viem'

/** The stage of a transaction. The last four are final. */
export type Stage = 'signing' | 'sent' | 'in block' | 'safe' | 'rejected' | 'failed' | 'replaced' | 'dropped'

/** An action that the user has signed or was asked to sign. */
export interface Transaction {
  id: string
  action: string
  title: string
  market: Market
  taskId?: string | undefined
  from: Address
  /** The arguments of its last call that pages need later. */
  input?: Readonly<Record<string, string>> | undefined
  stage: Stage
  /** The id of the batch, if the wallet sent the calls as one (EIP-5792). */
  callsId?: string | undefined
  hashes: readonly Hex[]
  /** The total number of transactions. */
  calls: number
  block?: number | undefined
  /** What went wrong, and what to do. */
  problem?: string | undefined
  /** Unix milliseconds. */
  began: number
}

const key = 'svc-transactions'
const most = 50

const listeners = new Set<() => void>()
let transactions = load()

/** All transactions, newest first. They survive a reload, because a transaction continues without the page. */
export function useTransactions(): readonly Transaction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => transactions,
  )
}

/** Lists the transactions that are not final yet. */
export const openTransactions = () =>
  transactions.filter(({ stage }) => stage === 'signing' || stage === 'sent' || stage === 'in block')

/** Finds a transaction by id. */
export const findTransaction = (id: string) => transactions.find((each) => each.id === id)

/** The title of a transaction: what it does, or what it did once it is mined. */
export function describeTransaction({ action, title, stage }: Transaction): string {
  const isDone = stage === 'in block' || stage === 'safe'
  return (isDone && findAction(action)?.done) || title
}

/** Adds a transaction. */
export function addTransaction(transaction: Transaction): void {
  save([transaction, ...transactions].slice(0, most))
}

/** Updates a transaction. */
export function changeTransaction(id: string, changes: Partial<Transaction>): void {
  save(transactions.map((each) => (each.id === id ? { ...each, ...changes } : each)))
}

/** Removes a transaction from the list. It stays on the chain. */
export function forgetTransaction(id: string): void {
  save(transactions.filter((each) => each.id !== id))
}

function save(next: readonly Transaction[]): void {
  transactions = next
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Without storage, the list is lost when the page closes.
  }
  for (const listener of listeners) listener()
}

function load(): readonly Transaction[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(found) ? (found as Transaction[]).slice(0, most) : []
  } catch {
    return []
  }
}
