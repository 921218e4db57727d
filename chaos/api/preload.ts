// Loaded into the API before it starts. Reports every connection, blocked event loops and memory to the parent process.
import dgram from 'node:dgram'
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'

/** The allowed targets. The app ignores this argument. */
const allowed = new Set(process.argv.at(-1)?.split(','))
const report = (message: ProcessReport) => process.send?.(message)

/** What the process reports about itself. */
export type ProcessReport =
  | { kind: 'egress'; to: string }
  | { kind: 'blocked'; ms: number }
  | { kind: 'memory'; rss: number }

// The channel must not keep the process alive, and the process must not outlive its parent.
process.channel?.unref()
process.once('disconnect', () => process.exit(1))

const { connect } = Socket.prototype
Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  const to = describeTarget(given.flat())
  if (!allowed.has(to)) report({ kind: 'egress', to })
  return Reflect.apply(connect, this, given)
} as typeof connect

/** The target in any form that `connect` takes: options, a port and a host, or a path. */
function describeTarget([first, host]: readonly unknown[]): string {
  if (typeof first !== 'object' || first === null) return typeof host === 'string' ? `${host}:${first}` : String(first)
  const given = first as { host?: string; port?: number; path?: string }
  return given.path ?? `${given.host ?? 'localhost'}:${given.port}`
}

const { lookup } = dns
dns.lookup = ((name: string, ...rest: unknown[]) => {
  if (name !== '127.0.0.1' && name !== 'localhost') report({ kind: 'egress', to: `dns ${name}` })
  return Reflect.apply(lookup, dns, [name, ...rest])
}) as typeof lookup
dns.promises.lookup = ((name: string) => {
  report({ kind: 'egress', to: `dns ${name}` })
  throw new Error('DNS is not allowed here')
}) as typeof dns.promises.lookup
dgram.createSocket = (() => {
  report({ kind: 'egress', to: 'udp' })
  throw new Error('UDP is not allowed here')
}) as typeof dgram.createSocket

/** Milliseconds that the hypervisor took from this machine so far. A thread is charged for them as if it had run. */
function stolenMs(): number {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)[8]) * 10
  } catch {
    return 0
  }
}

/** CPU time of this thread between two turns. Other load on the machine or its host does not count. */
let [spent, stolen] = [process.threadCpuUsage(), stolenMs()]
const turn = setInterval(() => {
  const { user, system } = process.threadCpuUsage(spent)
  const taken = stolenMs() - stolen
  ;[spent, stolen] = [process.threadCpuUsage(), stolen + taken]
  const ms = (user + system) / 1_000 - taken
  if (ms > 20) report({ kind: 'blocked', ms })
}, 5)
turn.unref()
setInterval(() => report({ kind: 'memory', rss: process.memoryUsage.rss() }), 100).unref()
