import { join } from 'node:path'
import { createChainReader, createChainVerifier, type MarketReader } from '@svc/chain'
import {
  acceptCase,
  accounts,
  advanceTime,
  type Devnet,
  type Job,
  publicKeys,
  type Scene,
  sendActivation,
  sendAppeal,
  sendCall,
  sendClaim,
  sendPost,
  sendProposal,
  sendTimeoutResolution,
} from '@svc/devnet'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { arbitrationAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { listSeatedJudges } from '@svc/protocol/internal/records'
import { type BundleKind, type ExpectedBundle, listBundleReferences, sealBundle } from '@svc/protocol/work'
import {
  connectStore,
  createMemoryPartCache,
  type DeviceKeys,
  ensureKeys,
  fetchBundle,
  findCourtReaders,
  findReaders,
  grantTaskBundles,
  type StoreConnection,
  uploadBundle,
} from '@svc/work'
import { type LocalAccount, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AppProcess, killAllProcesses, startAppProcess } from '../../chaos/shared/appProcess.ts'
import { type TestStore, testDomain } from '../harness/storeApp.ts'
import { type ChainStore, startChainStore } from './chainStore.ts'
import { type FaultyS3, startFaultyS3 } from './faultyS3.ts'

// A real chain, store and clerk. "Asleep" means that no client of a party does anything any more.

const { ada, emeka, kofi, lena, court, store: storeAccount } = accounts
let world: ChainStore
let devnet: Devnet
let scene: Scene
let reader: MarketReader
let service: TestStore
/** Between the clerk and the store. It can cut grants off in the middle. */
let proxy: FaultyS3
let verifySignature: ReturnType<typeof createChainVerifier>

beforeAll(async () => {
  world = await startChainStore((providers) => {
    verifySignature = createChainVerifier(providers)
    return { verifySignature }
  })
  ;({ devnet, scene, service } = world)
  reader = createChainReader(world.providers, world.deployment)
  proxy = await startFaultyS3(service.url)
})
afterEach(killAllProcesses)
afterAll(async () => {
  await proxy?.stop()
  await world?.stop()
})

test('while both parties sleep, the seated judge gets to open everything, and nobody else does', async () => {
  const clerk = await startClerk()
  const [job, other] = [await openDispute({ revised: true }), await openDispute({ asked: lena })]
  await acceptCase(scene, job, kofi)
  // Nothing can be granted to a judge without a key statement; the clerk waits.
  await clerk.waitForLog('the wait', (lines) =>
    lines.some(({ msg, task }) => msg === 'the judge has not signed in' && task === formatJob(job)),
  )
  const judge = await connect(kofi)
  await waitForGrants(clerk, job)
  await expectOpensAll(judge, job)

  // The judge of another task and another arbitrator are refused. One that both sides ask gets no key before it accepts.
  const askedJudge = await connect(lena)
  for (const [reading, about, refusal] of [
    [judge, other, { status: 403 }],
    [askedJudge, job, { status: 403 }],
    [askedJudge, other, { code: 'NO_GRANT' }],
  ] as const) {
    for (const expected of await listReferences(about)) {
      await expect(fetchBundle(reading, expected)).rejects.toMatchObject(refusal)
    }
  }
  expect(clerk.lines.filter(({ msg, task }) => msg === 'granted' && task !== formatJob(job))).toEqual([])

  // What a party adds later reaches the judge as well.
  await submitEvidence(job, emeka)
  await waitForGrants(clerk, job)
  await expectOpensAll(judge, job)
  await clerk.kill('SIGTERM')
  expect(clerk.exitStatus()).toEqual({ code: 0 })
})

test('a silent judge is replaced by the final court, which opens everything although the clerk is killed halfway', async () => {
  const clerk = await startClerk()
  const judge = await connect(kofi)
  const final = await connect(court)
  const job = await openDispute()
  await submitEvidence(job, emeka)
  await acceptCase(scene, job, kofi)
  await waitForGrants(clerk, job)
  await expectOpensAll(judge, job)

  await advanceTime(devnet.client, scene.params.evidenceWindow + scene.params.rulingWindow + 1)
  proxy.fail('cut')
  await sendTimeoutResolution(scene, job)
  await clerk.waitForLog('a failed grant', (lines) => lines.some(({ msg }) => msg === 'cannot grant work, retrying'))
  await clerk.kill('SIGKILL')
  proxy.fail(null)
  await waitForGrants(await startClerk(), job)
  await expectOpensAll(final, job)
  for (const expected of await listReferences(job)) {
    await expect(fetchBundle(judge, expected)).rejects.toMatchObject({ status: 403 })
  }
})

test('on appeal the final court opens everything, with the reasons of the ruling', async () => {
  const clerk = await startClerk()
  const [judge, final] = [await connect(kofi), await connect(court)]
  const job = await openDispute()
  await submitEvidence(job, emeka)
  await acceptCase(scene, job, kofi)
  await waitForGrants(clerk, job)
  await advanceTime(devnet.client, scene.params.evidenceWindow + 1)
  const reasons = await send(judge, job, 'ruling', [ada, emeka])
  await sendCall(devnet.client, kofi, {
    address: scene.contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'resolve',
    args: [job.id, 1n, false, reasons.hash],
  })
  await shareWithClerk(judge, job)
  await sendAppeal(scene, job, emeka)
  await waitForGrants(clerk, job, court)
  expect((await listReferences(job)).at(-1)).toMatchObject({ kind: 'ruling', author: kofi.address })
  await expectOpensAll(final, job)
  // The judge wrote the ruling and stays a judge of the case.
  await expectOpensAll(judge, job)
})

test('without a clerk, a party grants by hand, and nothing else changes', async () => {
  const own = await world.startStore({ clerk: null })
  const [poster, judge] = [await connect(ada, own.url), await connect(kofi, own.url)]
  const job = await openDispute({ url: own.url })
  await acceptCase(scene, job, kofi)
  const references = await listReferences(job)
  for (const expected of references) {
    await expect(fetchBundle(judge, expected)).rejects.toMatchObject({ code: 'NO_GRANT' })
  }
  const { detail } = await reader.getTask('micro', job.id)
  const judges = listSeatedJudges(detail?.dispute, scene.contracts.finalCourt)
  const { readers, waiting } = await findCourtReaders(poster, judges, createReading())
  expect([...new Set(readers.map((each) => each.reader)), waiting]).toEqual([kofi.address, []])
  expect((await grantTaskBundles(poster, references, readers)).map(({ outcome }) => outcome)).toEqual(
    references.map(() => 'granted'),
  )
  await expectOpensAll(judge, job)
  // A clerk that the store does not name says so, and is not ready.
  const clerk = startAppProcess('clerk', { ...clerkEnv(), SVC_STORE_URL: own.url })
  await clerk.waitForLog('the reason', (lines) => lines.some(({ err }) => err?.includes('names no clerk')))
  await clerk.kill('SIGKILL')
  await own.stop()
})

const formatJob = ({ id }: Job) => formatTaskId(toTaskId(id))
const toTaskId = (number: bigint): TaskId => ({ market: 'micro', number })
const getNow = () => Math.floor(Date.now() / 1000)
const createReading = () => ({ domain: testDomain, chainId: 8453, verifySignature, now: getNow() })

const clerkEnv = () => ({
  CHAIN_RPC_URL: devnet.rpcUrl,
  SVC_DEPLOYMENTS: world.deploymentsFile,
  SVC_STORE_URL: proxy.url,
  SVC_STORE_ADDRESS: storeAccount.address,
  SVC_CLERK_DOMAIN: testDomain,
  SVC_CLERK_KEY: publicKeys.treasury,
  SVC_CLERK_FOLDER: join(world.folder, 'keys'),
  SVC_CLERK_POLL_MS: '50',
  SVC_CLERK_RECHECK_SECONDS: '1',
  SVC_CLERK_PORT: '0',
})

async function startClerk(): Promise<AppProcess> {
  const clerk = startAppProcess('clerk', clerkEnv())
  await clerk.waitForLog('serving')
  return clerk
}

/** Waits until the clerk has granted every bundle of a task to somebody, or to this judge. */
async function waitForGrants(clerk: AppProcess, job: Job, judge?: LocalAccount): Promise<void> {
  const hashes = (await listReferences(job)).map(({ hash }) => hash)
  await clerk.waitForLog('every grant', (lines) => {
    const granted = lines
      .filter(({ msg, readers }) => msg === 'granted' && (!judge || readers?.includes(judge.address)))
      .map(({ bundle }) => bundle)
    return hashes.every((hash) => granted.includes(hash))
  })
}

async function connect(account: LocalAccount, url = service.url): Promise<StoreConnection> {
  const keys = await ensureKeys({
    ...createReading(),
    wallet: account.address,
    keyStore: {
      load: async (wallet) => devices.get(wallet) ?? null,
      save: async (keys) => void devices.set(keys.wallet, keys),
    },
    signMessage: (message) => account.signMessage({ message }),
  })
  const connection = connectStore({ baseUrl: url, address: storeAccount.address, keys, now: getNow })
  if (keys.statement) await connection.calls.putStatement(keys.statement)
  return connection
}
const devices = new Map<string, DeviceKeys>()

async function listReferences({ id }: Job): Promise<ExpectedBundle[]> {
  const { detail } = await reader.getTask('micro', id)
  const { taskRegistry: registry, finalCourt } = scene.contracts
  return listBundleReferences({ chainId: 8453, registry, taskId: toTaskId(id), finalCourt }, detail?.timeline ?? [])
}

/** Opens every bundle of a task, to the last byte. */
async function expectOpensAll(store: StoreConnection, job: Job): Promise<void> {
  const references = await listReferences(job)
  expect(references.length).toBeGreaterThan(1)
  for (const expected of references) {
    const { manifest, readFile } = await fetchBundle(store, expected)
    expect(manifest.text).toBe(`A ${expected.kind}.`)
    expect(await readFile('notes.txt')).toEqual(new TextEncoder().encode(`Notes of a ${expected.kind}.`))
  }
}

/** Seals and uploads a bundle for these readers. */
async function send(store: StoreConnection, { id }: Job, kind: BundleKind, readers: readonly LocalAccount[]) {
  const { detail } = await reader.getTask('micro', id)
  const author = store.keys?.wallet
  if (!detail || !author) throw new Error('The author of a bundle has keys, and the task exists.')
  const cache = createMemoryPartCache()
  const subject = {
    kind,
    chainId: 8453,
    registry: scene.contracts.taskRegistry,
    taskId: toTaskId(id),
    milestone: detail.task.current,
    revision: detail.task.revisions,
    author,
  }
  const notes = { name: 'notes.txt', type: 'text/plain', open: () => new Blob([`Notes of a ${kind}.`]).stream() }
  const wallets = readers.map(({ address }) => address)
  const sealed = await sealBundle({
    subject,
    text: `A ${kind}.`,
    files: [notes],
    readers: await findReaders(store, wallets, createReading()),
    savePart: cache.savePart,
  })
  await uploadBundle(store, sealed, cache)
  return { ...subject, hash: sealed.hash }
}

/**
 * A delivered task in dispute, whose poster's client has shared it with the clerk, if there is one. Its terms name the judge who is
 * asked, and so does the worker. `revised`: the poster had asked for changes before, so there are two deliveries.
 */
async function openDispute({ url = service.url, revised = false, asked = kofi } = {}): Promise<Job> {
  const [poster, worker] = [await connect(ada, url), await connect(emeka, url)]
  const job = await sendPost(scene, {
    poster: ada,
    text: 'A task that ends in a dispute\n\nDeliver files.',
    amounts: [parseUnits('100', 18)],
    duration: scene.params.minDuration,
    maxRevisions: 1,
    arbitrator: asked.address,
  })
  await sendClaim(scene, job, emeka)
  await sendActivation(scene, job)
  const registry = { address: scene.contracts.taskRegistry, abi: taskRegistryAbi }
  const deliver = async () => {
    const { hash } = await send(worker, job, 'delivery', [ada])
    const args = [job.id, 0n, hash, { size: 0n, until: 0n, signature: '0x' }] as const
    await sendCall(devnet.client, emeka, { ...registry, functionName: 'markDelivered', args })
  }
  await deliver()
  if (revised) {
    const { hash } = await send(poster, job, 'revision', [emeka])
    await sendCall(devnet.client, ada, { ...registry, functionName: 'requestRevision', args: [job.id, 0n, hash] })
    await deliver()
  }
  const { hash } = await send(poster, job, 'evidence', [emeka])
  await sendCall(devnet.client, ada, { ...registry, functionName: 'openDispute', args: [job.id, 0n, hash, 0n] })
  await sendProposal(scene, job, emeka, asked.address)
  await shareWithClerk(poster, job)
  return job
}

/** Submits evidence as a party, whose client then shares the task with the clerk. */
async function submitEvidence(job: Job, party: LocalAccount, url = service.url): Promise<void> {
  const store = await connect(party, url)
  const { hash } = await send(store, job, 'evidence', [ada, emeka])
  await sendCall(devnet.client, party, {
    address: scene.contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'submitEvidence',
    args: [job.id, hash, party === ada ? 0n : 10_000n],
  })
  await shareWithClerk(store, job)
}

async function shareWithClerk(store: StoreConnection, job: Job): Promise<void> {
  const { readers } = await findCourtReaders(store, [], createReading())
  await grantTaskBundles(store, await listReferences(job), readers)
}
