/** A JSON value with one change, and a description of it. */
export interface Mutation {
  what: string
  body: unknown
}

/** Creates a reproducible generator of numbers from 0 to below 1. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Place = readonly (string | number)[]

/** Changes one place of a value: a leaf gets another value of its type, or something is removed, repeated or added. */
export function mutateAnswer(value: unknown, random: () => number): Mutation {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const place = pick(listPlaces(value).filter(({ length }) => length > 0))
  const body = structuredClone(value)
  const parent = at(body, place.slice(0, -1)) as Record<string | number, unknown>
  const name = place.at(-1) as string | number
  const was = parent[name]
  const how = pick(['change', 'change', 'drop', Array.isArray(parent) ? 'double' : 'add'] as const)
  if (how === 'change') parent[name] = changeLeaf(was, random)
  else if (how === 'add') parent.smuggled = was
  else if (Array.isArray(parent))
    parent.splice(name as number, how === 'drop' ? 1 : 0, ...(how === 'drop' ? [] : [was]))
  else delete parent[name]
  return { what: `${how} ${place.join('.')}: ${JSON.stringify(was)?.slice(0, 80)}`, body }
}

/** Every place inside a value, containers included. */
function listPlaces(value: unknown, place: Place = []): Place[] {
  const inside = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return [
    place,
    ...inside.flatMap((name) =>
      listPlaces((value as Record<string, unknown>)[name], [...place, Array.isArray(value) ? Number(name) : name]),
    ),
  ]
}

const at = (value: unknown, place: Place): unknown =>
  place.reduce((each, name) => (each as Record<string | number, unknown>)[name], value)

function changeLeaf(value: unknown, random: () => number): unknown {
  if (typeof value === 'number') return value + (random() < 0.5 ? 1 : -1)
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return value === null ? '0' : null
  if (value === '') return ' '
  const index = Math.floor(random() * value.length)
  const letter = value[index] ?? ''
  // Changes the case of letters too: an address with another checksum is another text.
  const swapped = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
  const next = swapped !== letter && random() < 0.5 ? swapped : letter === '7' ? '8' : '7'
  return value.slice(0, index) + next + value.slice(index + 1)
}
