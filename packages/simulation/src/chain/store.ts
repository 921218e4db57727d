/** Values with history: each change belongs to a tick, and ticks can be rolled back. */
export interface Store<K, V extends object> {
  /** The current value. */
  get: (key: K) => V | undefined
  /** The value after a tick. */
  at: (key: K, tick: number) => V | undefined
  /** Returns a copy to change in this tick. Replace nested values, do not mutate them. */
  edit: (key: K) => V
  keys: () => Iterable<K>
}

/** The timeline that all stores of a suite share. */
export interface Timeline {
  /** The tick that changes belong to now. */
  tick: number
  /** Begins the next tick. */
  advance: () => void
  /** Rolls back every change after this tick, which becomes the current one. */
  rewind: (tick: number) => void
  /** A store whose missing values begin as `first(key)`. */
  store: <K, V extends object>(first: (key: K) => V) => Store<K, V>
}

/** Creates a timeline at tick zero. */
export function createTimeline(): Timeline {
  // Changes in order of ticks, so that a rollback pops from the end.
  const changes: { tick: number; undo: () => void }[] = []
  const timeline: Timeline = {
    tick: 0,
    advance: () => {
      timeline.tick++
    },
    rewind(tick) {
      for (let last = changes.at(-1); last && last.tick > tick; last = changes.at(-1)) {
        last.undo()
        changes.pop()
      }
      timeline.tick = tick
    },
    store<K, V extends object>(first: (key: K) => V): Store<K, V> {
      const versions = new Map<K, { tick: number; value: V }[]>()
      return {
        get: (key) => versions.get(key)?.at(-1)?.value,
        at(key, tick) {
          const list = versions.get(key) ?? []
          for (let index = list.length - 1; index >= 0; index--) {
            const version = list[index]
            if (version && version.tick <= tick) return version.value
          }
          return undefined
        },
        edit(key) {
          let list = versions.get(key)
          const last = list?.at(-1)
          if (last && last.tick === timeline.tick) return last.value
          if (!list) {
            list = []
            versions.set(key, list)
          }
          const value = last ? { ...last.value } : first(key)
          list.push({ tick: timeline.tick, value })
          const own = list
          changes.push({
            tick: timeline.tick,
            undo: () => {
              own.pop()
              if (own.length === 0) versions.delete(key)
            },
          })
          return value
        },
        keys: () => versions.keys(),
      }
    },
  }
  return timeline
}
