import type { PreparedJson } from '@svc/operations'
import { findAction } from '@svc/protocol/actions'
import { actionText } from '../text/signing.ts'
import { shortenAddress } from '../ui/Address.tsx'
import { formatShort } from '../ui/Amount.tsx'
import { listMoneyLines, listOthers, type MoneyLine, type OtherLine } from './moneyLines.ts'

const labels = actionText.money

/** What the button says after "Sign": the amount that moves, or the verb of the action. */
export function describeSignature(all: readonly PreparedJson[]): string {
  // TOK that is bought with it never was in the wallet.
  const isBought = all.some(({ action }) => action === 'buy-tok')
  const lines = all.flatMap(listMoneyLines).filter(({ money }) => !isBought || money?.token !== 'tok')
  const [pays, locks] = (['pay', 'lock'] as const).map((fate) =>
    sum(lines.filter((line) => line.isFromWallet && line.fate === fate)),
  )
  const spent = [pays && actionText.signPay(pays), locks && actionText.signLock(locks)].filter(Boolean)
  if (spent.length > 0) return spent.join(actionText.and)
  const last = all.at(-1)
  const paid = last ? findPayout(listOthers(last)) : null
  if (paid) return actionText.signPay(formatShort(paid.amount, 'tok'))
  const gains = sum(lines.filter(({ fate, what }) => fate === 'receive' && what !== labels.depositBack))
  if (gains) return actionText.signReceive(gains)
  return lowerFirst(findAction(last?.action ?? '')?.verb ?? last?.title ?? '')
}

/** Says what an action brought, once it is done. Null if it moved no money to anybody. */
export function describeOutcome(prepared: PreparedJson): string | null {
  const paid = findPayout(listOthers(prepared))
  if (paid) {
    const who = paid.who === 'worker' ? shortenAddress(paid.address) : paid.who
    return actionText.outcomeOther(formatShort(paid.amount, 'tok'), who)
  }
  const gains = sum(
    listMoneyLines(prepared).filter(({ fate, what }) => fate === 'receive' && what !== labels.depositBack),
  )
  return gains ? actionText.outcomeOwn(gains) : null
}

/** Finds what escrow pays to the worker. A worker can get an exit deposit back besides, which is not pay. */
function findPayout(others: readonly OtherLine[]): { who: OtherLine['who']; address: string; amount: bigint } | null {
  const held = others.find(({ who }) => who === 'escrow of the task')
  const payee = others.find(
    ({ who, what, change }) =>
      (who === 'worker' || who === 'payouts to withdraw') && what === 'TOK' && !change.startsWith('-'),
  )
  if (!payee || !held?.change.startsWith('-')) return null
  const [released, gained] = [-BigInt(held.change), BigInt(payee.change)]
  return { who: payee.who, address: payee.address, amount: released < gained ? released : gained }
}

/** Adds up amounts by token: "1,000 TOK and 25.00 USDC". Empty if there is none. */
function sum(lines: readonly MoneyLine[]): string {
  return (['tok', 'usdc'] as const)
    .map((token) => ({
      token,
      total: lines.reduce((all, { money }) => all + (money?.token === token ? money.amount : 0n), 0n),
    }))
    .filter(({ total }) => total > 0n)
    .map(({ token, total }) => formatShort(total, token))
    .join(actionText.and)
}

/** "Submit work" becomes "submit work"; an abbreviation stays. */
export const lowerFirst = (verb: string) =>
  /^[A-Z][a-z]/.test(verb) ? verb.charAt(0).toLowerCase() + verb.slice(1) : verb
