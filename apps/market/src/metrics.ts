import { Counter, type Registry } from 'prom-client'

/** The parts of a market, in the order in which they start. */
const partNames = ['api', 'store', 'notifier', 'indexer', 'keeper', 'clerk'] as const
export type PartName = (typeof partNames)[number]

/** Creates the metrics of a market beside those of its parts. */
export function createMarketMetrics(registry: Registry) {
  const restarts = new Counter({
    name: 'svc_part_restarts_total',
    help: 'How often a part of the process failed and was started again.',
    labelNames: ['part'],
    registers: [registry],
  })
  for (const part of partNames) restarts.inc({ part }, 0)
  return { registry, restarted: (part: PartName) => restarts.inc({ part }) }
}
