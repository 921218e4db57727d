import type { Market } from '@svc/protocol'
import { useSyncExternalStore } from 'react'
import type { Address, Hex } from 'viem'

/** Where a transaction is on its way. The last four are ends. */
export type Stage = 'signing' | 'sent' | 'in block' | 'safe' | 'rejected' | 'failed' | 'replaced' | 'dropped'

/** An action that the reader has signed, or was asked to. */
export interface Transaction {
  id: string
  action: string
  summary: string
  market: Market
  taskId?: string | undefined
  from: Address
  /** What its last call was made of, as far as a page needs it later. */
  input?: Readonly<Record<string, string>> | undefined
  stage: Stage
  /** Calls that a wallet took as one (EIP-5792) have an id of its own. */
  callsId?: string | undefined
  hashes: readonly Hex[]
  /** How many transactions it takes in all. */
  calls: number
  block?: number | undefined
  /** What went wrong, and the way out. */
  problem?: string | undefined
  /** Unix milliseconds. */
  began: number
}

const key = 'svc-transactions'
const most = 50

const listeners = new Set<() => void>()
let transactions = load()

/** The newest first. They survive a reload: a transaction goes on without its page. */
export function useTransactions(): readonly Transaction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => transactions,
  )
}

/** Those that are still on their way. */
export const openTransactions = () =>
  transactions.filter(({ stage }) => stage === 'signing' || stage === 'sent' || stage === 'in block')

/** One of them as it stands. */
export const findTransaction = (id: string) => transactions.find((each) => each.id === id)

/** Notes a new one. */
export function addTransaction(transaction: Transaction): void {
  save([transaction, ...transactions].slice(0, most))
}

/** Notes what became of one. */
export function changeTransaction(id: string, changes: Partial<Transaction>): void {
  save(transactions.map((each) => (each.id === id ? { ...each, ...changes } : each)))
}

/** Takes one off the list; the chain does not forget it. */
export function forgetTransaction(id: string): void {
  save(transactions.filter((each) => each.id !== id))
}

function save(next: readonly Transaction[]): void {
  transactions = next
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Without storage the list lives as long as the page.
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
