import type { Metric } from 'prom-client'

/** Upper ends in seconds; the last bucket has none. */
const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10] as const

interface Cell {
  labels: { method: string; route: string; status: number }
  /** How many fell into each bucket alone. */
  counts: number[]
  sum: number
}

/**
 * A histogram by method, route and status. Every request passes here, and prom-client's own costs a microsecond for each: it
 * writes the labels out as text every time.
 */
export function createDurations(name: string, help: string) {
  const cells = new Map<string, Cell>()

  function cellOf(method: string, route: string, status: number): Cell {
    const key = `${method} ${route} ${status}`
    let cell = cells.get(key)
    if (!cell) {
      cell = { labels: { method, route, status }, counts: [...bounds, 0].map(() => 0), sum: 0 }
      cells.set(key, cell)
    }
    return cell
  }

  const valuesOf = ({ labels, counts, sum }: Cell) => {
    const upTo = (index: number) => counts.slice(0, index + 1).reduce((a, b) => a + b)
    return [
      ...counts.map((_, index) => ({
        labels: { ...labels, le: bounds[index] ?? '+Inf' },
        value: upTo(index),
        metricName: `${name}_bucket`,
      })),
      { labels, value: sum, metricName: `${name}_sum` },
      { labels, value: upTo(bounds.length), metricName: `${name}_count` },
    ]
  }

  return {
    observe(method: string, route: string, status: number, seconds: number) {
      const cell = cellOf(method, route, status)
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket++
      cell.counts[bucket] = (cell.counts[bucket] ?? 0) + 1
      cell.sum += seconds
    },
    /** As a registry of prom-client wants it. */
    metric: {
      name,
      get: async () => ({
        name,
        help,
        type: 'histogram',
        aggregator: 'sum',
        values: [...cells.values()].flatMap(valuesOf),
      }),
    } as unknown as Metric,
  }
}
