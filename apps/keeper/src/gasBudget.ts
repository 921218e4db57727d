/** What a keeper may spend on gas. */
export interface GasBudget {
  /**
   * Whether a call may cost this much more, besides what is `reserved` for transactions in flight. The last fifth of each
   * limit is for urgent calls: those that are impossible after a deadline.
   */
  allows: (wei: bigint, reserved: bigint, isUrgent: boolean) => boolean
  spend: (wei: bigint) => void
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
  // By minute; at most a day of them.
  const spent = new Map<number, bigint>()
  const minute = () => Math.floor(now() / minuteMs)
  const sumOver = (minutes: number) =>
    [...spent].reduce((sum, [at, wei]) => (at > minute() - minutes ? sum + wei : sum), 0n)
  const add = (at: number, wei: bigint) => {
    spent.set(at, (spent.get(at) ?? 0n) + wei)
    for (const each of spent.keys()) if (each <= minute() - day) spent.delete(each)
  }
  const windows = [
    { limit: hourWei, minutes: hour },
    { limit: dayWei, minutes: day },
  ]
  const computeLeft = (limit: bigint, minutes: number) => {
    const left = limit - sumOver(minutes)
    return left > 0n ? left : 0n
  }
  return {
    allows: (wei, reserved, isUrgent) =>
      windows.every(({ limit, minutes }) => {
        const usable = isUrgent ? limit : limit - limit / 5n
        return sumOver(minutes) + reserved + wei <= usable
      }),
    spend: (wei) => add(minute(), wei),
    // At the latest possible moment, so that it counts for as long as it may.
    restore(past) {
      add(minute(), past.hour)
      add(minute() - hour, past.day - past.hour)
    },
    left: () => ({ hour: computeLeft(hourWei, hour), day: computeLeft(dayWei, day) }),
  }
}
