/** Values that remember what they were: each change belongs to a tick, and ticks can be taken back. */
export interface Store<K, V extends object> {
  /** As it is now. */
  get: (key: K) => V | undefined
  /** As it was after this tick. */
  at: (key: K, tick: number) => V | undefined
  /** The value to change in this tick; what it held before stays as it was. Nested values must be replaced, not changed. */
  edit: (key: K) => V
  keys: () => Iterable<K>
}

/** The time line that all stores of a suite share. */
export interface Timeline {
  /** The tick that changes belong to now. */
  tick: number
  /** Begins the next tick. */
  advance: () => void
  /** Takes back every change after this tick, which is then the current one. */
  rewind: (tick: number) => void
  /** A store whose missing values begin as `first(key)`. */
  store: <K, V extends object>(first: (key: K) => V) => Store<K, V>
}

/** A time line at tick zero. */
export function createTimeline(): Timeline {
  // What changed, in order of ticks: taking back means popping.
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
