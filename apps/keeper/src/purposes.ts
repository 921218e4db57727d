import type { NextStep } from '@svc/protocol/actions'
import type { TaskRecord } from '@svc/protocol/records'

/**
 * What a due call is for, in the order in which calls are made, with the tenths of the gas budget that are kept for it. The other
 * three tenths go to the first that need them. So no flood of calls for one purpose stops the calls for another.
 */
export const tenthsByPurpose = {
  /** Pays a worker or a judge. */
  payout: 4n,
  /** The escrow holds money of the task: it is refunded, or its dispute moves on. */
  refund: 2n,
  /** The escrow holds nothing. */
  housekeeping: 1n,
} as const

export type Purpose = keyof typeof tenthsByPurpose

export const purposes = Object.keys(tenthsByPurpose) as Purpose[]

/** Moves of money by which a worker or a judge is paid. */
const payments: ReadonlySet<NextStep['row']['money'][number]['move']> = new Set(['pay', 'settle task', 'loser pays'])

/** Finds what a due step is for. The tables of the protocol decide; nothing here knows a state or an action. */
export function findPurpose(
  { row }: Pick<NextStep, 'row'>,
  { funded, released, refunded }: Pick<TaskRecord, 'funded' | 'released' | 'refunded'>,
): Purpose {
  if (row.money.some(({ move }) => payments.has(move))) return 'payout'
  return funded > released + refunded ? 'refund' : 'housekeeping'
}

interface Ranked {
  purpose: Purpose
  since: number | null
}

/** Compares calls by their purpose. Within one, the call that has been due for longest is first. */
export function compareCalls(a: Ranked, b: Ranked): number {
  return purposes.indexOf(a.purpose) - purposes.indexOf(b.purpose) || (a.since ?? 0) - (b.since ?? 0)
}
