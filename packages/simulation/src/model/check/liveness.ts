import type { Actor } from './property.ts'

/** The explored states, by number, and the steps between them. */
export interface Graph {
  terminal: boolean[]
  edges: { from: number; to: number; actor: Actor }[]
}

/** 4, first half: a state from which time and strangers alone reach no end. */
export function stuck({ terminal, edges }: Graph): number | null {
  const byWaiting = edges.filter(({ actor }) => actor === 'time' || actor === 'stranger')
  const sources = Map.groupBy(byWaiting, ({ to }) => to)
  const reached = new Set<number>()
  terminal.forEach((isEnd, state) => {
    if (isEnd) reached.add(state)
  })
  // A set hands out what is added while it is walked.
  for (const state of reached) {
    for (const { from } of sources.get(state) ?? []) reached.add(from)
  }
  const dead = terminal.findIndex((_, state) => !reached.has(state))
  return dead < 0 ? null : dead
}

/** 4, second half: a state in which time passes and that comes again, so that somebody can put the end off for ever. */
export function endless({ terminal, edges }: Graph): number | null {
  const component = components(terminal.length, edges)
  const loop = edges.find(({ from, to, actor }) => actor === 'time' && component[from] === component[to])
  return loop?.from ?? null
}

/** Tarjan's strongly connected components, without recursion: the number of each state's component. */
function components(count: number, edges: Graph['edges']): Int32Array {
  const targets: number[][] = Array.from({ length: count }, () => [])
  for (const { from, to } of edges) targets[from]?.push(to)
  const component = new Int32Array(count).fill(-1)
  const order = new Int32Array(count).fill(-1)
  const low = new Int32Array(count)
  const path: number[] = []
  let visited = 0
  for (let root = 0; root < count; root++) {
    if (order[root] !== -1) continue
    const work = [{ state: root, next: 0 }]
    while (work.length > 0) {
      const top = work.at(-1) as { state: number; next: number }
      const { state } = top
      if (order[state] === -1) {
        order[state] = low[state] = visited++
        path.push(state)
      }
      const target = targets[state]?.[top.next++]
      if (target !== undefined) {
        if (order[target] === -1) work.push({ state: target, next: 0 })
        else if (component[target] === -1) low[state] = Math.min(low[state] as number, low[target] as number)
        continue
      }
      work.pop()
      const parent = work.at(-1)
      if (parent) low[parent.state] = Math.min(low[parent.state] as number, low[state] as number)
      if (low[state] !== order[state]) continue
      let member: number | undefined
      do {
        member = path.pop()
        if (member !== undefined) component[member] = state
      } while (member !== state && member !== undefined)
    }
  }
  return component
}
