import { randomInt } from 'node:crypto'

/**
 * Counts keys in two windows, in fixed memory. It never forgets a key and never counts one too low; a rare collision counts it
 * too high. A place of `find` stays valid.
 */
export interface CountSketch {
  /** Returns the place where a key is counted. */
  find: (key: string) => Uint32Array
  /** The counts of a place in this window and in the last one. */
  count: (place: Uint32Array) => number
  countPrevious: (place: Uint32Array) => number
  /** Counts once more in this window. Returns the new count. */
  add: (place: Uint32Array) => number
  /** Starts a new window. */
  advance: () => void
}

/** Powers of two, 1 MB for each window: with a million keys, a count is about ten too high. */
const [rows, columns] = [4, 2 ** 16]

/**
 * A count-min sketch with conservative update. A map would have to drop clients once it is full, and a client that changes its
 * address often would then choose which ones. The seeds are secret, so nobody can look for a collision with another client.
 */
export function createCountSketch(): CountSketch {
  let current = new Uint32Array(rows * columns)
  let previous = new Uint32Array(rows * columns)
  const first = randomInt(2 ** 32)
  const second = randomInt(2 ** 32)

  return {
    find(key) {
      const place = new Uint32Array(rows)
      let a = first
      let b = second
      for (let index = 0; index < key.length; index++) {
        const code = key.charCodeAt(index)
        a = Math.imul(a ^ code, 0x01_00_01_93)
        b = Math.imul(b ^ code, 0x85_eb_ca_6b)
      }
      a = mix(a)
      b = mix(b) | 1
      for (let row = 0; row < rows; row++) {
        place[row] = row * columns + ((a + Math.imul(row, b)) & (columns - 1))
      }
      return place
    },
    count: (place) => findLowest(current, place),
    countPrevious: (place) => findLowest(previous, place),
    add(place) {
      const count = findLowest(current, place) + 1
      for (let row = 0; row < rows; row++) {
        const cell = place[row] ?? 0
        if ((current[cell] ?? 0) < count) current[cell] = count
      }
      return count
    },
    advance() {
      ;[current, previous] = [previous, current]
      current.fill(0)
    },
  }
}

function findLowest(cells: Uint32Array, place: Uint32Array): number {
  let lowest = 0xff_ff_ff_ff
  for (let row = 0; row < rows; row++) {
    const count = cells[place[row] ?? 0] ?? 0
    if (count < lowest) lowest = count
  }
  return lowest
}

/** Spreads every bit over all others: the last step of MurmurHash3. */
function mix(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2_b2_ae_35)
  return value ^ (value >>> 16)
}
