// A store and a notifier for the tools, in memory, over both markets; and the machine of the tools, which wallets signed in at.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigningContext } from '@svc/chain'
import { accounts, type DemoBundle, type Devnet, listPeople } from '@svc/devnet'
import type { Market } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import type { MailMessage } from '@svc/protocol/talk'
import { parseDescriptor, parseStatementMessage } from '@svc/protocol/work'
import { listen } from '@svc/serve'
import {
  connectStore,
  createTalk,
  type DeviceKeys,
  type Mailbox,
  openMailbox,
  type StoreConnection,
  type Talk,
} from '@svc/work'
import { createKeyFolder } from '@svc/work/folder'
import type { Address } from 'viem'
import { createMemoryStore } from '../../packages/work/test/memoryStore.ts'
import { signInToStore } from '../tools/toolWorld.ts'
import { isObject, type Json, type JsonObject } from './call.ts'

export type WorkServices = Awaited<ReturnType<typeof startWorkServices>>
export type WorkMachine = Awaited<ReturnType<typeof createWorkMachine>>

/** Starts a store with the work of the demo world, and a notifier. */
export async function startWorkServices({ deployments }: Devnet, bundles: readonly DemoBundle[]) {
  const create = (market: Market) => createMemoryStore(createSigningContext(deployments, market), accounts.store)
  const store = create('standard')
  const { fetch: _, ...tables } = store
  const ofMicro = Object.assign(create('micro'), tables)
  for (const { hash, bytes, parts } of bundles) {
    store.bundles.set(hash, bytes)
    for (const [sha256, part] of parts) store.parts.set(sha256, part)
  }
  const notifier = createNotifier()

  async function fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/notify/')) return notifier.answer(request)
    const [, hash = ''] = /^\/v1\/bundles\/([^/]+)\/receipt$/.exec(pathname) ?? []
    const sealed = store.bundles.get(hash)
    // A receipt names the registry of its market.
    return sealed && parseDescriptor(sealed).taskId.market === 'micro' ? ofMicro.fetch(request) : store.fetch(request)
  }

  const onFault = (error: unknown) => console.error(error)
  const { port, close } = await listen({ fetch, port: 0, hostname: '127.0.0.1', maxConnections: 100, onFault })
  return {
    url: `http://127.0.0.1:${port}`,
    store,
    acknowledged: notifier.acknowledged,
    profiles: notifier.profiles,
    stop: () => close(1_000),
  }
}

/** What the outbox of a task has. */
export const workFiles = { 'notes.md': '# Notes', 'sizes.csv': 'part,size\n1,20\n' }

/** The folders of the tools. Every poster and worker has signed in there. */
export async function createWorkMachine(apiUrl: string, { url, store }: WorkServices) {
  const home = await mkdtemp(join(tmpdir(), 'behaviour-'))
  const [keyFolder, mailFolder, work] = [join(home, 'keys'), join(home, 'mail'), join(home, 'work')]
  await mkdir(work)
  await signInToStore(keyFolder, apiUrl, url, [...listPeople('poster'), ...listPeople('worker')])
  const now = () => Math.floor(Date.now() / 1000)
  let lastUse = Promise.resolve()
  const loadKeys = async (wallet: Address): Promise<DeviceKeys> => {
    const keys = await createKeyFolder(keyFolder).load(wallet)
    if (!keys) throw new Error(`${wallet} has no keys.`)
    return keys
  }
  const openStore = async (wallet: Address): Promise<StoreConnection> =>
    connectStore({ baseUrl: url, address: accounts.store.address, keys: await loadKeys(wallet), now })
  const openMail = async (wallet: Address): Promise<Mailbox> => {
    const checks = { domain: new URL(apiUrl).host, chainId: 8453, verifySignature: verifyKeySignature }
    return openMailbox({ store: await openStore(wallet), checks, now })
  }
  return {
    home,
    work,
    async fillOutbox(id: string): Promise<void> {
      const outbox = join(work, id.replaceAll(':', '-'), 'outbox')
      await mkdir(outbox, { recursive: true })
      for (const [name, text] of Object.entries(workFiles)) await writeFile(join(outbox, name), text)
    },
    domain: new URL(apiUrl).host,
    loadKeys,
    openStore,
    async openTalk(wallet: Address): Promise<Talk> {
      return createTalk(await openMail(wallet))
    },
    /** Every message in the mailbox of a wallet at the store, opened with its keys, oldest first. */
    async readMail(wallet: Address): Promise<MailMessage[]> {
      const mailbox = await openMail(wallet)
      await mailbox.sync()
      return (await mailbox.list()).map(({ message }) => message)
    },
    /** Runs a check with empty mailboxes, one at a time. */
    useMailboxes(check: () => Promise<void>): Promise<void> {
      const checked = lastUse.then(async () => {
        store.mail.clear()
        await rm(mailFolder, { recursive: true, force: true })
        await check()
      })
      lastUse = checked.catch(() => {})
      return checked
    },
    signOut: (wallet: Address) => rm(join(keyFolder, `${wallet.toLowerCase()}.json`), { force: true }),
    readSaved: (path: string) => readFile(join(work, path), 'utf8'),
    stop: () => rm(home, { recursive: true }),
  }
}

/** What the notifier has for each wallet, oldest first. */
export const notifications = new Map(
  ([accounts.ada, accounts.emeka] as const).map(({ address }, owner) => [
    address,
    [0, 1, 2].map((index) => ({
      id: `ntf_${owner}${index}`,
      kind: ['delivered', 'deadline', 'corrected'][index] ?? '',
      urgency: ['action', 'urgent', 'info'][(owner + index) % 3] ?? '',
      market: index === 1 ? 'micro' : 'standard',
      taskId: index === 2 ? null : `v2:${index === 1 ? 'micro' : 'standard'}:${owner + index + 1}`,
      title: `Title ${owner}${index}`,
      text: `Text ${owner}${index}\u202e`,
      url: 'https://market.example',
      deadline: index === 2 ? null : 1_900_000_000 + 10 * owner + index,
      createdAt: 1_800_000_000 + 10 * owner + index,
      acknowledged: index === owner,
      corrects: null,
      isCorrected: index !== owner,
      deliveries: [],
    })),
  ]),
)

/** A notifier that knows two wallets. A cursor is how many notifications came before it. */
function createNotifier() {
  const sessions = new Map<string, Address>()
  const acknowledged: { wallet: Address; ids: unknown }[] = []
  const profiles: JsonObject[] = []
  return {
    acknowledged,
    profiles,
    async answer(request: Request): Promise<Response> {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/notify/v1/sessions') {
        const { message } = await readBody(request)
        const token = `token-${sessions.size}`
        sessions.set(token, parseStatementMessage(String(message)).wallet)
        return Response.json({ token })
      }
      if (pathname === '/notify/v1/profile') {
        const signed = await readBody(request)
        profiles.push(signed)
        const status = signed.profile === '' ? 'removed' : 'published'
        return Response.json({ wallet: signed.wallet ?? null, issuedAt: signed.issuedAt ?? null, status })
      }
      const wallet = sessions.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')
      if (!wallet) return Response.json({ error: 'No session.', code: 'SESSION_REQUIRED' }, { status: 401 })
      if (pathname === '/notify/v1/inbox/acknowledge') {
        const { ids } = await readBody(request)
        acknowledged.push({ wallet, ids })
        return Response.json({ acknowledged: 1 })
      }
      const own = notifications.get(wallet) ?? []
      const since = searchParams.get('since')
      const listed = since === null ? own.toReversed() : own.slice(Number(since))
      return Response.json({ wallet, notifications: listed, unread: 1, cursor: String(own.length), next: null })
    },
  }
}

async function readBody(request: Request): Promise<JsonObject> {
  const body: Json = JSON.parse(await request.text())
  return isObject(body) ? body : {}
}
