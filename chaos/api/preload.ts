// Loaded into the API before it starts: tells its parent of every connection it makes, what it blocks, and what it holds.
import dgram from 'node:dgram'
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'

/** The app itself takes no notice of this argument. */
const allowed = new Set(process.argv.at(-1)?.split(','))
const tell = (told: Told) => process.send?.(told)

/** What the process tells of itself. */
export type Told = { kind: 'egress'; to: string } | { kind: 'blocked'; ms: number } | { kind: 'memory'; rss: number }

// The parent's channel alone must not keep the process alive, nor the process outlive its parent.
process.channel?.unref()
process.once('disconnect', () => process.exit(1))

const { connect } = Socket.prototype
Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  const to = placeOf(given.flat())
  if (!allowed.has(to)) tell({ kind: 'egress', to })
  return Reflect.apply(connect, this, given)
} as typeof connect

/** As `connect` takes it: options, a port and a host, or a path. */
function placeOf([first, host]: readonly unknown[]): string {
  if (typeof first !== 'object' || first === null) return typeof host === 'string' ? `${host}:${first}` : String(first)
  const given = first as { host?: string; port?: number; path?: string }
  return given.path ?? `${given.host ?? 'localhost'}:${given.port}`
}

const { lookup } = dns
dns.lookup = ((name: string, ...rest: unknown[]) => {
  if (name !== '127.0.0.1' && name !== 'localhost') tell({ kind: 'egress', to: `dns ${name}` })
  return Reflect.apply(lookup, dns, [name, ...rest])
}) as typeof lookup
dns.promises.lookup = ((name: string) => {
  tell({ kind: 'egress', to: `dns ${name}` })
  throw new Error('no names here')
}) as typeof dns.promises.lookup
dgram.createSocket = (() => {
  tell({ kind: 'egress', to: 'udp' })
  throw new Error('no datagrams here')
}) as typeof dgram.createSocket

/** Milliseconds that a host took from this machine's processors so far: a thread is charged for them as if it had run. */
function stolenMs(): number {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)[8]) * 10
  } catch {
    return 0
  }
}

/** Processor time of this thread between two turns: a busy machine does not add to it, nor does a busy host. */
let [spent, stolen] = [process.threadCpuUsage(), stolenMs()]
const turn = setInterval(() => {
  const { user, system } = process.threadCpuUsage(spent)
  const taken = stolenMs() - stolen
  ;[spent, stolen] = [process.threadCpuUsage(), stolen + taken]
  const ms = (user + system) / 1_000 - taken
  if (ms > 20) tell({ kind: 'blocked', ms })
}, 5)
turn.unref()
setInterval(() => tell({ kind: 'memory', rss: process.memoryUsage.rss() }), 100).unref()
