/** A seeded source of random values: the same seed gives the same sequence. */
export interface Random {
  /** A whole number from 0 to `limit - 1`. */
  below: (limit: number) => number
  /** True with this probability. */
  chance: (probability: number) => boolean
  /** One of the items. Throws for an empty list. */
  pick: <T>(list: readonly T[]) => T
  /** 64 hex digits, without 0x. */
  word: () => string
}

/** Creates a random source from numbers: a seed alone, or a seed, a branch and a block (sfc32, seeded by splitmix). */
export function createRandom(...names: readonly number[]): Random {
  let state = 0x9e3779b9
  const stir = (value: number) => {
    state = (state + Math.imul(value ^ (value >>> 15), 0x85ebca6b) + 0x9e3779b9) | 0
    state = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    state = Math.imul(state ^ (state >>> 15), 0x735a2d97)
    state ^= state >>> 15
    return state | 0
  }
  for (const name of names) {
    stir(name | 0)
    stir(Math.floor(name / 2 ** 32))
  }
  let [a, b, c, counter] = [stir(1), stir(2), stir(3), 1]
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let warm = 0; warm < 12; warm++) next()
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit)
  return {
    below,
    chance: (probability) => next() / 2 ** 32 < probability,
    pick(list) {
      if (list.length === 0) throw new RangeError('Nothing can be picked from an empty list.')
      return list[below(list.length)] as (typeof list)[number]
    },
    word() {
      let text = ''
      for (let i = 0; i < 8; i++) text += next().toString(16).padStart(8, '0')
      return text
    },
  }
}
