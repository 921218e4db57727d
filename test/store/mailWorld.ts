import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import type { ThreadSubject } from '@svc/protocol/talk'
import type { RoomLimits } from '@svc/serve'
import { createMemoryMailLog, createTalk, type Mailbox, type MailLog, openMailbox, type Talk } from '@svc/work'
import { type Address, getAddress, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { StoreAppDeps } from '../../apps/store/src/app.ts'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { createTestDatabase } from '../harness/postgres.ts'
import { startTestStore, type TestStore } from '../harness/storeApp.ts'
import { createChecks, getNow, type SignedInDevice, signInDevice } from './devices.ts'
import { startEngine } from './engines.ts'
import { createFakeTasks } from './fakeTasks.ts'

/** A wallet with a mailbox. */
export interface MailPerson {
  account: LocalAccount
  store: SignedInDevice
  mailbox: Mailbox
  talk: Talk
  log: MailLog
}

/** A store with mailboxes, over a database of its own. Who has a deposit and a task, the test decides. */
export interface MailWorld {
  service: TestStore
  databaseUrl: string
  context: ReturnType<typeof createSigningContext>
  /** Wallets without a deposit. */
  poor: Set<Address>
  setTask: (taskId: TaskId, poster: Address, worker: Address) => void
  setOpenTask: (taskId: TaskId, poster: Address) => void
  join: (account?: LocalAccount, fetch?: (request: Request) => Promise<Response>) => Promise<MailPerson>
  /** What a thread of a task is about. */
  subject: (taskId: TaskId, poster: Address, other: Address) => ThreadSubject
  stop: () => Promise<void>
}

export async function startMailWorld(
  others: Partial<StoreAppDeps> & { roomLimits?: RoomLimits } = {},
): Promise<MailWorld> {
  const engine = await startEngine('folder')
  const database = await createTestDatabase()
  const tasks = createFakeTasks()
  const poor = new Set<Address>()
  const context = createSigningContext(fakeDeployments, 'micro')
  const service = await startTestStore({
    objects: engine.objects,
    databaseUrl: database.url,
    tasks,
    deployments: fakeDeployments,
    verifySignature: verifyKeySignature,
    hasDeposit: async (wallet) => !poor.has(wallet),
    ...others,
  })
  return {
    service,
    databaseUrl: database.url,
    context,
    poor,
    setTask: (taskId, poster, worker) => tasks.set(taskId, { poster, worker, store: accounts.store.address }),
    setOpenTask: (taskId, poster) =>
      tasks.set(taskId, { poster, worker: null, state: 'POSTED', store: accounts.store.address }),
    async join(account = privateKeyToAccount(generatePrivateKey()), fetch = undefined) {
      const { chainId } = context
      const store = await signInDevice(service.url, account, { chainId, ...(fetch && { fetch }) })
      const log = createMemoryMailLog()
      const mailbox = openMailbox({ store, checks: createChecks(chainId), now: getNow, log })
      return { account, store, mailbox, log, talk: createTalk(mailbox) }
    },
    subject: (taskId, poster, other) => ({
      chainId: context.chainId,
      taskRegistry: getAddress(context.taskRegistry),
      taskId: formatTaskId(taskId),
      poster,
      other,
    }),
    async stop() {
      await service.stop()
      await engine.stop()
      await database.drop()
    },
  }
}
