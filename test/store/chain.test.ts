import { randomBytes } from 'node:crypto'
import {
  accounts,
  agreeOnJudge,
  type Devnet,
  type Job,
  type Scene,
  sendActivation,
  sendCall,
  sendClaim,
  sendDelivery,
  sendDispute,
  sendPost,
} from '@svc/devnet'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { buildSessionProof } from '@svc/protocol/internal/work'
import { hashStatement } from '@svc/protocol/work'
import { type Address, type Hex, type LocalAccount, parseUnits, serializeErc6492Signature, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mockWalletAbi } from '../../packages/devnet/src/abis/mocks.ts'
import { mockWalletCreation } from '../../packages/devnet/src/creations/mocks.ts'
import { planWallet } from '../harness/contractWallet.ts'
import { type TestStore, testClerk } from '../harness/storeApp.ts'
import { type ChainStore, startChainStore } from './chainStore.ts'
import { createStoreClient, makeBundle, makeReadingKey, readBody, type SignIn, sha256, signIn } from './storeClient.ts'

const { ada, bruno, emeka, farah, kofi, store } = accounts
let world: ChainStore
let devnet: Devnet
let scene: Scene
let service: TestStore

beforeAll(async () => {
  world = await startChainStore(undefined, [ada, emeka, farah])
  ;({ devnet, scene, service } = world)
})
afterAll(() => world?.stop())

test('the contract accepts the receipt of a delivery, and only of one that the poster can read', async () => {
  const job = await activate()
  const taskId = idOf(job)
  const [poster, worker] = [await enter(ada), await enter(emeka)]
  const about = { ...where(taskId), author: emeka.address }

  const unreadable = makeBundle(about, [1_000], [{ reader: ada.address, key: makeReadingKey() }])
  expect((await worker.client.upload(unreadable)).status).toBe(201)
  expect((await readBody(await worker.client.askReceipt(unreadable.hash))).code).toBe('RECEIPT_REFUSED')
  // Work that was sealed while the store was down gets its receipt once its author has granted it to the poster.
  const sealedAlone = makeBundle(about, [2_000], [{ reader: emeka.address, key: worker.readingKey }])
  expect((await worker.client.upload(sealedAlone)).status).toBe(201)
  expect((await readBody(await worker.client.askReceipt(sealedAlone.hash))).code).toBe('RECEIPT_REFUSED')
  const path = `/v1/grants/${sealedAlone.hash}/${ada.address}`
  const file = randomBytes(274).toString('base64')
  const grant = (client: typeof worker.client, key: string) => client.send('PUT', path, { version: 1, key, file })
  // Neither a grant for a key that the poster never stated, nor one of somebody else, says that the worker shared it.
  expect((await grant(worker.client, makeReadingKey())).status).toBe(200)
  expect((await grant(poster.client, poster.readingKey)).status).toBe(200)
  expect((await readBody(await worker.client.askReceipt(sealedAlone.hash))).code).toBe('RECEIPT_REFUSED')
  expect((await grant(worker.client, poster.readingKey)).status).toBe(200)
  expect((await worker.client.askReceipt(sealedAlone.hash)).status).toBe(200)

  const delivery = makeBundle(about, [1_000, 70_000], [{ reader: ada.address, key: poster.readingKey }])
  expect((await worker.client.upload(delivery)).status).toBe(201)
  const answer = await worker.client.askReceipt(delivery.hash)
  const { receipt } = (await answer.json()) as { receipt: { size: string; until: string; signature: Hex } }
  expect(receipt.size).toBe(String(71_000 + 274))
  await sendCall(devnet.client, emeka, {
    address: scene.contracts.taskRegistry,
    abi: taskRegistryAbi,
    functionName: 'markDelivered',
    args: [job.id, 0n, delivery.hash, { ...receipt, size: BigInt(receipt.size), until: BigInt(receipt.until) }],
  })
  const task = await devnet.client.readContract({
    address: scene.contracts.taskRegistry,
    abi: taskRegistryAbi,
    functionName: 'taskOf',
    args: [job.id],
  })
  expect(task.receipted).toBe(true)
})

test('the chain decides who may write and read, and for how long', async () => {
  const [poster, worker, stranger] = [await enter(ada), await enter(emeka), await enter(farah)]
  const judge = await enter(kofi)
  const clerk = await enter(testClerk)
  const part = () => randomBytes(100)

  const posted = await post()
  expect((await poster.client.putPart(idOf(posted), part())).status).toBe(201)
  expect((await worker.client.putPart(idOf(posted), part())).status).toBe(403)
  // The store remembers a task for a few seconds, but refuses nobody from memory.
  await sendClaim(scene, posted, emeka)
  expect((await worker.client.putPart(idOf(posted), part())).status).toBe(201)

  // Without a store in the terms, either side can open a dispute at once.
  const job = await activate(zeroAddress)
  const taskId = idOf(job)
  const bytes = part()
  for (const [client, status] of [
    [worker.client, 201],
    [stranger.client, 403],
    [judge.client, 403],
    [clerk.client, 403],
    [createStoreClient(service.url), 401],
  ] as const) {
    expect((await client.putPart(taskId, bytes)).status).toBe(status)
    expect((await client.getPart(taskId, sha256(bytes))).status).toBe(status === 201 ? 200 : status)
  }

  await sendDelivery(scene, job, 'All of it.')
  await sendDispute(scene, job, 'Half of it is missing.')
  expect((await judge.client.getPart(taskId, sha256(bytes))).status).toBe(403)
  expect((await clerk.client.getPart(taskId, sha256(bytes))).status).toBe(200)
  await agreeOnJudge(scene, job, kofi)
  expect((await judge.client.getPart(taskId, sha256(bytes))).status).toBe(200)
  const ruling = makeBundle(
    { ...where(taskId), kind: 'ruling', author: kofi.address },
    [500],
    [{ reader: ada.address, key: poster.readingKey }],
  )
  expect((await judge.client.upload(ruling)).status).toBe(201)
})

test('a descriptor about another task, chain, registry or author is refused', async () => {
  const [job, other] = [await activate(), await activate()]
  const taskId = idOf(job)
  const worker = await enter(emeka)
  const readers = [{ reader: ada.address, key: makeReadingKey() }]
  const about = { ...where(taskId), author: emeka.address }
  for (const wrong of [
    { chainId: 1 },
    { registry: bruno.address },
    { author: ada.address },
    { kind: 'revision' as const },
    { milestone: 7 },
    { revision: 1 },
  ]) {
    const bundle = makeBundle({ ...about, ...wrong }, [100], readers)
    for (const bytes of bundle.parts.values()) await worker.client.putPart(taskId, bytes)
    const answer = await worker.client.send('PUT', `/v1/bundles/${bundle.hash}`, bundle.bytes)
    expect([wrong, (await readBody(answer)).code]).toEqual([wrong, 'INVALID_DESCRIPTOR'])
  }
  // Parts of one task are not held for another.
  const elsewhere = makeBundle({ ...about, taskId: idOf(other) }, [100], readers)
  for (const bytes of elsewhere.parts.values()) await worker.client.putPart(taskId, bytes)
  const answer = await worker.client.send('PUT', `/v1/bundles/${elsewhere.hash}`, elsewhere.bytes)
  expect((await readBody(answer)).code).toBe('PARTS_MISSING')
})

test('a public statement alone opens no session; nor does another device, domain or chain', async () => {
  const { signed } = await enter(ada)
  const listed = await createStoreClient(service.url).send('GET', `/v1/statements/${ada.address}`)
  expect(await listed.json()).toMatchObject({ statements: expect.arrayContaining([signed]) })
  const thief = privateKeyToAccount(generatePrivateKey())
  const now = Math.floor(Date.now() / 1000)
  const proof = { issuedAt: now, signature: await thief.signMessage({ message: 'anything' }) }
  const answer = await createStoreClient(service.url).send('POST', '/v1/sessions', { ...signed, proof })
  expect((await readBody(answer)).code).toBe('INVALID_STATEMENT')
  await expect(signIn(service.url, ada, store.address, { domain: 'evil.example' })).rejects.toThrow('422')
  await expect(signIn(service.url, ada, store.address, { chainId: 1 })).rejects.toThrow('422')
  await expect(signIn(service.url, ada, store.address, { now: now - 600 })).rejects.toThrow('422')
  await expect(signIn(service.url, ada, ada.address)).rejects.toThrow('422')
})

test('contract wallets sign in, deployed or not, and a former owner does not', async () => {
  const [owner, next, stranger] = [0, 1, 2].map(() => privateKeyToAccount(generatePrivateKey()))
  if (!owner || !next || !stranger) throw new Error('Three keys are made.')
  const deployment = await devnet.client.deployContract({ account: ada, ...mockWalletCreation })
  const { contractAddress } = await devnet.client.waitForTransactionReceipt({ hash: deployment })
  if (!contractAddress) throw new Error('The wallet was not deployed.')
  const wallet = { address: contractAddress, abi: mockWalletAbi }
  const setOwner = (address: Address) =>
    sendCall(devnet.client, ada, { ...wallet, functionName: 'set', args: [address, 0] })
  const enterAs = (address: Address, signMessage: LocalAccount['signMessage']) =>
    signIn(service.url, { address, signMessage }, store.address)

  // ERC-1271: the code at the address decides, and anybody but its owner is refused.
  await setOwner(owner.address)
  const { token } = await enterAs(contractAddress, owner.signMessage)
  expect(token).toHaveLength(43)
  await expect(enterAs(contractAddress, stranger.signMessage)).rejects.toThrow('422')
  await expect(enterAs(owner.address, stranger.signMessage)).rejects.toThrow('422')
  const kept = privateKeyToAccount(generatePrivateKey())
  const { signed } = await signIn(
    service.url,
    { address: contractAddress, signMessage: owner.signMessage },
    store.address,
    {
      device: kept,
    },
  )
  await setOwner(next.address)
  await expect(enterAs(contractAddress, owner.signMessage)).rejects.toThrow('422')
  // Nor with a statement that counted before: every new session asks the chain again.
  const issuedAt = Math.floor(Date.now() / 1000)
  const text = buildSessionProof({ store: store.address, statement: hashStatement(signed.message), issuedAt })
  const proof = { issuedAt, signature: await kept.signMessage({ message: text }) }
  const again = await createStoreClient(service.url).send('POST', '/v1/sessions', { ...signed, proof })
  expect([again.status, (await readBody(again)).code]).toEqual([422, 'INVALID_STATEMENT'])
  await enterAs(contractAddress, next.signMessage)

  // ERC-6492: the signature brings the call that would deploy the wallet. Nothing is deployed by signing in.
  const future = await planWallet(devnet.client, owner.address)
  const wrap =
    (signer: LocalAccount): LocalAccount['signMessage'] =>
    async (given) =>
      serializeErc6492Signature({ ...future.factory, signature: await signer.signMessage(given) })
  await enterAs(future.address, wrap(owner))
  expect(await devnet.client.getCode({ address: future.address })).toBeUndefined()
  await expect(enterAs(future.address, wrap(stranger))).rejects.toThrow('422')
  await expect(enterAs(future.address, owner.signMessage)).rejects.toThrow('422')
  // A deployment of another wallet does not make a signature valid for this one.
  await expect(enterAs(contractAddress, wrap(owner))).rejects.toThrow('422')
})

test('public bundles are for everyone, as attachments that nothing runs', async () => {
  const taskId = idOf(await post())
  const poster = await enter(ada)
  const brief = makeBundle({ ...where(taskId), kind: 'brief', author: ada.address }, [300])
  expect((await poster.client.upload(brief)).status).toBe(201)
  const anyone = createStoreClient(service.url)
  const [name = ''] = brief.parts.keys()
  for (const answer of [await anyone.getPart(taskId, name), await anyone.send('GET', `/v1/bundles/${brief.hash}`)]) {
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': 'attachment',
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
  }
  expect(await (await anyone.send('GET', `/v1/tasks/${formatTaskId(taskId)}/bundles`)).json()).toMatchObject({
    bundles: [{ hash: brief.hash, isPublic: true }],
  })
})

test('later grants lie beside the bundle, and nobody replaces those of another', async () => {
  const taskId = idOf(await activate())
  const [poster, worker, stranger] = [await enter(ada), await enter(emeka), await enter(farah)]
  const bundle = makeBundle(
    { ...where(taskId), author: emeka.address },
    [100],
    [{ reader: ada.address, key: poster.readingKey }],
  )
  await worker.client.upload(bundle)
  const path = `/v1/grants/${bundle.hash}/${kofi.address}`
  const key = makeReadingKey()
  const grant = (file: Buffer) => ({
    version: 1,
    bundle: bundle.hash,
    reader: kofi.address,
    key,
    file: file.toString('base64'),
  })
  const [real, noise] = [randomBytes(274), randomBytes(274)]
  expect((await worker.client.send('PUT', path, grant(real))).status).toBe(200)
  expect((await poster.client.send('PUT', path, grant(noise))).status).toBe(200)
  expect((await stranger.client.send('PUT', path, grant(noise))).status).toBe(403)
  const { grants } = (await (await poster.client.send('GET', path)).json()) as { grants: { file: string }[] }
  expect(grants.map(({ file }) => file)).toEqual([noise, real].map((file) => file.toString('base64')))
})

test('a party cannot use up the room for grants and keep a judge from reading', async () => {
  const taskId = idOf(await activate())
  const [poster, worker] = [await enter(ada), await enter(emeka)]
  const bundle = makeBundle(
    { ...where(taskId), author: emeka.address },
    [100],
    [{ reader: ada.address, key: poster.readingKey }],
  )
  await worker.client.upload(bundle)
  const grant = ({ client }: SignIn) =>
    client.send('PUT', `/v1/grants/${bundle.hash}/${kofi.address}`, {
      version: 1,
      bundle: bundle.hash,
      reader: kofi.address,
      key: makeReadingKey(),
      file: randomBytes(274).toString('base64'),
    })
  for (let made = 0; made < 100; made++) expect((await grant(poster)).status).toBe(200)
  expect((await readBody(await grant(poster))).code).toBe('WORK_QUOTA_REACHED')
  expect((await grant(worker)).status).toBe(200)
})

test('a key backup is for its own wallet only, and bounded', async () => {
  const [poster, worker] = [await enter(ada), await enter(emeka)]
  const vault = randomBytes(300)
  expect((await poster.client.send('PUT', '/v1/vault', vault)).status).toBe(200)
  expect(Buffer.from(await (await poster.client.send('GET', '/v1/vault')).bytes())).toEqual(vault)
  expect((await worker.client.send('GET', '/v1/vault')).status).toBe(404)
  expect((await poster.client.send('PUT', '/v1/vault', randomBytes(20_000))).status).toBe(413)
})

test('a body without a length, or a part that is too large, is refused before it is read', async () => {
  const taskId = idOf(await activate())
  const worker = await enter(emeka)
  const chunked = await fetch(`${service.url}/v1/tasks/${formatTaskId(taskId)}/parts/${sha256(Buffer.from('x'))}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${worker.token}` },
    body: new Blob(['x']).stream(),
    duplex: 'half',
  })
  expect(chunked.status).toBe(411)
  expect((await worker.client.putPart(taskId, randomBytes(4 * 1_048_576 + 1))).status).toBe(413)
})

const enter = (wallet: LocalAccount) => signIn(service.url, wallet, store.address)
const idOf = ({ id }: Job): TaskId => ({ market: 'micro', number: id })
const where = (taskId: TaskId) => ({ chainId: 8453, registry: scene.contracts.taskRegistry, taskId })

const post = (named: Address = store.address) =>
  sendPost(scene, {
    poster: ada,
    text: 'A task with a store\n\nDeliver files.',
    amounts: [parseUnits('100', 18)],
    duration: scene.params.minDuration,
    store: named,
  })

async function activate(named?: Address): Promise<Job> {
  const job = await post(named)
  await sendClaim(scene, job, emeka)
  await sendActivation(scene, job)
  return job
}
