import { pauseThreshold } from '@svc/protocol'
import { depositLineOf } from '@svc/protocol/http'
import type { Wallet } from '../../reads/readHoldings.ts'

type Solvency = ReturnType<typeof depositLineOf> | 'near'

/** How a deposit stands, in words. */
export const solvencyWords: Readonly<Record<Solvency, string>> = {
  paused: 'Paused',
  near: 'About to be paused',
  'below-entry': 'Below entry',
  'below-recommended': 'Below recommended',
  ready: 'Well funded',
}

/** The line a deposit stands at; near: it would be under the pause line, were all that live tasks reserve of it taken. */
export function solvencyOf({ deposit, reserved }: Pick<Wallet, 'deposit' | 'reserved'>): Solvency {
  const line = depositLineOf(deposit)
  return line !== 'paused' && deposit - reserved < pauseThreshold ? 'near' : line
}
