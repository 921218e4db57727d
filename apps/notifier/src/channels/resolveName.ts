import { lookup, Resolver } from 'node:dns/promises'
import { createFairQueue } from '@svc/serve'

/** Resolves a name to all of its addresses. */
export type ResolveName = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/** How long one server may take, and all of them. */
const [serverMs, totalMs] = [2_000, 3_000]

/**
 * Creates a resolver of names that strangers chose. Unlike the system's, it can be cancelled and holds no thread, so a name that
 * never resolves costs nobody else anything. It does not read the machine's own host file.
 */
export const createNameResolver =
  (servers?: readonly string[]): ResolveName =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: serverMs, tries: 1 })
    if (servers) resolver.setServers(servers)
    const ended = AbortSignal.any([signal, AbortSignal.timeout(totalMs)])
    const cancel = () => resolver.cancel()
    ended.addEventListener('abort', cancel, { once: true })
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    } finally {
      ended.removeEventListener('abort', cancel)
    }
  }

/** Resolves a name as the machine does, for hosts that the operator chose. */
export const resolveOnMachine: ResolveName = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** Names that are resolved at once: two of a wallet, so that slow ones only delay whoever added them. */
export const createLookupQueue = () =>
  createFairQueue({
    maxRunning: 64,
    maxRunningPerNetwork: 2,
    maxWaiting: 1_000,
    maxWaitingPerNetwork: 20,
    resource: 'names to resolve',
  })
