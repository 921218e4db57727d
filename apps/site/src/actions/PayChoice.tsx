import { ApiError } from '@svc/client'
import type { PreparedJson } from '@svc/operations'
import { useState } from 'react'
import { hasPool } from '../deployments.ts'
import { receiptText } from '../text/receipt.ts'

const labels = receiptText.payWith

/** What pays: TOK alone, or USDC for the TOK that is missing. */
export type PayWith = 'tok' | 'usdc'

const storageKey = 'svc-pay-with'

/** What this browser chose to pay with. Without a pool there is nothing to choose. */
export function usePayChoice(): [PayWith, (chosen: PayWith) => void] {
  const [chosen, setChosen] = useState<PayWith>(() => (hasPool && load() !== 'tok' ? 'usdc' : 'tok'))
  const choose = (next: PayWith) => {
    setChosen(next)
    try {
      localStorage.setItem(storageKey, next)
    } catch {
      // A browser that stores nothing asks again.
    }
  }
  return [chosen, choose]
}

function load(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

const swapErrors: ReadonlySet<string> = new Set(['NO_POOL', 'NO_LIQUIDITY', 'NO_PRICE', 'PRICE_OFF'])

/** Whether it matters what pays: TOK is missing. Whoever has enough of it swaps nothing. */
export function hasPayChoice(prepared: PreparedJson | undefined, error: Error | null, payWith: PayWith): boolean {
  if (!hasPool) return false
  if (!prepared) return error instanceof ApiError && swapErrors.has(String(error.code))
  if (payWith === 'tok') return prepared.simulation.status === 'refused'
  return prepared.swap?.side === 'buy' && prepared.action !== 'buy-tok'
}

/** The switch above the lines of a receipt. */
export function PayChoice({ chosen, onChoose }: { chosen: PayWith; onChoose: (chosen: PayWith) => void }) {
  return (
    <fieldset className="pay-choice">
      <legend className="visually-hidden">{labels.label}</legend>
      {(['tok', 'usdc'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={each === chosen} onClick={() => onChoose(each)}>
          {labels[each]}
        </button>
      ))}
    </fieldset>
  )
}
