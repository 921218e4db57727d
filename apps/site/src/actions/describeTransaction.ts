import { findAction } from '@svc/protocol/actions'
import type { Transaction } from './transactions.ts'

/** The title of a transaction: what it does, or what it did once it is mined. */
export function describeTransaction({ action, title, stage }: Transaction): string {
  const isDone = stage === 'in block' || stage === 'safe'
  return (isDone && findAction(action)?.done) || title
}
