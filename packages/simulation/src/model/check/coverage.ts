import type { Tables } from '../tables.ts'

/** The same tables, and a way to ask which of their rows no step has gone by yet. */
export function watched(tables: Tables): { tables: Tables; unused: () => string[] } {
  const unused = new Set<string>()
  const watch = <Row extends { operation: string; from: string; when?: string; effects: unknown }>(row: Row): Row => {
    const name = [row.operation, 'from', row.from, ...(row.when ? ['when', row.when] : [])].join(' ')
    unused.add(name)
    const { effects } = row
    // A step reads the effects of the row it goes by, and of no other.
    return Object.defineProperty({ ...row }, 'effects', {
      get: () => {
        unused.delete(name)
        return effects
      },
    })
  }
  const lifecycle = tables.lifecycle.map(watch)
  const disputes = tables.disputes.map(watch)
  return { tables: { ...tables, lifecycle, disputes }, unused: () => [...unused] }
}
