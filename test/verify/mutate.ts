/** A JSON value with one thing changed in it, and what was changed. */
export interface Mutation {
  what: string
  body: unknown
}

/** Numbers from 0 below 1 that a seed repeats. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Place = readonly (string | number)[]

/** Changes one place of a value: a leaf becomes another of its kind, or something is dropped, doubled or added. */
export function mutate(value: unknown, random: () => number): Mutation {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const place = pick(placesOf(value).filter(({ length }) => length > 0))
  const body = structuredClone(value)
  const parent = at(body, place.slice(0, -1)) as Record<string | number, unknown>
  const name = place.at(-1) as string | number
  const was = parent[name]
  const how = pick(['change', 'change', 'drop', Array.isArray(parent) ? 'double' : 'add'] as const)
  if (how === 'change') parent[name] = other(was, random)
  else if (how === 'add') parent.smuggled = was
  else if (Array.isArray(parent))
    parent.splice(name as number, how === 'drop' ? 1 : 0, ...(how === 'drop' ? [] : [was]))
  else delete parent[name]
  return { what: `${how} ${place.join('.')}: ${JSON.stringify(was)?.slice(0, 80)}`, body }
}

/** Every place of a value but the whole, containers too. */
function placesOf(value: unknown, place: Place = []): Place[] {
  const inside = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return [
    place,
    ...inside.flatMap((name) =>
      placesOf((value as Record<string, unknown>)[name], [...place, Array.isArray(value) ? Number(name) : name]),
    ),
  ]
}

const at = (value: unknown, place: Place): unknown =>
  place.reduce((each, name) => (each as Record<string | number, unknown>)[name], value)

function other(value: unknown, random: () => number): unknown {
  if (typeof value === 'number') return value + (random() < 0.5 ? 1 : -1)
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return value === null ? '0' : null
  if (value === '') return ' '
  const index = Math.floor(random() * value.length)
  const letter = value[index] ?? ''
  // The case of a letter too: an address with another checksum is another text.
  const swapped = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
  const next = swapped !== letter && random() < 0.5 ? swapped : letter === '7' ? '8' : '7'
  return value.slice(0, index) + next + value.slice(index + 1)
}
