import { type Purpose, purposes, tenthsByPurpose } from './purposes.ts'

/** What a keeper may spend on gas. */
export interface GasBudget {
  /**
   * Whether a call may cost this much more, besides what is `reserved` for transactions in flight. It leaves alone what other
   * purposes have not used of their own part. Without a purpose, only the limits count.
   */
  allows: (wei: bigint, purpose: Purpose | null, reserved: Readonly<Record<Purpose, bigint>>) => boolean
  spend: (wei: bigint, purpose: Purpose) => void
  /** Counts what was spent before the start, in the last hour and in the last day. */
  restore: (past: { hour: bigint; day: bigint }) => void
  /** What is left of the hour's and of the day's limit. */
  left: () => { hour: bigint; day: bigint }
}

const minuteMs = 60_000
const [hour, day] = [60, 24 * 60]

/**
 * Creates a budget over the last hour and the last day, in steps of a minute. It begins empty: see `restore`. In any case the
 * balance of the wallet is the last limit.
 */
export function createGasBudget(
  { hourWei, dayWei }: { hourWei: bigint; dayWei: bigint },
  now: () => number = Date.now,
): GasBudget {
  const minute = () => Math.floor(now() / minuteMs)
  const spent = mapPurposes(() => createTally(minute))
  /** Spent before the start; nobody knows for what. */
  const before = createTally(minute)
  const windows = [
    { limit: hourWei, minutes: hour },
    { limit: dayWei, minutes: day },
  ]
  const computeLeft = (limit: bigint, minutes: number) => {
    const left = [before, ...Object.values(spent)].reduce((sum, each) => sum - each.sumOver(minutes), limit)
    return left > 0n ? left : 0n
  }
  return {
    allows: (wei, purpose, reserved) =>
      windows.every(({ limit, minutes }) => {
        const total = limit - before.sumOver(minutes)
        const taken = purposes.map((each) => {
          const used = spent[each].sumOver(minutes) + reserved[each]
          const guaranteed = (total * tenthsByPurpose[each]) / 10n
          return purpose === null || purpose === each || used > guaranteed ? used : guaranteed
        })
        return wei <= taken.reduce((left, each) => left - each, total)
      }),
    spend: (wei, purpose) => spent[purpose].add(minute(), wei),
    // At the latest possible moment, so that it counts for as long as it may.
    restore(past) {
      before.add(minute(), past.hour)
      before.add(minute() - hour, past.day - past.hour)
    },
    left: () => ({ hour: computeLeft(hourWei, hour), day: computeLeft(dayWei, day) }),
  }
}

/** Creates a record with a value for every purpose. */
export const mapPurposes = <T>(create: (purpose: Purpose) => T): Record<Purpose, T> =>
  Object.fromEntries(purposes.map((each) => [each, create(each)])) as Record<Purpose, T>

/** Adds up amounts by minute, over the last day. */
function createTally(minute: () => number) {
  const amounts = new Map<number, bigint>()
  return {
    add(at: number, wei: bigint) {
      amounts.set(at, (amounts.get(at) ?? 0n) + wei)
      for (const each of amounts.keys()) if (each <= minute() - day) amounts.delete(each)
    },
    sumOver: (minutes: number) =>
      [...amounts].reduce((sum, [at, wei]) => (at > minute() - minutes ? sum + wei : sum), 0n),
  }
}
