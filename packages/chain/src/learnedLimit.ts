/** A size that a provider accepts, learned by trial: providers report "too large" in different words, and some wrongly. */
export interface LearnedLimit {
  /** The size to ask for. Infinite until something was rejected. */
  size: () => number
  accept: (size: number) => void
  /** `next`: the size to ask for instead, if not half of it. */
  reject: (size: number, next?: number) => void
}

export interface LearnedLimitOptions {
  /** The size to begin with, and the largest. */
  max?: number
  now?: () => number
}

/** A rejected size is not tried again for this long. Then the provider's plan, or the density of its data, may have changed. */
const forgetMs = 10 * 60_000
/** Accepted requests of full size before a larger one is tried. */
const growAfter = 16
/** Rejections of a size that was accepted before, until it counts as too large. One alone can be about dense data. */
const maxStrikes = 3

/** Creates a limit that halves when a size is rejected, and grows back slowly, never to a size that was rejected recently. */
export function createLearnedLimit({
  max = Number.POSITIVE_INFINITY,
  now = Date.now,
}: LearnedLimitOptions = {}): LearnedLimit {
  let [current, accepted, rejected, rejectedAt] = [max, 0, Number.POSITIVE_INFINITY, 0]
  let [streak, strikes, struck] = [0, 0, 0]
  const getCeiling = () => (now() - rejectedAt < forgetMs ? rejected : Number.POSITIVE_INFINITY)

  return {
    size: () => current,
    accept(size) {
      accepted = Math.max(accepted, size)
      if (size >= struck) [strikes, struck] = [0, 0]
      if (size < current || ++streak < growAfter) return
      streak = 0
      const ceiling = getCeiling()
      const larger = ceiling === Number.POSITIVE_INFINITY ? current * 2 : Math.floor((current + ceiling) / 2)
      current = Math.min(max, larger)
    },
    reject(size, next) {
      streak = 0
      if (size <= accepted) {
        // The halves of what was just rejected say nothing new.
        if (size < struck) return
        struck = size
        if (++strikes < maxStrikes) return
        accepted = 0
      }
      ;[strikes, struck] = [0, 0]
      rejected = Math.min(getCeiling(), size)
      rejectedAt = now()
      current = Math.max(1, accepted, next ?? Math.floor(size / 2))
    },
  }
}
