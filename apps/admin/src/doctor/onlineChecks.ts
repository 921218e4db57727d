import { checkChain, type Deployments, getLogs, type Provider } from '@svc/chain'
import { listRpcUrls } from '@svc/serve'
import { numberToHex } from 'viem'
import { z } from 'zod'
import { type DoctorCheck, type DoctorContext, type Faults, nameProvider } from './diagnosis.ts'

/** The range of logs that one call must be able to read. */
const logBlocks = 500n
const maxHeadAge = 120
const maxSkew = 30

/** Runs a check on every provider. A provider that fails altogether is reported once, by the first check. */
function eachProvider(
  name: string,
  run: (provider: Provider, context: DoctorContext, deployments: Deployments) => Promise<string | null>,
): DoctorCheck {
  return {
    name,
    online: true,
    async run(context, deployments) {
      if (!deployments) return []
      const urls = listRpcUrls(context.environment).filter((url) => URL.canParse(url))
      const found = await Promise.all(
        urls.map(async (url, index) => {
          const fault = await run(context.connect(url, index, deployments.chainId), context, deployments)
          return fault ? [`${nameProvider(index)} ${fault}`] : []
        }),
      )
      return found.flat()
    },
  }
}

const storeAnswer = z.object({ address: z.string() })

/** Runs a read whose failure is reported elsewhere. */
const tryRead = <T>(read: Promise<T>): Promise<T | null> => read.catch(() => null)

/** A check of the database. */
const onDatabase = (
  name: string,
  statement: string,
  find: (row: Readonly<Record<string, unknown>>) => Faults,
): DoctorCheck => ({
  name,
  online: true,
  async run({ environment: { SVC_DATABASE_URL: url }, query }) {
    if (!url || !URL.canParse(url)) return []
    const rows = await query(url, statement).catch(() => null)
    return rows?.[0] ? find(rows[0]) : []
  },
})

/** A check that a service answers. */
const onService = (name: string, variable: string, path: string): DoctorCheck => ({
  name,
  online: true,
  async run({ environment, requestStatus }) {
    const url = environment[variable]
    if (!url || !URL.canParse(url)) return []
    const status = await requestStatus(new URL(path, `${url}/`).href).catch(() => null)
    if (status === null) return [`${variable}: the ${name} does not answer.`]
    return status < 500 ? [] : [`${variable}: the ${name} answers with status ${status}.`]
  },
})

export const onlineChecks: readonly DoctorCheck[] = [
  eachProvider('answers', async ({ rpc }) =>
    (await tryRead(rpc.request('eth_blockNumber', []))) === null ? 'does not answer. Check its URL and key.' : null,
  ),
  eachProvider('chain id', async ({ client }, _, { chainId }) => {
    const id = await tryRead(client.getChainId())
    return id === null || id === chainId ? null : `is on chain ${id}, but the contracts are on chain ${chainId}.`
  }),
  eachProvider('code', async ({ rpc, client }, _, deployments) => {
    if ((await tryRead(client.getChainId())) !== deployments.chainId) return null
    const fault = await checkChain(rpc, deployments, 'all').then(
      () => null,
      (error: Error & { reason?: string }) => error.reason ?? error.message,
    )
    return fault && `does not have our contracts: ${fault}.`
  }),
  eachProvider('head', async ({ client }, { now }) => {
    const block = await tryRead(client.getBlock())
    const age = block && Math.round(now() / 1_000) - Number(block.timestamp)
    return age !== null && age > maxHeadAge ? `is behind: its newest block is ${age} s old.` : null
  }),
  eachProvider('clock', async ({ client }, { now }) => {
    const block = await tryRead(client.getBlock())
    const ahead = block && Number(block.timestamp) - Math.round(now() / 1_000)
    return ahead !== null && ahead > maxSkew
      ? `has a block ${ahead} s in the future: the clock of this machine is late.`
      : null
  }),
  eachProvider('finalized', async ({ client }) => {
    if ((await tryRead(client.getBlockNumber())) === null) return null
    const block = await tryRead(client.getBlock({ blockTag: 'finalized' }))
    return block ? null : 'does not know the tag finalized, so the index waits for 9,000 blocks.'
  }),
  eachProvider('logs', async ({ rpc, client }, _, { markets }) => {
    const head = await tryRead(client.getBlockNumber())
    if (head === null) return null
    const from = head > logBlocks ? head - logBlocks : 0n
    const filter = { address: markets.standard.taskRegistry }
    const logs = await tryRead(getLogs(rpc, filter, { from, to: head, maxCalls: 1 }))
    return logs ? null : `does not return the logs of ${logBlocks} blocks in one call. The index would be slow.`
  }),
  eachProvider('simulation', async ({ rpc, client }) => {
    const head = await tryRead(client.getBlockNumber())
    if (head === null) return null
    const request = rpc.request('eth_simulateV1', [{ blockStateCalls: [{ calls: [] }] }, numberToHex(head)])
    return (await tryRead(request)) === null
      ? 'does not support eth_simulateV1, so prepared calls are not simulated.'
      : null
  }),
  {
    name: 'agreement',
    online: true,
    async run(context, deployments) {
      if (!deployments) return []
      const urls = listRpcUrls(context.environment).filter((url) => URL.canParse(url))
      const clients = urls.map((url, index) => context.connect(url, index, deployments.chainId).client)
      const heads = await Promise.all(clients.map((client) => tryRead(client.getBlockNumber())))
      const known = heads.filter((head): head is bigint => head !== null)
      const lowest = known.reduce((min, head) => (head < min ? head : min), known[0] ?? 0n)
      const blockNumber = lowest > 5n ? lowest - 5n : 0n
      const blocks = await Promise.all(clients.map((client) => tryRead(client.getBlock({ blockNumber }))))
      const hashes = new Set(blocks.flatMap((block) => block?.hash ?? []))
      return hashes.size > 1
        ? [`The providers disagree about block ${blockNumber}. One of them is on another chain.`]
        : []
    },
  },
  {
    name: 'database',
    online: true,
    async run({ environment: { SVC_DATABASE_URL: url }, query }) {
      if (!url || !URL.canParse(url)) return []
      return query(url, 'select 1').then(
        () => [],
        // Only the code: a message of the driver may contain the password.
        (error: { code?: string }) => [`SVC_DATABASE_URL: cannot connect (${error.code ?? 'no answer'}).`],
      )
    },
  },
  onDatabase('database role', 'select rolsuper as super from pg_roles where rolname = current_user', (row) =>
    row.super === true ? ['SVC_DATABASE_URL: the role is a superuser. Use one of deploy/postgres.sql.'] : [],
  ),
  onDatabase('database privileges', "select has_database_privilege(current_database(), 'create') as creates", (row) =>
    row.creates === false
      ? ['SVC_DATABASE_URL: the role cannot create its schema. Grant it CREATE on the database.']
      : [],
  ),
  onDatabase('database version', "select current_setting('server_version_num')::int as version", (row) =>
    Number(row.version) < 150_000
      ? [`SVC_DATABASE_URL: Postgres ${row.version} is too old; 15 or newer is needed.`]
      : [],
  ),
  onDatabase('database recovery', 'select pg_is_in_recovery() as standby', (row) =>
    row.standby === true ? ['SVC_DATABASE_URL: this is a standby, which cannot be written to.'] : [],
  ),
  onService('store', 'SVC_STORE_URL', 'healthz'),
  {
    name: 'store key',
    online: true,
    async run({ environment: { SVC_STORE_URL: url, SVC_STORE_ADDRESS: named }, requestJson }) {
      if (!url || !URL.canParse(url) || !named) return []
      const { success, data } = storeAnswer.safeParse(await tryRead(requestJson(new URL('v1/store', `${url}/`).href)))
      // One that does not answer is reported above.
      if (!success || data.address.toLowerCase() === named.toLowerCase()) return []
      return [`SVC_STORE_ADDRESS is ${named}, but the store signs with ${data.address}: its receipts would not count.`]
    },
  },
  onService('notifier', 'SVC_NOTIFY_URL', 'healthz'),
]
