import { createRpcMetrics, recordBuildInfo } from '@svc/serve/metrics'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type NotifierMetrics = ReturnType<typeof createNotifierMetrics>

/** Metrics for operators. */
export function createNotifierMetrics() {
  const registry = new Registry()
  recordBuildInfo(registry)
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  let countInFlight = () => 0
  const seconds = new Histogram({
    name: 'svc_notifier_request_seconds',
    help: 'Time until an answer is ready.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
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
  const followedAt = new Gauge({
    name: 'svc_notifier_followed_timestamp_seconds',
    help: 'When the follower was last at the end of the index, in unix seconds.',
    registers,
  })
  new Gauge({
    name: 'svc_notifier_in_flight_requests',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(countInFlight())
    },
  })
  return {
    registry,
    rpcCall: createRpcMetrics(registry),
    watchInFlight(count: () => number) {
      countInFlight = count
    },
    answered(method: string, route: string, status: number, elapsed: number) {
      seconds.observe({ method, route, status: String(status) }, elapsed)
    },
    notified(kind: string) {
      notifications.inc({ kind })
    },
    attempted(channel: string, result: string) {
      sendings.inc({ channel, result })
    },
    followed() {
      followedAt.setToCurrentTime()
    },
  }
}
