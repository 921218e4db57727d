import { findDepositLine } from '@svc/operations'
import { pauseThreshold } from '@svc/protocol'
import type { Wallet } from '../../reads/readHoldings.ts'

type Solvency = ReturnType<typeof findDepositLine> | 'near'

/** Labels of the solvency levels. */
export const solvencyWords: Readonly<Record<Solvency, string>> = {
  paused: 'Entries paused',
  near: 'Entries about to pause',
  'below-entry': 'Below entry',
  'below-recommended': 'Below recommended',
  ready: 'Enough',
}

/** The solvency level of a deposit. Near: it would fall below the pause threshold if everything reserved by live tasks were taken. */
export function renderSolvency({ deposit, reserved }: Pick<Wallet, 'deposit' | 'reserved'>): Solvency {
  const line = findDepositLine(deposit)
  return line !== 'paused' && deposit - reserved < pauseThreshold ? 'near' : line
}
