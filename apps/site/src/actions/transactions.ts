import type { Market } from '@svc/protocol'
import type { Approval } from '@svc/protocol/internal/actions'
import { useSyncExternalStore } from 'react'
import type { Address, Hex } from 'viem'
import type { RequestedAction } from './readBack.ts'

/** The stage of a transaction. From `rejected` on, all are final; `partial` means that some calls were sent and the rest was not. */
export type Stage =
  | 'signing'
  | 'sent'
  | 'in block'
  | 'safe'
  | 'rejected'
  | 'failed'
  | 'replaced'
  | 'dropped'
  | 'partial'

/** One call of a transaction, as a part of a sentence: "approval of 25.00 USDC". */
export interface Part {
  name: string
  /** The allowance that the call gives. The amount is in the smallest unit. */
  approval?: (Omit<Approval, 'amount'> & { amount: string }) | undefined
  /** What the wallet has through it: "2,000 TOK". */
  holds?: string | undefined
}

/** What happened and what happens next. */
export interface After {
  title: string
  text: string
  /** What left the wallet. */
  left: string
  next: readonly (readonly [what: string, when: string])[]
  link?: { label: string; href: string }
}

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
  /** How many of the calls are in a block and cannot be taken back. Counts single transactions, not batches. */
  stands?: number | undefined
  /** What each call does. */
  parts?: readonly Part[] | undefined
  /** What was asked for, so that the rest of a partial transaction can be prepared again. */
  asked?: RequestedAction | undefined
  /** Identifies what was asked for, so that the same request is not sent twice. */
  key?: string | undefined
  block?: number | undefined
  /** What the dialog says once it is done. */
  after?: After | undefined
  /** What went wrong, and what to do. */
  problem?: string | undefined
  /** Unix milliseconds. */
  began: number
}

const storageKey = 'svc-transactions'
const maxTransactions = 50

const listeners = new Set<() => void>()
let transactions: readonly Transaction[] = []
/** Whether the browser stores the list. If not, it lasts until the page closes. */
let isStored = true
load()

// Other tabs share the list.
window.addEventListener('storage', ({ key }) => {
  if (key !== storageKey) return
  load()
  notify()
})

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

/** Whether a transaction is not in a block yet. */
export const isPending = ({ stage }: Transaction): boolean => stage === 'signing' || stage === 'sent'

/** Lists the transactions that are not final yet. */
export const openTransactions = () => {
  load()
  return transactions.filter((each) => isPending(each) || each.stage === 'in block')
}

/** Finds a transaction by id. */
export const findTransaction = (id: string) => transactions.find((each) => each.id === id)

/** Finds a transaction for the same request that is on its way, in this tab or another. */
export function findPending(key: string): Transaction | undefined {
  load()
  return transactions.find((each) => each.key === key && isPending(each))
}

/** Adds a transaction. */
export function addTransaction(transaction: Transaction): void {
  update((all) => [transaction, ...all].slice(0, maxTransactions))
}

/** Updates a transaction. */
export function changeTransaction(id: string, changes: Partial<Transaction>): void {
  update((all) => all.map((each) => (each.id === id ? trim({ ...each, ...changes }) : each)))
}

/** Removes a transaction from the list. It stays on the chain. */
export function forgetTransaction(id: string): void {
  update((all) => all.filter((each) => each.id !== id))
}

/** What was asked for can be large, and is only needed while something of it may have to be sent again. */
const trim = ({ asked, ...rest }: Transaction): Transaction =>
  rest.stage === 'signing' || rest.stage === 'sent' || rest.stage === 'partial' ? { asked, ...rest } : rest

function update(change: (all: readonly Transaction[]) => readonly Transaction[]): void {
  // Another tab may have changed the list since it was read here.
  load()
  transactions = change(transactions)
  try {
    localStorage.setItem(storageKey, JSON.stringify(transactions))
  } catch {
    isStored = false
  }
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function load(): void {
  if (!isStored) return
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    transactions = Array.isArray(found) ? (found as Transaction[]).slice(0, maxTransactions) : []
  } catch {
    transactions = []
  }
}
