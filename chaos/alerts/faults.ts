import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { accounts, sendCall } from '@svc/devnet'
import { taskRegistryAbi } from '@svc/protocol/abis'
import postgres from 'postgres'
import { type Address, parseEther } from 'viem'
import { otherFold } from '../process/upgrade.ts'
import { isServing } from '../shared/appProcess.ts'
import { waitUntil } from '../shared/replica.ts'
import type { FaultName } from './faultNames.ts'
import type { DrillMarket, ProcessName } from './market.ts'

/** Something that breaks. Its alerts are in docs/operations.md, under its name. */
interface Fault {
  begin: (market: DrillMarket) => Promise<void>
  /** Makes it good again. */
  end: (market: DrillMarket) => Promise<void>
  /** How long it lasts after somebody was told, in seconds of the rules: time for what follows from it. */
  seconds?: number
  /** How much faster than usual it is played: services do not start faster in a drill. */
  speed?: number
}

/** Long enough that every service that follows the chain would complain. */
const long = 900

/** Kills processes, and starts them again. */
const kill = (...names: ProcessName[]): Pick<Fault, 'begin' | 'end'> => ({
  begin: async (market) => {
    await Promise.all(names.map((name) => market.kill(name, 'SIGKILL')))
  },
  end: async (market) => {
    for (const name of names) market.start(name)
  },
})

/** Accepts connections and never answers. */
let silent: { server: Server; sockets: Set<Socket> } | undefined
let connections: postgres.Sql | undefined
/** What the keeper had. */
let balance = 0n

export const faults: Readonly<Record<FaultName, Fault>> = {
  replica: kill('api 2'),
  indexers: { ...kill('indexer 1', 'indexer 2'), seconds: 300 },
  store: { ...kill('store'), seconds: long },
  database: {
    begin: ({ cluster }) => cluster.kill(),
    end: ({ cluster }) => cluster.start(),
    seconds: long,
  },
  chain: {
    begin: async ({ setHalted }) => setHalted(true),
    end: async ({ setHalted }) => setHalted(false),
    seconds: long,
  },
  providers: {
    begin: async ({ providers }) => {
      await Promise.all(providers.map(({ close }) => close()))
    },
    end: async ({ providers }) => {
      await Promise.all(providers.map(({ open }) => open()))
    },
    seconds: long,
  },
  provider: {
    async begin({ providers: [first] }) {
      if (!first) return
      await first.close()
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => {}).resume()
      }).listen(Number(new URL(first.url).port), '127.0.0.1')
      await once(server, 'listening')
      silent = { server, sockets }
    },
    async end({ providers: [first] }) {
      for (const socket of silent?.sockets ?? []) socket.destroy()
      silent?.server.close()
      await first?.open()
    },
  },
  row: {
    async begin({ sql }) {
      await sql.unsafe(`update market.task set state = jsonb_set(state::jsonb, '{maxRevisions}', '77')::text
        where market = 1 and key = 1`)
    },
    // The indexer folds it again by itself.
    end: async () => {},
  },
  key: {
    begin: (market) => restart(market, 'api 1', { SVC_STORE_ADDRESS: accounts.jun.address }),
    end: (market) => restart(market, 'api 1'),
  },
  keeper: {
    async begin({ devnet: { client } }) {
      balance = await client.getBalance(accounts.keeper)
      await client.setBalance({ address: accounts.keeper.address, value: 0n })
    },
    // As much as before: a keeper that starts takes what is missing for what it has spent.
    end: ({ devnet }) => devnet.client.setBalance({ address: accounts.keeper.address, value: balance }),
  },
  paused: {
    begin: (market) => govern(market, 'pauseEntries'),
    end: (market) => govern(market, 'unpauseEntries'),
  },
  connections: {
    async begin({ cluster }) {
      const sql = postgres(cluster.url, { max: 80, onnotice: () => {} })
      connections = sql
      await Promise.all(Array.from({ length: 80 }, () => sql.reserve()))
    },
    end: async () => connections?.end({ timeout: 0 }),
  },
  // As docs/operations.md says: the new indexer fills its build beside the old one, then everything is restarted one by one.
  upgrade: {
    async begin(market) {
      for (const name of ['api 1', 'api 2', 'store', 'notifier', 'clerk', 'keeper', 'watcher'] as const)
        await restart(market, name)
      await market.kill('indexer 2', 'SIGTERM')
      const next = market.start('indexer 2', otherFold)
      await next.waitForLog('serving of a_2', isServing('a_2'))
      await restart(market, 'indexer 1', otherFold)
    },
    end: async () => {},
    speed: 2,
  },
}

/** Restarts a process as a supervisor does, and waits until it answers. */
async function restart(market: DrillMarket, name: ProcessName, more: Readonly<Record<string, string>> = {}) {
  await market.kill(name, 'SIGTERM')
  const program = market.start(name, more)
  const first = /^(?:indexer|keeper|watcher|clerk)/.test(name) ? /./ : /^listening$/
  await waitUntil(`${name} is back`, 60_000, async () => program.lines.some(({ msg }) => first.test(msg)))
}

async function govern({ devnet }: DrillMarket, functionName: 'pauseEntries' | 'unpauseEntries'): Promise<void> {
  const address: Address = devnet.deployments.markets.micro.taskRegistry
  const abi = taskRegistryAbi
  // Anyone but the guardian may not pause; only the owner may end it, which is the timelock.
  if (functionName === 'pauseEntries') {
    await sendCall(devnet.client, accounts.guardian, { address, abi, functionName, args: [] })
    return
  }
  const { client } = devnet
  const owner = devnet.deployments.shared.timelock
  await client.impersonateAccount({ address: owner })
  await client.setBalance({ address: owner, value: parseEther('1') })
  await client.writeContract({ account: owner, address, abi, functionName, args: [], chain: client.chain })
  await client.stopImpersonatingAccount({ address: owner })
}
