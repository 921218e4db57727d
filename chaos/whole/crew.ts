import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import postgres, { type Sql } from 'postgres'
import { startCluster } from '../../test/harness/cluster.ts'
import { freePort } from '../../test/harness/freePort.ts'
import { type Line, startProgram } from '../process/indexer.ts'
import { ask, settled } from '../service/replica.ts'
import { createRandom } from '../sim/random.ts'
import { type Liar, type LieKind, startLiar } from './liar.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Tally } from './tally.ts'

/** Who can be killed. */
export const members = ['indexer', 'api 1', 'api 2', 'gateway'] as const
export type Member = (typeof members)[number]

/** All that runs beside the chain: an indexer, two replicas of the API, a gateway and a Postgres, each a process of its own. */
export interface Crew {
  apiUrls: readonly string[]
  gatewayUrl: string
  /** Providers that fail and are behind, and tell no other lie: what one of them says of state is believed by whoever asks. */
  rpcUrls: readonly string[]
  stateFile: string
  sql: Sql
  /** Ends it as a crash does and starts it again; settles when it runs. */
  kill: (member: Member) => Promise<void>
  killDatabase: () => Promise<void>
  /** From now on all providers lie, or none does. */
  setHonest: (honest: boolean) => void
  /** Sets the clock of the database, in unix seconds. */
  setClock: (now: number) => Promise<void>
  /** Notes who is not running, and every line in a log that should not be there. */
  hear: () => void
  close: () => Promise<void>
}

const away: Partial<Record<LieKind, number>> = {
  serverError: 0.01,
  tooMany: 0.005,
  truncated: 0.005,
  late: 0.02,
  staleHead: 0.02,
}
/** What providers of the index say that is not so. No kind is told by both: two that agree are believed. */
const lies: readonly Partial<Record<LieKind, number>>[] = [
  { ...away, noLogs: 0.03, wrongParent: 0.01, noReceipt: 0.02 },
  { ...away, lessLogs: 0.03, noBlock: 0.01, otherStorage: 0.05 },
]

/** A busy machine takes its time. */
const startMs = 120_000

/** Starts everybody, over a chain that has its markets already. */
export async function startCrew(chain: PlannedChain, seed: number, tally: Tally): Promise<Crew> {
  const folder = await mkdtemp(join(tmpdir(), 'whole-'))
  const deployments = join(folder, 'deployments.json')
  await saveDeployments(deployments, chain.deployments)
  const liars: Liar[] = await Promise.all(
    [...lies, { ...away, noReceipt: 0.02 }, away].map((odds, index) =>
      startLiar({ target: chain.rpcUrl, random: createRandom(seed, 2, index), odds, tally }),
    ),
  )
  const cluster = await startCluster()
  const sql = postgres(cluster.url, { fetch_types: false, onnotice: () => {}, max: 4, backoff: () => 0.1 })
  // A `now` that is found before the server's own: its day is the chain's, on every day of the year.
  await sql.unsafe('create schema clock; alter database postgres set search_path = clock, pg_catalog, public')
  const setClock = (now: number) =>
    sql
      .unsafe(
        `create or replace function clock.now() returns timestamptz language sql stable as 'select to_timestamp(${now})'`,
      )
      .then(() => {})
  await setClock(chain.head().timestamp)
  const ports = [await freePort(), await freePort(), await freePort()]
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const common = {
    SVC_DATABASE_URL: cluster.url,
    SVC_DEPLOYMENTS: deployments,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  }
  const rates = { SVC_RATE_READS: '100000000', SVC_RATE_CALLS: '100000000' }
  const [first, second, ...others] = liars.map(({ url }) => url)
  const CHAIN_RPC_URL = others.join()
  const stateFile = join(folder, 'requests.jsonl')
  const api = (port: number | undefined) => ({
    ...common,
    ...rates,
    CHAIN_RPC_URL,
    SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:8545',
    SVC_SITE_PORT: String(port),
  })
  const envs: Record<Member, Record<string, string>> = {
    indexer: {
      ...common,
      CHAIN_RPC_URL: [first, second].join(),
      SVC_INDEX_BUILD: 'a',
      SVC_INDEX_PORT: '0',
      SVC_INDEX_POLL_MS: '50',
      SVC_INDEX_SAMPLE_SECONDS: '1',
    },
    'api 1': api(ports[0]),
    'api 2': api(ports[1]),
    gateway: {
      ...common,
      ...rates,
      CHAIN_RPC_URL,
      SVC_GATEWAY_PORT: String(ports[2]),
      SVC_GATEWAY_STATE: stateFile,
      SVC_RECEIPT_KEY: `0x${'17'.repeat(32)}`,
    },
  }
  const probes: Partial<Record<Member, string>> = {
    'api 1': `${urls[0]}/readyz`,
    'api 2': `${urls[1]}/readyz`,
    gateway: `${urls[2]}/v1/requests/req_${'a'.repeat(22)}`,
  }
  // It can be killed again only when it runs again.
  let database: Promise<void> = Promise.resolve()
  const running = new Map<Member, ReturnType<typeof startProgram>>()
  const start = async (member: Member) => {
    const program = startProgram(
      member === 'indexer' ? 'indexer' : member === 'gateway' ? 'gateway' : 'api',
      envs[member],
    )
    running.set(member, program)
    const probe = probes[member]
    if (probe) await settled(`${member} answers`, startMs, async () => [200, 404].includes((await ask(probe)).status))
    else await program.until('writing', (lines) => lines.some(({ msg }) => msg === 'writing'), startMs)
  }
  const hear = (member: Member) => {
    for (const line of running.get(member)?.lines ?? []) judge(member, line, tally)
  }
  const close = async () => {
    for (const { kill } of running.values()) kill('SIGKILL')
    await Promise.all([...running.values()].map(({ gone }) => gone))
    await Promise.all(liars.map((liar) => liar.close()))
    await sql.end({ timeout: 1 })
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
  await Promise.all(members.map(start)).catch(async (error: Error) => {
    await close()
    throw error
  })

  return {
    apiUrls: urls.slice(0, 2),
    gatewayUrl: urls[2] ?? '',
    rpcUrls: others,
    stateFile,
    sql,
    setClock,
    setHonest: (honest) => {
      for (const liar of liars) liar.setHonest(honest)
    },
    async kill(member) {
      tally.count('kills', member)
      const program = running.get(member)
      program?.kill('SIGKILL')
      await program?.gone
      hear(member)
      await start(member)
    },
    killDatabase() {
      tally.count('kills', 'postgres')
      database = database.then(cluster.kill).then(cluster.start)
      return database
    },
    hear: () => {
      for (const member of members) {
        const ended = running.get(member)?.ended()
        if (ended) tally.fault(`${member} ended by itself with ${ended.code}.`)
        hear(member)
      }
    },
    close,
  }
}

/** A line that a healthy process never writes. */
function judge(member: Member, line: Line & { level?: number | string }, tally: Tally): void {
  const level = typeof line.level === 'number' ? line.level : ({ error: 50, fatal: 60 }[line.level ?? ''] ?? 0)
  if (level >= 50) tally.fault(`${member} wrote ${JSON.stringify(line)}`.slice(0, 1_000))
}
