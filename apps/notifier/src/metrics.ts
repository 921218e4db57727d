import { channelNames } from '@svc/operations'
import { createServiceMetrics } from '@svc/serve/metrics'
import { Counter, Gauge, Registry } from 'prom-client'

/** Metrics for operators. */
export function createNotifierMetrics(registry = new Registry()) {
  const service = createServiceMetrics({
    requestSeconds: {
      name: 'svc_notifier_request_seconds',
      help: 'Time until an answer is ready.',
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    },
    inFlight: { name: 'svc_notifier_in_flight_requests' },
    responses: { name: 'svc_notifier_responses_total' },
    registry,
  })
  const registers = [registry]
  const notifications = new Counter({
    name: 'svc_notifier_notifications_total',
    help: 'Notifications written to inboxes, by kind.',
    labelNames: ['kind'],
    registers,
  })
  const sendings = new Counter({
    name: 'svc_notifier_attempts_total',
    help: 'Attempts to send a message, by channel and result.',
    labelNames: ['channel', 'result'],
    registers,
  })
  for (const channel of channelNames)
    for (const result of ['sent', 'retry', 'gone', 'expired']) sendings.inc({ channel, result }, 0)
  const block = new Gauge({
    name: 'svc_notifier_block_timestamp_seconds',
    help: 'Timestamp of the last block whose events were read, in unix seconds.',
    registers,
  })
  return {
    ...service,
    notified(kind: string) {
      notifications.inc({ kind })
    },
    attempted(channel: string, result: string) {
      sendings.inc({ channel, result })
    },
    followed(timestamp: number) {
      block.set(timestamp)
    },
  }
}
