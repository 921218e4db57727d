/** What the drill of the alerts breaks. Each has its row in docs/operations.md. */
export const faultNames = [
  'replica',
  'indexers',
  'store',
  'database',
  'chain',
  'providers',
  'provider',
  'row',
  'key',
  'keeper',
  'paused',
  'connections',
  'upgrade',
] as const

export type FaultName = (typeof faultNames)[number]
