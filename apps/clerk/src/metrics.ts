import { markets } from '@svc/protocol'
import { Counter, Gauge, Registry } from 'prom-client'
import type { ClerkEvent } from './clerk.ts'

/** Creates the metrics of the clerk. */
export function createClerkMetrics(registry = new Registry()) {
  const common = { registers: [registry] }
  const disputes = new Gauge({
    ...common,
    labelNames: ['market'] as const,
    name: 'svc_clerk_disputes',
    help: 'Disputed tasks that are followed.',
  })
  const grants = new Counter({ ...common, name: 'svc_clerk_grants_total', help: 'Grants to reading keys of judges.' })
  const waitingJudges = new Gauge({
    ...common,
    name: 'svc_clerk_waiting_judges',
    help: 'Seated judges who have not signed in at the store, so that nothing can be granted to them.',
  })
  const unopened = new Gauge({
    ...common,
    labelNames: ['why'] as const,
    name: 'svc_clerk_unopened_bundles',
    help: 'Bundles that a seated judge waits for and the clerk cannot open: closed if no party has shared them.',
  })
  const served = new Gauge({
    ...common,
    name: 'svc_clerk_served_timestamp_seconds',
    help: 'When chain and store last answered everything, in unix seconds.',
  })
  const block = new Gauge({
    ...common,
    name: 'svc_clerk_block_timestamp_seconds',
    help: 'Timestamp of the last block that was read, in unix seconds.',
  })
  const faults = new Counter({
    ...common,
    name: 'svc_clerk_faults_total',
    help: 'Parts of a poll that failed, because a provider or the store did.',
  })

  for (const market of markets) disputes.set({ market }, 0)

  return {
    registry,
    record(event: ClerkEvent): void {
      if (event.kind === 'granted') grants.inc(event.readers.length)
      else if (event.kind === 'fault') faults.inc()
      else if (event.kind === 'polled') {
        const { status } = event
        for (const market of markets) disputes.set({ market }, status.disputes[market])
        waitingJudges.set(status.waitingJudges)
        for (const [why, count] of Object.entries(status.unopened)) unopened.set({ why }, count)
        block.set(status.timestamp)
        if (status.isServing) served.setToCurrentTime()
      }
    },
  }
}
