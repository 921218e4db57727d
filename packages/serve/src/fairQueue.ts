import { ServiceError, unavailable } from '@svc/operations'
import { type Client, findWidestNetwork } from './clientNetworks.ts'

export interface FairQueueOptions {
  /** The most cost that runs at once, in all and of one network. The rest is there for everybody else at any time. */
  maxRunning: number
  maxRunningPerNetwork: number
  /** The most of one client or member; no limit of its own without. */
  maxRunningPerClient?: number
  /** The most requests that wait, in all and of one network. */
  maxWaiting: number
  maxWaitingPerNetwork: number
  /** What the jobs wait for, in error messages. */
  resource?: string
}

interface Job<T> {
  client: Client
  /** Who takes turns with others of the network: the client, unless it is a wallet. */
  member?: string
  /** How much of the resource it uses, compared with others. */
  cost: number
  run: () => Promise<T>
  /** Aborted when the client has gone: a job that still waits is then dropped. */
  signal?: AbortSignal | undefined
}

/**
 * Runs jobs that share a resource. Networks take turns by the cost that they have used, and so do the clients of a network: a
 * client that sends much waits for itself, not others for it. Throws 429 if a network has too many jobs waiting, 503 if all
 * together have.
 */
export interface FairQueue {
  <T>(job: Job<T>): Promise<T>
  /** Jobs that run and wait, for metrics. */
  size: () => { running: number; waiting: number }
}

interface Waiting {
  cost: number
  start: () => void
  refuse: (error: Error) => void
}

/** The jobs of one client. Its turn comes when it has used the least. */
interface ClientLine {
  /** The cost that it has used, or would have used by now if it had not been idle. */
  used: number
  waiting: Waiting[]
}

interface NetworkLine {
  used: number
  /** What its clients had used when the last of its jobs started: where a new client begins. */
  clock: number
  clients: Map<Client, ClientLine>
  waiting: number
  /** The cost of its jobs that run. */
  running: number
  /** The same by client. */
  runningByClient: Map<Client, number>
}

/** Start-time fair queueing in two levels. Idle networks and clients are forgotten, so memory is bounded by what waits and runs. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxRunningPerNetwork, maxWaiting, maxWaitingPerNetwork } = options
  const { maxRunningPerClient = maxRunningPerNetwork, resource = 'the chain' } = options
  const networks = new Map<Client, NetworkLine>()
  let [running, jobs, waiting, clock] = [0, 0, 0, 0]

  async function runJob<T>({ client: sender, member, cost: given, run, signal }: Job<T>): Promise<T> {
    const name = findWidestNetwork(sender)
    const client = member ?? sender
    const network = networks.get(name) ?? createNetwork(name)
    // A job that costs more than may run at once runs alone.
    const cost = Math.min(given, maxRunningPerClient)
    try {
      await waitForTurn(network, client, cost, signal)
    } catch (error) {
      forgetIdle(name, network)
      throw error
    }
    try {
      return await run()
    } finally {
      running -= cost
      addRunning(network, client, -cost)
      jobs--
      startWaiting()
      forgetIdle(name, network)
    }
  }

  function waitForTurn(network: NetworkLine, client: Client, cost: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw gone()
    makeRoom(network, client)
    return new Promise((start, refuse) => {
      const line = network.clients.get(client) ?? { used: network.clock, waiting: [] }
      network.clients.set(client, line)
      // What was idle does not save up turns.
      if (network.waiting === 0) network.used = Math.max(network.used, clock)
      if (line.waiting.length === 0) line.used = Math.max(line.used, network.clock)
      const job = { cost, start, refuse }
      line.waiting.push(job)
      network.waiting++
      waiting++
      const giveUp = () => {
        leave(network, client, job)
        refuse(gone())
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      startWaiting()
    })
  }

  /** Throws if nobody waits with more jobs than this client; else the newest job of who has most gives way. */
  function makeRoom(network: NetworkLine, client: Client): void {
    if (network.waiting >= maxWaitingPerNetwork) giveWay(network, client, tooMany(resource))
    if (waiting < maxWaiting) return
    const longest = findMost(networks.values(), (each) => each.waiting) ?? network
    if (longest.waiting <= network.waiting + 1) throw full(resource)
    giveWay(longest, null, full(resource))
  }

  function giveWay(network: NetworkLine, newcomer: Client | null, error: Error): void {
    const [client, line] = findMost(network.clients, ([, { waiting }]) => waiting.length) ?? []
    const own = newcomer === null ? 0 : (network.clients.get(newcomer)?.waiting.length ?? 0) + 1
    const last = line?.waiting.at(-1)
    if (client === undefined || !line || !last || line.waiting.length <= own) throw error
    leave(network, client, last)
    last.refuse(error)
  }

  /** Takes a job out of its line, if it still waits. */
  function leave(network: NetworkLine, client: Client, job: Waiting): void {
    const line = network.clients.get(client)
    const at = line?.waiting.indexOf(job) ?? -1
    if (!line || at < 0) return
    line.waiting.splice(at, 1)
    if (line.waiting.length === 0) network.clients.delete(client)
    network.waiting--
    waiting--
  }

  /** Starts jobs in turn while there is room. */
  function startWaiting(): void {
    for (let next = findNext(); next && running + next.job.cost <= maxRunning; next = findNext()) {
      const { network, client, line, job } = next
      line.waiting.shift()
      if (line.waiting.length === 0) network.clients.delete(client)
      waiting--
      jobs++
      network.waiting--
      addRunning(network, client, job.cost)
      running += job.cost
      clock = network.used
      network.clock = line.used
      network.used += job.cost
      line.used += job.cost
      job.start()
    }
  }

  /** Finds the job whose turn it is. A network that already runs all it may is passed over. */
  function findNext() {
    let best: { network: NetworkLine; client: Client; line: ClientLine; job: Waiting } | null = null
    for (const network of networks.values()) {
      if (network.waiting === 0 || (best && best.network.used <= network.used)) continue
      const [client, line] =
        findMost(
          network.clients,
          ([
            each,
            {
              used,
              waiting: [first],
            },
          ]) => (first && hasRoom(network, each, first) ? -used : -Infinity),
        ) ?? []
      const job = line?.waiting[0]
      if (client === undefined || !line || !job || !hasRoom(network, client, job)) continue
      best = { network, client, line, job }
    }
    return best
  }

  const hasRoom = (network: NetworkLine, client: Client, { cost }: Waiting) =>
    network.running + cost <= maxRunningPerNetwork &&
    (network.runningByClient.get(client) ?? 0) + cost <= maxRunningPerClient

  function addRunning(network: NetworkLine, client: Client, cost: number): void {
    const own = (network.runningByClient.get(client) ?? 0) + cost
    network.running += cost
    if (own > 0) network.runningByClient.set(client, own)
    else network.runningByClient.delete(client)
  }

  function createNetwork(name: Client): NetworkLine {
    const network = {
      used: clock,
      clock: 0,
      clients: new Map<Client, ClientLine>(),
      waiting: 0,
      running: 0,
      runningByClient: new Map<Client, number>(),
    }
    networks.set(name, network)
    return network
  }

  function forgetIdle(name: Client, network: NetworkLine): void {
    if (network.waiting === 0 && network.running === 0 && networks.get(name) === network) networks.delete(name)
  }

  return Object.assign(runJob, { size: () => ({ running: jobs, waiting }) })
}

function findMost<T>(all: Iterable<T>, measure: (each: T) => number): T | undefined {
  let [found, most]: [T | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
  for (const each of all) {
    const size = measure(each)
    if (size > most) [found, most] = [each, size]
  }
  return found
}

const tooMany = (resource: string) =>
  new ServiceError('RATE_LIMITED', `Too many requests of your network are waiting for ${resource}.`, { retryAfter: 1 })
const full = (resource: string) => unavailable('BUSY', `Too many requests are waiting for ${resource}.`, 2)
const gone = () => unavailable('BUSY', 'The client has gone.')
