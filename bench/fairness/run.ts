import { setTimeout as wait } from 'node:timers/promises'
import { toHex } from 'viem'

export interface FairnessOptions {
  /** How often both are measured in turn, and for how long each time. In turn, so that a busy machine slows both. */
  rounds: number
  seconds: number
  /** The task that everybody asks about. */
  taskId: string
  /** Requests of the abusive client in a second, and at once before that. */
  abusePerSecond: number
  burst: number
}

/** What the clients of one kind got. */
export interface Outcome {
  /** How often each status was answered. */
  statuses: ReadonlyMap<number, number>
  /** The share of requests that succeeded. */
  success: number
  /** Times of successful requests in milliseconds, sorted. */
  times: readonly number[]
}

const others = Array.from({ length: 8 }, (_, index) => `198.51.${100 + index}.1`)
const otherPerSecond = 2
export const abuser = '203.0.113.66'
const settleSeconds = 1

/**
 * Measures `GET /api/actions/steps` of an API for eight ordinary clients, alone and beside a client that sends all it may.
 * Every request is about another wallet, so no two are the same. The API must trust 127.0.0.1 as a proxy.
 */
export async function measureFairness(
  url: string,
  options: FairnessOptions,
): Promise<{ alone: Outcome; beside: Outcome; abuser: Outcome }> {
  let wallet = 0
  const buildUrl = () => `${url}/api/actions/steps?id=${options.taskId}&address=${toHex(++wallet, { size: 20 })}`
  const sendFrom = (client: string) => send(buildUrl(), client)
  const [alone, beside, abuse] = [createTally(), createTally(), createTally()]

  async function measureBeside(): Promise<void> {
    const leaving = new AbortController()
    const abuseFrom = abuse.count((client) => send(buildUrl(), client, leaving.signal))
    const abused = [
      ...Array.from({ length: options.burst }, () => abuseFrom(abuser)),
      sendAtRate([abuser], options.abusePerSecond, options.seconds + settleSeconds, abuseFrom),
    ]
    // Its connections are open and its line is full before others are measured: that is this process's work, not the API's.
    await wait(settleSeconds * 1000)
    await sendAtRate(others, otherPerSecond, options.seconds, beside.count(sendFrom))
    leaving.abort()
    await Promise.all(abused)
  }

  // The first requests of a process are slow.
  await Promise.all(others.map(sendFrom))
  for (let round = 0; round < options.rounds; round++) {
    await sendAtRate(others, otherPerSecond, options.seconds, alone.count(sendFrom))
    await measureBeside()
  }
  return { alone: alone.sum(), beside: beside.sum(), abuser: abuse.sum() }
}

/** Returns the time below which this share of the requests was answered. */
export const findQuantile = ({ times }: Outcome, share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN

/** Sends at a steady rate from every client, whatever the answers. Resolves when all are answered. */
async function sendAtRate(
  clients: readonly string[],
  perSecond: number,
  seconds: number,
  sendFrom: (client: string) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const sent: Promise<void>[] = []
  const total = clients.length * perSecond * seconds
  while (sent.length < total) {
    const due = Math.min(total, ((performance.now() - began) / 1000) * perSecond * clients.length)
    while (sent.length < due) sent.push(sendFrom(clients[sent.length % clients.length] ?? ''))
    await new Promise((done) => setTimeout(done, 2))
  }
  await Promise.all(sent)
}

/** Returns the status of the answer; null if the client left before it. */
async function send(url: string, client: string, signal?: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(url, { headers: { 'x-forwarded-for': client }, ...(signal && { signal }) })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    if (signal?.aborted) return null
    throw error
  }
}

function createTally() {
  const statuses = new Map<number, number>()
  const times: number[] = []
  return {
    count: (sendFrom: (client: string) => Promise<number | null>) => async (client: string) => {
      const began = performance.now()
      const status = await sendFrom(client)
      if (status === null) return
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) times.push(performance.now() - began)
    },
    sum(): Outcome {
      const all = [...statuses.values()].reduce((sum, each) => sum + each, 0)
      return { statuses, success: times.length / all, times: times.toSorted((a, b) => a - b) }
    },
  }
}
