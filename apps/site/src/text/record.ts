import { spellDuration } from './duration.ts'

/** The record of a wallet as far as it is shown beside an address. */
export interface ShortRecord {
  completedAsPoster: number
  completedAsWorker: number
  disputesLost: number
  dismissals: number
  leaves: number
  lapses: number
}

export const count = (number: number, noun: string) =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** What a wallet is known for, in a few words. A bare score says nothing to people. */
export function summarizeRecord({
  completedAsPoster: paid,
  completedAsWorker: done,
  disputesLost,
  ...faults
}: ShortRecord): string {
  const missed = faults.dismissals + faults.leaves + faults.lapses
  const parts = [
    done > 0 && `${count(done, 'task')} done`,
    paid > 0 && `paid ${count(paid, 'task')}`,
    disputesLost > 0 && `lost ${count(disputesLost, 'dispute')}`,
    missed > 0 && `missed ${missed === 1 ? '1 duty' : `${missed} duties`}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : 'New here'
}

/** What the words of a record count. */
export const recordTitle =
  'Tasks that this wallet did, tasks it paid for, disputes it lost and duties it missed, in this market.'

export const agentMark = 'Agent'
export const directoryTitle = 'Find someone'

/** With fewer cases, a time or a share says nothing about the next one. */
export const leastCases = 10

/** What is usual, and how many cases say so. Null with too few. */
export const describeUsual = (
  { seconds, count: cases }: { seconds: number | null; count: number },
  noun: string,
): { time: string; sample: string } | null =>
  seconds === null || cases < leastCases
    ? null
    : { time: spellDuration(seconds), sample: `based on ${count(cases, noun)}` }
