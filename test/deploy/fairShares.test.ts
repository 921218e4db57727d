import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { accounts } from '@svc/devnet'
import type { TaskId } from '@svc/protocol'
import { buildNotifyProof, buildSessionProof } from '@svc/protocol/internal/work'
import { buildStatementMessage } from '@svc/protocol/work'
import { createClientResolver } from '@svc/serve'
import { type Address, type Hex, type LocalAccount, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNameResolver } from '../../apps/notifier/src/channels/resolveName.ts'
import { createTaskSource } from '../../apps/store/src/taskAccess.ts'
import { runsFactor } from '../harness/env.ts'
import { type Nginx, startNginx } from '../harness/nginx.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { visit } from '../harness/slowClients.ts'
import { testDomain } from '../harness/storeApp.ts'
import { startTestNotifier, type TestNotifier } from '../notifier/notifierApp.ts'
import { type MailServer, startMailServer } from '../notifier/receivers.ts'
import { type ChainStore, startChainStore } from '../store/chainStore.ts'
import { createFakeTasks } from '../store/fakeTasks.ts'
import { buildSignIn, makeReadingKey } from '../store/storeClient.ts'
import { type RequestOptions, sendRequest } from './sendRequest.ts'

// The real store and notifier behind the shipped nginx.conf. Somebody takes what costs nothing; a visitor of another network, whose
// wallet is established, must not notice. `RUNS=10` takes the full counts.

const isFull = runsFactor() >= 10
const count = (few: number, many: number) => (isFull ? many : few)
const taskId: TaskId = { market: 'micro', number: 1n }
/** A task that only the chain can say is not there. */
const onChain = 'v2:micro:9'
const roomLimits = isFull
  ? { established: 100_000_000, newcomer: 1_000_000, network: 5_000_000, newcomers: 40_000_000 }
  : { established: 100_000_000, newcomer: 30_000, network: 200_000, newcomers: 600_000 }
const loop = '0x00000000000000000000000000000000000100b5' as const

const anySignature = `0x${'12'.repeat(65)}` as const

const established = new Set<Address>()
let holders: ReadonlySet<Address> = new Set()
let store: ChainStore
let notifier: TestNotifier
let database: TestDatabase
let mail: MailServer
let nginx: Nginx
let visitor: { account: LocalAccount; store: string; notify: string }
const silent = createSocket('udp4')

beforeAll(async () => {
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const slow = createNameResolver([`127.0.0.1:${silent.address().port}`])
  const isEstablished = async (wallet: Address) => established.has(wallet)
  const fakes = createFakeTasks()
  ;[database, mail] = await Promise.all([createTestDatabase(), startMailServer()])
  store = await startChainStore((providers, deployment) => {
    const source = createTaskSource(providers, deployment)
    const readTask = (id: TaskId) => (id.number === 9n ? source : fakes).readTask(id)
    return {
      isEstablished,
      hasDeposit: async (wallet) => holders.has(wallet) || established.has(wallet),
      resolveClient: createClientResolver(['127.0.0.1']),
      roomLimits,
      perMinute: { reads: 6_000, calls: 300 },
      tasks: { readTask, readRecentTask: readTask },
    }
  })
  await store.devnet.client.request({ method: 'anvil_setCode' as never, params: [loop, '0x5b600056'] as never })
  notifier = await startTestNotifier({
    databaseUrl: database.url,
    chainId: store.devnet.deployments.chainId,
    proxies: ['127.0.0.1'],
    isEstablished,
    email: { smtpUrl: mail.url, from: 'market@market.example' },
    resolve: (host, signal) => (host.startsWith('slow') ? slow(host, signal) : Promise.resolve(['93.184.216.34'])),
  })
  nginx = await startNginx([1], { storePort: store.service.port, notifierPort: notifier.port })
  const account = privateKeyToAccount(generatePrivateKey())
  established.add(account.address)
  fakes.set(taskId, { poster: account.address, worker: null, state: 'POSTED', store: accounts.store.address })
  const from = '127.77.1.1'
  visitor = {
    account,
    store: (await join('store', from, account)).token,
    notify: (await join('notify', from, account)).token,
  }
})
afterAll(async () => {
  await nginx?.stop()
  await notifier?.stop()
  await store?.stop()
  await mail?.stop()
  await database?.drop()
  silent.close()
})

const send = async (method: string, path: string, from: string, body: object, token = '') => {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const { status, body: answer } = await sendRequest(nginx.url, path, {
    method,
    from,
    body: JSON.stringify(body),
    headers,
  })
  return { status, answer: JSON.parse(answer.toString()) as { token?: string; code?: string } }
}

const post = (path: string, from: string, body: object, token?: string) => send('POST', path, from, body, token)

/** Signs a wallet in from an address; its token is empty if it is refused. */
async function join(at: 'store' | 'notify', from: string, account = privateKeyToAccount(generatePrivateKey())) {
  const { chainId } = store.devnet.deployments
  const buildProof = (proof: { statement: Hex; issuedAt: number }) =>
    at === 'store'
      ? buildSessionProof({ store: accounts.store.address, ...proof })
      : buildNotifyProof({ domain: testDomain, ...proof })
  const { body } = await buildSignIn(account, buildProof, { chainId })
  const path = at === 'store' ? '/store/v1/sessions' : '/notify/v1/sessions'
  const { status, answer } = await post(path, from, body)
  return { account, status, code: answer.code, token: answer.token ?? '' }
}

const newMail = (to: Address, size: number) => ({
  to,
  id: `0x${randomBytes(32).toString('hex')}`,
  sealed: randomBytes(size).toString('base64'),
})

/** What an established wallet of another network does meanwhile. */
const listVisits = (): (RequestOptions & { path: string })[] => {
  const atStore = { headers: { authorization: `Bearer ${visitor.store}` } }
  return [
    { path: '/store/v1/store' },
    { path: '/store/v1/mail', ...atStore },
    { path: `/store/v1/tasks/${onChain}/bundles`, ...atStore },
    {
      path: '/store/v1/mail',
      method: 'POST',
      body: JSON.stringify(newMail(visitor.account.address, 1_000)),
      ...atStore,
    },
    { path: '/notify/v1/inbox', headers: { authorization: `Bearer ${visitor.notify}` } },
    {
      path: '/notify/v1/webhooks',
      method: 'POST',
      body: JSON.stringify({ url: 'https://good.example/' }),
      headers: { authorization: `Bearer ${visitor.notify}` },
    },
  ]
}

/** How often each answer came. */
const tally = (answers: readonly (string | number)[]) =>
  Object.fromEntries([...Map.groupBy(answers, String)].map(([answer, all]) => [answer, all.length]))

/** Runs jobs, some at once. */
async function runAll<T>(jobs: readonly (() => Promise<T>)[], atOnce: number): Promise<T[]> {
  const results: T[] = []
  const left = [...jobs]
  const work = async () => {
    for (let job = left.shift(); job; job = left.shift()) results.push(await job())
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

const many = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index))

interface Abuse {
  name: string
  run: () => Promise<Record<string, number>>
  /** What they get. */
  gets: (answers: Record<string, number>) => void | Promise<void>
}

const abuses: Abuse[] = [
  {
    name: '60 signatures that run for ever, with and without code at the wallet',
    async run() {
      const now = Math.floor(Date.now() / 1000)
      // Made before the visitor begins: this process is the services, too.
      const bodies = many(60, (index) => {
        const wallet = index % 2 === 0 ? loop : privateKeyToAccount(generatePrivateKey()).address
        const message = buildStatementMessage({
          wallet,
          readingKey: makeReadingKey(),
          deviceKey: accounts.ada.address,
          revokes: [],
          domain: testDomain,
          chainId: store.devnet.deployments.chainId,
          nonce: randomBytes(8).toString('hex'),
          issuedAt: now,
          expiresAt: now + 86_400,
        })
        const signature =
          index % 2 === 0
            ? anySignature
            : serializeErc6492Signature({ address: loop, data: '0x12', signature: anySignature })
        return { message, signature }
      })
      const requests = bodies.map(
        (body, index) => () =>
          send('PUT', '/store/v1/statements', `127.60.0.${1 + (index % 6)}`, body).then(({ status }) => status),
      )
      return tally(await runAll(requests, 60))
    },
    gets: (answers) => expect(Object.keys(answers).every((status) => ['422', '429'].includes(status))).toBe(true),
  },
  {
    name: '16 webhooks whose names never resolve',
    async run() {
      const wallets = await runAll(
        many(8, () => () => join('notify', '127.61.0.1')),
        4,
      )
      const adds = many(
        16,
        (index) => () =>
          post(
            '/notify/v1/webhooks',
            '127.61.0.1',
            { url: `https://slow${index}.example/` },
            wallets[index % 8]?.token,
          ).then(({ answer }) => answer.code ?? 'added'),
      )
      return tally(await runAll(adds, 16))
    },
    gets: (answers) => expect(answers).toEqual({ INVALID_TARGET: 16 }),
  },
  {
    name: '5,000 searches that match everything',
    async run() {
      await notifier.sql`
        insert into notify.search (id, wallet, market, name, search, funded, established)
        select 'flood' || n, 'free' || n / 10, 0, 'all', '', false, false from generate_series(1, 4990) n`
      const wallets = await runAll(
        many(3, () => () => join('notify', '127.62.0.1')),
        3,
      )
      const saves = wallets.flatMap(({ token }) =>
        many(
          10,
          (index) => () =>
            post('/notify/v1/searches', '127.62.0.1', { name: `All ${index}`, search: 'market=micro' }, token).then(
              ({ answer }) => answer.code ?? 'saved',
            ),
        ),
      )
      return tally(await runAll(saves, 8))
    },
    async gets(answers) {
      expect(answers).toEqual({ saved: 10, TOO_MANY_SEARCHES: 20 })
      const saved = await post(
        '/notify/v1/searches',
        '127.77.1.1',
        { name: 'Mine', search: 'market=micro' },
        visitor.notify,
      )
      expect(saved.status, 'an established wallet').toBe(200)
    },
  },
  {
    name: 'strangers who pass one deposit on, to fill a mailbox',
    async run() {
      const answers: string[] = []
      const to = visitor.account.address
      for (let index = 0; index < count(15, 500); index++) {
        const from = `127.63.${index % 50}.1`
        const { account, token, code } = await join('store', from)
        holders = new Set([account.address])
        if (!token) answers.push(code ?? '')
        for (const more of token ? [{}, { asks: 'v2:micro:1' }, { applies: 'v2:micro:1' }] : [])
          answers.push(
            (await post('/store/v1/mail', from, { ...newMail(to, 200), ...more }, token)).answer.code ?? 'sent',
          )
      }
      return tally(answers)
    },
    async gets(answers) {
      expect(answers.MAIL_DEPOSIT_REQUIRED, 'a fresh deposit reaches no mailbox').toBeGreaterThan(0)
      const [waiting] = await store.service.sql<{ places: number }[]>`
        select count(*)::int as places from store.mail_newcomer`
      expect(waiting?.places).toBeLessThanOrEqual(100)
      await applyAsNewcomer('127.64.0.1')
    },
  },
  {
    name: '60 e-mails to strangers from six wallets',
    async run() {
      const wallets = await runAll(
        many(6, () => () => join('notify', '127.65.0.1')),
        6,
      )
      const adds = many(
        60,
        (index) => () =>
          post(
            '/notify/v1/emails',
            '127.65.0.1',
            { address: `victim${index}@example.org` },
            wallets[index % 6]?.token,
          ).then(({ answer }) => answer.code ?? 'added'),
      )
      return tally(await runAll(adds, 10))
    },
    gets(answers) {
      expect(answers).toEqual({ DEPOSIT_REQUIRED: 60 })
      expect(mail.received).toHaveLength(0)
    },
  },
  {
    name: 'free wallets that write all they can',
    async run() {
      const end = Date.now() + count(0, 600_000)
      const fill = (index: number) => async () => {
        const from = `127.${100 + (index % 25)}.0.${1 + (index % 4)}`
        const answers: string[] = []
        const { account, token, code } = await join('store', from)
        if (!token) return [code ?? '']
        do {
          const { answer } = await post('/store/v1/mail', from, newMail(account.address, 8_000), token)
          answers.push(answer.code ?? 'stored')
        } while (answers.at(-1) === 'stored')
        return answers
      }
      const rounds: string[] = []
      do rounds.push(...(await runAll(many(count(30, 1_000), fill), 4)).flat())
      while (Date.now() < end)
      return tally(rounds)
    },
    async gets(answers) {
      expect(answers.WORK_QUOTA_REACHED).toBeGreaterThan(0)
      const [stored] = await store.service.sql<{ bytes: number }[]>`
        select coalesce(sum(octet_length(sealed)), 0)::int as bytes from store.mail where sender <> ${visitor.account.address}`
      expect(stored?.bytes).toBeGreaterThan(roomLimits.newcomers / 2)
      expect(stored?.bytes).toBeLessThan(roomLimits.newcomers)
      const began = performance.now()
      await applyAsNewcomer('127.100.0.9')
      expect(performance.now() - began, 'within a minute of its first deposit').toBeLessThan(60_000)
    },
  },
]

/** An honest wallet with its first deposit applies, from a network that others have used up. */
async function applyAsNewcomer(from: string): Promise<void> {
  const account = privateKeyToAccount(generatePrivateKey())
  holders = new Set([account.address])
  const { token } = await join('store', from, account)
  const applied = await post(
    '/store/v1/mail',
    from,
    { ...newMail(visitor.account.address, 2_000), applies: 'v2:micro:1' },
    token,
  )
  expect(applied).toMatchObject({ status: 200 })
}

test.for(abuses.map((each, row) => ({ ...each, row })))(
  '$name: a visitor of another network notices nothing',
  { timeout: count(300_000, 1_800_000) },
  async ({ name, run, gets, row }) => {
    const began = performance.now()
    const attack = run()
    // A network of its own for each row: a client has 300 calls a minute.
    const requests = listVisits().map((each) => ({ ...each, from: `127.77.${row}.1` }))
    const seen = await visit(nginx.url, requests, { times: 8, everyMs: count(50, 1_000), until: attack })
    const answers = await attack
    console.log(
      `${name}: ${JSON.stringify({ answers, visitor: seen, seconds: Math.round((performance.now() - began) / 1000) })}`,
    )
    expect(seen.statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
    await gets(answers)
    // A usual run shares its machine with other tests, and a long one may: what is quiet then is the measure.
    const quiet = isFull ? (await visit(nginx.url, requests, { times: 60 })).p99 : 0
    expect(isFull ? seen.p99 : seen.p90, `${quiet} ms without anybody`).toBeLessThan(Math.max(500, 2 * quiet))
  },
)
