import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { followEvents } from '@svc/client'
import { startFixture } from '../../chaos/shared/fixture.ts'
import { startReplica } from '../../chaos/shared/replica.ts'
import { findFreePorts } from '../../test/harness/freePorts.ts'
import { reserveNginxPorts, startNginx } from '../../test/harness/nginx.ts'
import { addToHash, emptyHash, type ListenerReport, type ListenerTask } from './listeners.ts'

export interface StreamsOptions {
  listeners: number
  /** Blocks of each phase. */
  blocks: number
  log: (line: string) => void
}

/** What a phase showed: how long after a listener at a replica the listeners behind nginx had each message. */
interface Phase {
  name: string
  messages: number
  /** Deliveries that were due, and that happened. */
  due: number
  delivered: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** Connections that were opened in this phase. */
  opened: number
  seconds: number
}

export interface StreamsReport {
  phases: Phase[]
  connectSeconds: number
  /** Proportional memory of nginx for each listener. */
  bytesPerListener: number
  /** Listeners whose sequence of messages was not that of the chain. */
  wrong: number
}

/** Processes that hold the listeners. Each comes from its own address, which has only so many ports. */
const processes = 4
const path = '/api/market/events?market=standard'

/** Measures the fan-out of the real API through nginx, and of nginx alone with the same messages. */
export async function runStreamsBench({ listeners, blocks, log }: StreamsOptions): Promise<StreamsReport> {
  const fixture = await startFixture(1, 500)
  fixture.chain.pause()
  const closing: (() => Promise<unknown>)[] = [fixture.stop]
  try {
    await fixture.startIndexer()
    const { ports, hub } = await reserveNginxPorts()
    const replicaPorts = await findFreePorts(2)
    const env = { SVC_STREAM_HUBS: hub, SVC_TRUSTED_PROXIES: '127.0.0.1' }
    const replicas = await Promise.all(replicaPorts.map((port) => startReplica(fixture, port, env)))
    const nginx = await startNginx(replicaPorts, { ports, streams: true, alter: raiseLimits })
    closing.push(nginx.stop)
    const [publicPort = 0] = ports

    // What listeners should get: one listener at a replica, without nginx.
    const control = new Map<string, { at: number; text: string }>()
    const leaving = new AbortController()
    closing.push(async () => leaving.abort())
    void (async () => {
      const newest = await fetch(`${replicas[0]?.url}/api/market/events?market=standard&limit=1`)
      const { meta } = (await newest.json()) as { meta: { nextCursor: string } }
      const baseUrl = replicas[0]?.url ?? ''
      const { signal } = leaving
      for await (const message of followEvents({ baseUrl, market: 'standard', after: meta.nextCursor, signal })) {
        if (message.kind !== 'event') throw new Error(`The chain went back: ${message.kind}.`)
        const text = `data: ${JSON.stringify(message.event)}\nid: ${message.id}\n\n`
        control.set(message.id, { at: performance.timeOrigin + performance.now(), text })
      }
    })()
    await wait(1_000)

    const phases: Phase[] = []
    const children = startChildren()
    closing.push(() => stopChildren(children))
    const connectSeconds = await connectAll(children, { port: publicPort, path, listeners, log })
    const bytesPerListener = (await measureMemory(nginx.folder)) / listeners
    const measurePhase = async (name: string, meanwhile: () => Promise<unknown>) => {
      const known = control.size
      const began = performance.now()
      const disturbed = meanwhile()
      for (let block = 0; block < blocks; block++) {
        fixture.chain.simulation.mine(3)
        await wait(2_000)
      }
      await disturbed
      const fresh = () => [...control].slice(known)
      const isAll = (count: number, connected: number) =>
        count === fresh().length * listeners && connected === listeners
      const { arrivals, opened } = await collect(children, isAll, 90_000)
      const delays = fresh().flatMap(([id, { at }]) => (arrivals.get(id) ?? []).map((time) => time - at))
      const phase = summarize(name, delays, { messages: fresh().length, listeners, opened, began })
      phases.push(phase)
      log(`${name}: ${phase.delivered.toLocaleString('en')} of ${phase.due.toLocaleString('en')} delivered`)
    }
    await measurePhase('undisturbed', async () => {})
    await measurePhase('nginx killed and started again', async () => wait(1_000).then(nginx.restart))
    await measurePhase('a replica killed and started again', async () => {
      await wait(1_000)
      await replicas[1]?.process.kill('SIGKILL')
      replicas[1] = await startReplica(fixture, replicaPorts[1], env)
    })
    const hash = [...control.keys()].reduce(addToHash, emptyHash)
    const sequences = (await report(children)).map((each) => each.sequences[`${control.size} ${hash}`] ?? 0)
    const wrong = listeners - sequences.reduce((sum, count) => sum + count, 0)
    await stopChildren(children)
    await wait(2_000)

    // nginx alone: the messages of one block at a time, handed to it by this process.
    const bareChildren = startChildren()
    closing.push(() => stopChildren(bareChildren))
    await connectAll(bareChildren, { port: publicPort, path: '/bare', listeners, log })
    const texts = new Map<string, string[]>()
    for (const [id, { text }] of [...control].slice(0, phases[0]?.messages)) {
      const [block = ''] = id.split(':')
      texts.set(block, [...(texts.get(block) ?? []), text])
    }
    const sent = new Map<string, number>()
    const began = performance.now()
    for (const [block, messages] of texts) {
      const at = performance.timeOrigin + performance.now()
      for (const [id] of control) if (id.startsWith(`${block}:`)) sent.set(id, at)
      const headers = { accept: 'application/json' }
      const answer = await fetch(`${hub}/bare`, { method: 'POST', headers, body: messages.join('') })
      if (!answer.ok) throw new Error(`nginx answered ${answer.status}.`)
      await wait(2_000)
    }
    const { arrivals, opened } = await collect(bareChildren, (count) => count === sent.size * listeners, 60_000)
    const delays = [...sent].flatMap(([id, at]) => (arrivals.get(id) ?? []).map((time) => time - at))
    phases.push(summarize('nginx alone', delays, { messages: sent.size, listeners, opened, began }))
    await stopChildren(bareChildren)
    return { phases, connectSeconds, bytesPerListener, wrong }
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** Tens of thousands of listeners come from four addresses, and a process here has at most 20,000 open files. */
function raiseLimits(conf: string): string {
  return conf
    .replace(/limit_conn stream_(clients|networks) \d+;/g, 'limit_conn stream_$1 60000;')
    .replace('worker_processes auto', 'worker_processes 4')
    .replace('worker_rlimit_nofile 32768', 'worker_rlimit_nofile 20000')
    .replace('worker_connections 8192', 'worker_connections 19000')
    .replace(
      /(?=location ~ \^\/streams\/)/,
      'location = /bare { nchan_subscriber http-raw-stream; nchan_channel_id bare; nchan_subscriber_first_message newest; nchan_subscriber_http_raw_stream_separator ""; }\n',
    )
}

function startChildren(): ChildProcess[] {
  const file = fileURLToPath(new URL('./listeners.ts', import.meta.url))
  return Array.from({ length: processes }, () => fork(file, { serialization: 'advanced' }))
}

async function stopChildren(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) {
    if (!child.connected) continue
    child.send('leave')
    await Promise.race([once(child, 'exit'), wait(10_000)])
    child.kill('SIGKILL')
  }
}

interface Connecting {
  port: number
  path: string
  listeners: number
  log: (line: string) => void
}

/** Connects all listeners, and returns how many seconds it took. */
async function connectAll(children: readonly ChildProcess[], { log, listeners, ...at }: Connecting): Promise<number> {
  const began = performance.now()
  for (const [index, child] of children.entries()) {
    const share = Math.floor((listeners + index) / children.length)
    child.send({ ...at, host: '127.0.0.1', from: `127.0.0.${index + 2}`, count: share } satisfies ListenerTask)
  }
  for (let connected = 0; connected < listeners; ) {
    await wait(1_000)
    connected = (await report(children)).reduce((sum, each) => sum + each.connected, 0)
    if (performance.now() - began > 300_000) throw new Error(`Only ${connected} listeners connected.`)
  }
  const seconds = (performance.now() - began) / 1000
  log(`${listeners.toLocaleString('en')} listeners at ${at.path} connected in ${seconds.toFixed(1)} s`)
  return seconds
}

const report = (children: readonly ChildProcess[]): Promise<ListenerReport[]> =>
  Promise.all(
    children.map(async (child) => {
      child.send('report')
      const [answer]: [ListenerReport] = (await once(child, 'message')) as [ListenerReport]
      return answer
    }),
  )

/** Collects when messages arrived, until all have and everybody is connected, or `ms` have passed. */
async function collect(
  children: readonly ChildProcess[],
  isAll: (count: number, connected: number) => boolean,
  ms: number,
) {
  const arrivals = new Map<string, number[]>()
  let opened = 0
  for (const began = performance.now(); performance.now() - began < ms; await wait(2_000)) {
    let connected = 0
    for (const each of await report(children)) {
      connected += each.connected
      opened += each.opened
      for (const [id, times] of Object.entries(each.arrivals)) {
        const known = arrivals.get(id) ?? []
        for (const time of times) known.push(time)
        arrivals.set(id, known)
      }
    }
    if (
      isAll(
        [...arrivals.values()].reduce((sum, times) => sum + times.length, 0),
        connected,
      )
    )
      break
  }
  return { arrivals, opened }
}

function summarize(
  name: string,
  delays: readonly number[],
  { messages, listeners, opened, began }: { messages: number; listeners: number; opened: number; began: number },
): Phase {
  const sorted = Float64Array.from(delays).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const seconds = (performance.now() - began) / 1000
  const times = { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
  return { name, messages, due: messages * listeners, delivered: sorted.length, ...times, opened, seconds }
}

/** The proportional memory of nginx and its workers. */
async function measureMemory(folder: string): Promise<number> {
  const master = (await readFile(`${folder}/nginx.pid`, 'utf8')).trim()
  let bytes = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    if (pid !== master && !new RegExp(`^PPid:\\t${master}$`, 'm').test(status)) continue
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    bytes += Number(kilobytes) * 1024
  }
  return bytes
}
