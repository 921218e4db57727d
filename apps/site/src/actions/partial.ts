import { actionText } from '../text/signing.ts'
import type { RequestedAction } from './readBack.ts'
import type { Part, Transaction } from './transactions.ts'

/** Says what was sent of a transaction and stands, what the wallet has through it, why the rest was not sent, and what that is. */
export function describePartial(parts: readonly Part[], stands: number, reason: string): string {
  const names = parts.map(({ name }) => name)
  const { sent, holds, notSent } = actionText.partial
  const held = parts.slice(0, stands).flatMap((part) => part.holds ?? [])
  return [
    sent(names.slice(0, stands)),
    ...(held.length > 0 ? [holds(held)] : []),
    reason,
    notSent(names.slice(stands)),
  ].join(' ')
}

/** The action that takes an allowance back which nothing has used. Null if there is none. */
export function findUndo({ stage, parts = [], stands = 0, market, from }: Transaction): RequestedAction | null {
  const approval = stage === 'partial' ? parts[stands - 1]?.approval : undefined
  if (approval?.token === 'tok' && approval.spender === 'paymentGateway') {
    return { action: 'approve-tok-router', input: { market, amountTokWei: '0' }, from }
  }
  if (approval?.token === 'usdc' && approval.spender === 'depositVault') {
    return { action: 'approve-usdc-vault', input: { market, amountUsdc: '0' }, from }
  }
  return null
}
