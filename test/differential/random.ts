/** A seeded source of chance: the same seed gives the same sequence everywhere. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below: (limit: number) => number
  chance: (probability: number) => boolean
  pick: <T>(items: readonly T[]) => T
}

/** mulberry32: 32 bits of state are enough to choose test cases. */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('Nothing to pick from')
      return item
    },
  }
}
