import { createSigningContext } from '@svc/chain'
import { ApiError } from '@svc/client'
import { accounts } from '@svc/devnet'
import type { TaskId } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { type ExpectedBundle, type SealedBundle, type SignedStatement, sealBundle } from '@svc/protocol/work'
import type { Random } from '@svc/simulation/random'
import {
  connectStore,
  createMemoryPartCache,
  type DeviceKeys,
  ensureKeys,
  fetchBundle,
  findReaders,
  issueReceipt,
  type KeyStore,
  type StorageReceipt,
  type StoreConnection,
  uploadBundle,
} from '@svc/work'
import type { Address, Hex, LocalAccount } from 'viem'
import type { PlannedChain } from './plannedChain.ts'
import type { StoreProcess } from './services.ts'
import type { Tally } from './tally.ts'

/** Where a delivery belongs, as the chain stands when it is made. */
interface DeliveryPlace {
  taskId: TaskId
  milestone: number
  revision: number
  worker: LocalAccount
  poster: LocalAccount
}

/** A delivery that the store acknowledged. */
interface StoredDelivery extends DeliveryPlace {
  sealed: SealedBundle
  content: Buffer
}

/** Delivers real bundles through the store, as the clients of wallets do. */
export interface Deliveries {
  /** The key statements that posters publish with their tasks. */
  statements: ReadonlyMap<Address, SignedStatement>
  /** Everything that was delivered, by hash; also what a reorganisation removed from the chain. */
  stored: ReadonlyMap<Hex, StoredDelivery>
  /** Seals and uploads a bundle. Returns its hash when the store has acknowledged everything. */
  deliver: (place: DeliveryPlace, random: Random) => Promise<Hex>
  /** Asks the store for the receipt of a delivery. */
  getReceipt: (hash: Hex) => Promise<StorageReceipt>
  /** Asks for the receipt of a hash that stands for nothing. Records a failure if the store signs one. */
  expectNoReceipt: (hash: Hex, worker: LocalAccount) => Promise<void>
  /** Opens a bundle with the keys of a wallet. Throws if it is not there, or not what the chain says. */
  open: (wallet: LocalAccount, expected: ExpectedBundle) => Promise<{ text: string; content: Buffer }>
}

const fileName = 'work.bin'
const maxFileBytes = 200_000
/** A killed store needs some seconds to start again on a busy machine. */
const patienceMs = 120_000

/**
 * Signs in every wallet at the time of the newest block. Keys are random, so the hashes of bundles differ between two runs of
 * a seed.
 */
export async function createDeliveries(
  { deployments, head }: Pick<PlannedChain, 'deployments' | 'head'>,
  store: StoreProcess,
  wallets: readonly LocalAccount[],
  tally: Tally,
): Promise<Deliveries> {
  const { chainId } = deployments
  const checks = () => ({ domain: store.domain, chainId, verifySignature: verifyKeySignature, now: store.getTime() })
  const statements = new Map<Address, SignedStatement>()
  const connections = new Map<Address, StoreConnection>()
  const kept = new Map<Address, DeviceKeys>()
  const keyStore: KeyStore = {
    load: async (wallet) => kept.get(wallet) ?? null,
    save: async (keys) => void kept.set(keys.wallet, keys),
  }
  for (const wallet of wallets) {
    const keys = await ensureKeys({
      ...checks(),
      now: head().timestamp,
      wallet: wallet.address,
      keyStore,
      signMessage: (message) => wallet.signMessage({ message }),
    })
    if (keys.statement) statements.set(wallet.address, keys.statement)
    const options = { baseUrl: store.url, address: accounts.store.address, keys, now: store.getTime }
    connections.set(wallet.address, connectStore({ ...options, sleep: () => wait(retryMs) }))
  }
  const stored = new Map<Hex, StoredDelivery>()
  const connect = ({ address }: LocalAccount): StoreConnection => {
    const connection = connections.get(address)
    if (!connection) throw new Error(`${address} has no keys.`)
    return connection
  }
  /** Tries again while the store, its folder or its database is down, or reads from a provider that is behind. */
  const persist = async <T>(work: () => Promise<T>): Promise<T> => {
    const began = Date.now()
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (Date.now() - began > patienceMs) throw error
        tally.count('store', error instanceof ApiError ? `${error.status} ${error.code}` : 'no answer')
        await wait(retryMs)
      }
    }
  }

  return {
    statements,
    stored,
    async deliver(place, random) {
      const { taskId, milestone, revision, worker, poster } = place
      const registry = deployments.markets[taskId.market].taskRegistry
      const connection = connect(worker)
      const statement = statements.get(poster.address)
      if (!statement) throw new Error(`${poster.address} has not signed in.`)
      const content = Buffer.alloc(1 + random.below(maxFileBytes), random.word())
      const { savePart, readPart } = createMemoryPartCache()
      const published = { wallet: poster.address, statement }
      const sealed = await sealBundle({
        subject: { kind: 'delivery', chainId, registry, taskId, milestone, revision, author: worker.address },
        text: `Milestone ${milestone}, revision ${revision}`,
        files: [{ name: fileName, type: 'application/octet-stream', open: () => new Blob([content]).stream() }],
        readers: await persist(() => findReaders(connection, [poster.address], { ...checks(), published })),
        savePart,
      })
      await persist(() => uploadBundle(connection, sealed, { readPart }))
      tally.count('store', 'bundles')
      stored.set(sealed.hash, { ...place, sealed, content })
      return sealed.hash
    },
    async getReceipt(hash) {
      const delivery = stored.get(hash)
      if (!delivery) throw new Error(`${hash} was not delivered.`)
      const { sealed, worker, poster, taskId } = delivery
      const connection = connect(worker)
      const statement = statements.get(poster.address)
      const context = createSigningContext(deployments, taskId.market)
      const receipt = await persist(async () => {
        // The store can have the poster's statement from anyone; the poster may never have come by.
        if (statement) await connection.calls.putStatement(statement)
        // A receipt lasts from the newest block, whose time may be far ahead of the store's.
        return issueReceipt(connection, sealed, { context, verifySignature: verifyKeySignature, now: 0 })
      })
      tally.count('store', 'receipts')
      return receipt
    },
    async expectNoReceipt(hash, worker) {
      const outcome = await persist(() =>
        connect(worker)
          .calls.issueStorageReceipt({ hash })
          .then(
            () => 'signed',
            (error: unknown) => {
              if (error instanceof ApiError && error.status === 404) return 'refused'
              throw error
            },
          ),
      )
      tally.count('store', `receipts of nothing ${outcome}`)
      if (outcome === 'signed') tally.fail(`The store signed a receipt for ${hash}, which stands for nothing.`)
    },
    async open(wallet, expected) {
      const opened = await fetchBundle(connect(wallet), expected)
      return { text: opened.manifest.text, content: Buffer.from(await opened.readFile(fileName)) }
    },
  }
}

const retryMs = 100
const wait = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds))
