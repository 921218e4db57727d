import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SigningContext } from '@svc/protocol'
import { listChangedFiles } from '@svc/protocol/internal/work'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import {
  type BundleSubject,
  createReadingKey,
  decryptKeyBackup,
  encodeDescriptor,
  encryptKeyBackup,
  getReadingKey,
  hashDescriptor,
  hashStatement,
  parseStatementMessage,
  type SealedBundle,
  sealBundle,
  workLimits,
} from '@svc/protocol/work'
import { keccak256 } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryStore, storeAccount } from '../test/memoryStore.ts'
import {
  createKeyFolder,
  createPartFolder,
  exportBundle,
  listFilesInside,
  listLocalFiles,
  sealIntoOutbox,
  verifyExport,
} from './folder/index.ts'
import {
  beginSignIn,
  completeSignIn,
  connectStore,
  createMemoryPartCache,
  type DeviceKeys,
  ensureKeys,
  fetchBundle,
  findCourtReaders,
  findReaders,
  grantBundle,
  grantTaskBundles,
  issueReceipt,
  type KeyStore,
  restoreKeys,
  rotateKeys,
  type StoreConnection,
  uploadBundle,
} from './index.ts'

const poster = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const worker = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const judge = privateKeyToAccount(`0x${'33'.repeat(32)}`)
const clerk = privateKeyToAccount(`0x${'44'.repeat(32)}`)
const context: SigningContext = {
  chainId: 8453,
  market: 'micro',
  taskRegistry: '0x7a5c000000000000000000000000000000000001',
  asset: '0x7a5c000000000000000000000000000000000002',
}
const subject: BundleSubject = {
  kind: 'delivery',
  chainId: 8453,
  registry: context.taskRegistry,
  taskId: { market: 'micro', number: 33n },
  milestone: 0,
  revision: 0,
  author: worker.address,
}
const now = 1_794_700_000
const reading = { domain: 'market.example', chainId: 8453, verifySignature: verifyKeySignature, now }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'work-client-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function createMemoryKeyStore(): KeyStore {
  const all = new Map<string, DeviceKeys>()
  return { load: async (wallet) => all.get(wallet) ?? null, save: async (keys) => void all.set(keys.wallet, keys) }
}

const sign = (account: PrivateKeyAccount) => ({
  wallet: account.address,
  keyStore: createMemoryKeyStore(),
  signMessage: (message: string) => account.signMessage({ message }),
  ...reading,
})

/** A store with a poster and a worker who have signed in. */
async function startWorld() {
  const memory = createMemoryStore(context)
  const connect = async (account: PrivateKeyAccount): Promise<StoreConnection> => {
    const keys = await ensureKeys(sign(account))
    const options = { baseUrl: 'http://127.0.0.1:1', address: storeAccount.address, now: () => now }
    return connectStore({ ...options, keys, fetch: memory.fetch, sleep: async () => {} })
  }
  const [posterStore, workerStore] = [await connect(poster), await connect(worker)]
  await posterStore.getVault()
  return { memory, connect, posterStore, workerStore }
}

async function seal(store: StoreConnection, content: Uint8Array = new Uint8Array(100_000), text = 'Done.') {
  const cache = createMemoryPartCache()
  const sealed = await sealBundle({
    subject,
    text,
    files: [
      { name: 'map.bin', type: 'application/octet-stream', open: () => new Blob([new Uint8Array(content)]).stream() },
    ],
    readers: await findReaders(store, [poster.address], reading),
    savePart: cache.savePart,
  })
  return { sealed, readPart: cache.readPart, expected: { ...subject, hash: sealed.hash } }
}

test('a worker delivers, gets a receipt, and both parties and a judge open the same bytes', async () => {
  const { connect, posterStore, workerStore, memory } = await startWorld()
  const content = Uint8Array.from({ length: 5_000_000 }, (_, at) => at * 7)
  const { sealed, readPart, expected } = await seal(workerStore, content)
  const progress: number[] = []
  await uploadBundle(workerStore, sealed, { readPart, onProgress: ({ sentBytes }) => progress.push(sentBytes) })
  expect(progress[0]).toBe(0)
  expect(progress.at(-1)).toBeGreaterThan(content.length)
  const receipt = await issueReceipt(workerStore, sealed, { context, verifySignature: verifyKeySignature, now })
  expect(receipt.until).toBe(1_900_000_000n)

  for (const store of [posterStore, workerStore]) {
    const { manifest, readFile } = await fetchBundle(store, expected)
    expect(manifest.text).toBe('Done.')
    expect(Buffer.compare(await readFile('map.bin'), content)).toBe(0)
  }
  const judgeStore = await connect(judge)
  await expect(fetchBundle(judgeStore, expected)).rejects.toMatchObject({ code: 'NO_GRANT' })
  const opened = await fetchBundle(posterStore, expected)
  await grantBundle(posterStore, sealed.hash, opened, await findReaders(posterStore, [judge.address], reading))
  expect((await fetchBundle(judgeStore, expected)).manifest).toEqual(opened.manifest)
  // The own key has a grant already.
  expect([...memory.grants.keys()]).toEqual([`${sealed.hash}/${judge.address}`])
})

test('a party shares the bundles of a task with the clerk and the judge, also where noise was to lock them out', async () => {
  const { memory, connect, posterStore, workerStore } = await startWorld()
  const findCourt = () => findCourtReaders(posterStore, [judge.address], reading)
  expect(await findCourt()).toEqual({ readers: [], waiting: [judge.address] })
  memory.clerk = clerk.address
  const [clerkStore, judgeStore] = [await connect(clerk), await connect(judge)]
  for (const store of [clerkStore, judgeStore]) await store.getVault()
  const { readers, waiting } = await findCourt()
  expect([readers.map(({ reader }) => reader), waiting]).toEqual([[judge.address, clerk.address], []])

  const plain = await seal(workerStore)
  await uploadBundle(workerStore, plain.sealed, plain)
  // The worker's own grant, renamed to the clerk's key: the clerk cannot open it.
  const [own, ...others] = plain.sealed.descriptor.grants
  const court = readers[1]
  if (!own || !court) throw new Error('The bundle has a grant for its author.')
  const bytes = encodeDescriptor({ ...plain.sealed.descriptor, grants: [{ ...own, ...court }, ...others] })
  const noisy = { ...plain.expected, hash: hashDescriptor(bytes) }
  await workerStore.putBundle(noisy.hash, bytes)
  const references = [
    plain.expected,
    noisy,
    { ...plain.expected, hash: keccak256('0x01') },
    { ...noisy, revision: 1, hash: plain.sealed.hash },
  ]
  const outcomes = async (store: StoreConnection, asked = references) =>
    (await grantTaskBundles(store, asked, readers)).map(({ outcome }) => outcome)
  expect(await outcomes(clerkStore, references.slice(0, 2))).toEqual(['closed', 'wrong'])
  memory.requests.length = 0
  expect(await outcomes(posterStore, references.slice(0, 3))).toEqual(['granted', 'granted', 'missing'])
  // Keys only: the content was not fetched.
  const content = plain.sealed.descriptor.blobs.flatMap(({ parts }) => parts.map(({ sha256 }) => sha256))
  expect(memory.requests.filter((each) => content.some((sha256) => each.includes(sha256)))).toEqual([])
  expect(await outcomes(posterStore, references.slice(3))).toEqual(['wrong'])
  for (const expected of [plain.expected, noisy]) {
    expect((await fetchBundle(clerkStore, expected)).manifest.text).toBe('Done.')
    expect((await fetchBundle(judgeStore, expected)).manifest.text).toBe('Done.')
  }
  const before = memory.grants.size
  expect(await outcomes(clerkStore, references.slice(0, 2))).toEqual(['granted', 'granted'])
  expect(memory.grants.size).toBe(before)
})

test('an upload goes on where it stopped, three parts at a time', async () => {
  const { memory, workerStore } = await startWorld()
  const { sealed, readPart } = await seal(
    workerStore,
    new Uint8Array(9_000_000).map((_, at) => at * 13),
  )
  let active = 0
  let most = 0
  let puts = 0
  memory.intercept = async ({ method, url }) => {
    if (method !== 'PUT' || !url.includes('/parts/')) return null
    most = Math.max(most, ++active)
    await new Promise((resolve) => setTimeout(resolve, 5))
    active -= 1
    return ++puts > 2 ? Response.json({ code: 'INTERNAL', error: 'broken' }, { status: 500 }) : null
  }
  await expect(uploadBundle(workerStore, sealed, { readPart })).rejects.toThrow('broken')
  expect(most).toBe(3)
  expect(memory.parts.size).toBe(2)
  memory.intercept = null
  memory.requests.length = 0
  await uploadBundle(workerStore, sealed, { readPart })
  const sent = memory.requests.filter((each) => each.startsWith('PUT') && each.includes('/parts/'))
  expect(sent).toHaveLength(memory.parts.size - 2)
  // Nothing is sent twice, and a store that was restored from yesterday gets what it lost.
  const lost = [...memory.parts.keys()][0] ?? ''
  memory.intercept = async ({ url }) => {
    if (url.includes('/bundles/')) memory.parts.delete(lost)
    memory.intercept = url.includes('/bundles/') ? null : memory.intercept
    return null
  }
  memory.bundles.clear()
  await uploadBundle(workerStore, sealed, { readPart })
  expect(memory.parts.has(lost)).toBe(true)
  expect(memory.bundles.has(sealed.hash)).toBe(true)
})

test('busy answers and a lost connection are tried again; a session that ended is replaced', async () => {
  const { memory, workerStore } = await startWorld()
  const { sealed, readPart } = await seal(workerStore)
  const seen = new Map<string, number>()
  memory.intercept = async ({ method, url }) => {
    const count = seen.get(method + url) ?? 0
    seen.set(method + url, count + 1)
    if (count === 0) throw new TypeError('fetch failed')
    return count === 1 ? new Response(null, { status: 503, headers: { 'retry-after': '1' } }) : null
  }
  await uploadBundle(workerStore, sealed, { readPart })
  memory.intercept = null
  memory.sessions.clear()
  await uploadBundle(workerStore, sealed, { readPart })
  expect(memory.sessions.size).toBe(1)
})

test('a store that lies is caught', async () => {
  const { memory, posterStore, workerStore } = await startWorld()
  const { sealed, readPart, expected } = await seal(workerStore)
  await uploadBundle(workerStore, sealed, { readPart })
  const restore = (table: Map<string, Uint8Array>, key: string, bytes: Uint8Array) => {
    const real = table.get(key)
    table.set(key, bytes)
    return () => void (real && table.set(key, real))
  }
  const [part] = sealed.descriptor.blobs[1]?.parts ?? []
  const lies: [string, () => () => void, string][] = [
    ['another descriptor', () => restore(memory.bundles, sealed.hash, new TextEncoder().encode('{}')), 'WRONG_BUNDLE'],
    ['a huge descriptor', () => restore(memory.bundles, sealed.hash, new Uint8Array(300_000)), 'WRONG_PART'],
    ['other bytes', () => restore(memory.parts, part?.sha256 ?? '', new Uint8Array(part?.size ?? 0)), 'WRONG_PART'],
    ['endless bytes', () => restore(memory.parts, part?.sha256 ?? '', new Uint8Array(9_000_000)), 'WRONG_PART'],
  ]
  for (const [name, lie, code] of lies) {
    const undo = lie()
    const read = async () => (await fetchBundle(posterStore, expected)).readFile('map.bin')
    await expect(read(), name).rejects.toMatchObject({ code })
    undo()
  }
  // A swapped reading key: the statement is of another wallet, and not one that the store may invent.
  const [real] = memory.statements.get(poster.address) ?? []
  memory.statements.set(poster.address, memory.statements.get(worker.address) ?? [])
  await expect(findReaders(workerStore, [poster.address], reading)).rejects.toMatchObject({ code: 'NO_READING_KEY' })
  const swapped = real && { ...real, message: real.message.replace(/age1\w+/, (await createReadingKey()).key) }
  memory.statements.set(poster.address, swapped ? [swapped] : [])
  await expect(findReaders(workerStore, [poster.address], reading)).rejects.toMatchObject({ code: 'NO_READING_KEY' })
})

test('the published statement of the poster is found first, until a newer one revokes it', async () => {
  const { memory, workerStore, posterStore } = await startWorld()
  const { keys } = posterStore
  if (!keys?.statement) throw new Error('The poster has not signed in.')
  const published = { wallet: poster.address, statement: keys.statement }
  const listKeys = async (change: object = {}) => {
    const readers = await findReaders(workerStore, [poster.address], { ...reading, published, ...change })
    return readers.filter(({ reader }) => reader === poster.address).map(({ key }) => key)
  }
  const key = await getReadingKey(keys.readingIdentity)
  const stored = memory.statements.get(poster.address) ?? []
  // A store that hides it, that has another device as well, and one that has too many.
  memory.statements.set(poster.address, [])
  expect(await listKeys()).toEqual([key])
  const others = []
  for (let index = 0; index < 6; index++) {
    const device = await ensureKeys({ ...sign(poster), now: now + index + 1 })
    if (device.statement) others.push(device.statement)
  }
  memory.statements.set(poster.address, others)
  const found = await listKeys({ now: now + 60 })
  expect(found[0]).toBe(key)
  expect(found).toHaveLength(6)
  // Not of the poster, expired, or revoked: the store's statements are used.
  memory.statements.set(poster.address, [...stored])
  expect(await listKeys({ published: { ...published, wallet: worker.address } })).toEqual([key])
  const keyStore = createMemoryKeyStore()
  await keyStore.save(keys)
  const rotated = await rotateKeys({ ...sign(poster), keyStore, now: now + 1 })
  memory.statements.set(poster.address, rotated.statement ? [rotated.statement] : [])
  expect(await listKeys({ now: now + 1 })).toEqual([await getReadingKey(rotated.readingIdentity)])
  memory.statements.set(poster.address, [])
  const expired = listKeys({ now: now + workLimits.statementLifetime })
  await expect(expired).rejects.toMatchObject({ code: 'NO_READING_KEY' })
})

test('a receipt of another store, size or delivery is refused', async () => {
  const { memory, workerStore } = await startWorld()
  const { sealed, readPart } = await seal(workerStore)
  await uploadBundle(workerStore, sealed, { readPart })
  const use = { context, verifySignature: verifyKeySignature, now }
  const other: Pick<SealedBundle, 'hash' | 'descriptor'> = {
    ...sealed,
    descriptor: { ...sealed.descriptor, revision: 1 },
  }
  await expect(issueReceipt(workerStore, other, use)).rejects.toMatchObject({ code: 'WRONG_RECEIPT' })
  await expect(issueReceipt(workerStore, sealed, { ...use, now: 1_900_000_000 })).rejects.toThrow('has ended')
  const smaller = { ...sealed, descriptor: { ...sealed.descriptor, grants: [] } }
  await expect(issueReceipt(workerStore, smaller, use)).rejects.toThrow('bytes')
  const liar = createMemoryStore(context, judge)
  liar.bundles = memory.bundles
  const stranger = connectStore({
    baseUrl: 'http://127.0.0.1:1',
    address: storeAccount.address,
    now: () => now,
    fetch: liar.fetch,
  })
  await expect(issueReceipt(stranger, sealed, use)).rejects.toThrow('was not signed by')
  // Its session proof would be valid at the store that it pretends to be.
  const fooled = connectStore({ ...options, keys: await ensureKeys(sign(worker)), fetch: liar.fetch })
  await expect(fooled.getVault()).rejects.toMatchObject({ code: 'WRONG_STORE' })
})

const options = { baseUrl: 'http://127.0.0.1:1', address: storeAccount.address, now: () => now }

test('the wallet is asked once; keys rotate, come back from a backup, and still open old work', async () => {
  const { memory, workerStore, posterStore } = await startWorld()
  const { sealed, readPart, expected } = await seal(workerStore)
  await uploadBundle(workerStore, sealed, { readPart })
  const keyStore = createMemoryKeyStore()
  const mine = posterStore.keys
  if (!mine) throw new Error('The poster has no keys.')
  await keyStore.save(mine)
  let prompts = 0
  const signMessage = (message: string) => {
    prompts += 1
    return poster.signMessage({ message })
  }
  const given = { ...sign(poster), keyStore, signMessage }
  expect(await ensureKeys(given)).toEqual(mine)
  expect(prompts).toBe(0)
  const expiring = now + workLimits.statementLifetime - 86_400
  const renewed = await ensureKeys({ ...given, now: expiring })
  expect([prompts, renewed.readingIdentity]).toEqual([1, mine.readingIdentity])

  const rotated = await rotateKeys(given)
  expect(rotated.readingIdentity).not.toBe(mine.readingIdentity)
  const { revokes } = parseStatementMessage(rotated.statement?.message ?? '')
  expect(revokes).toEqual([hashStatement(renewed.statement?.message ?? '')])
  const after = connectStore({ ...options, keys: rotated, fetch: memory.fetch })
  expect((await fetchBundle(after, expected)).manifest.text).toBe('Done.')

  const { statement: _, formerIdentities: __, ...backup } = mine
  const text = await encryptKeyBackup(backup, 'a long passphrase', { workFactor: 8 })
  await posterStore.putVault(text)
  const elsewhere = createMemoryKeyStore()
  const found = await posterStore.getVault()
  const restored = await restoreKeys(elsewhere, await decryptKeyBackup(found ?? '', 'a long passphrase'))
  expect(restored.readingIdentity).toBe(mine.readingIdentity)
  expect((await ensureKeys({ ...given, keyStore: elsewhere })).statement).not.toBeNull()
})

test('keys lie in a file for their owner only, and a damaged file is never overwritten', async () => {
  const keyFolder = join(folder, 'keys')
  const keyStore = createKeyFolder(keyFolder)
  const keys = await ensureKeys({ ...sign(poster), keyStore })
  expect(await keyStore.load(poster.address)).toEqual(keys)
  const path = join(keyFolder, `${poster.address.toLowerCase()}.json`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(keyFolder)).toHaveLength(1)
  await writeFile(path, '{}')
  await expect(keyStore.save(keys)).rejects.toMatchObject({ code: 'INVALID_KEYS' })
  expect(await readFile(path, 'utf8')).toBe('{}')
  await rm(path)
  await writeFile(path, '{}', { mode: 0o644 })
  await expect(keyStore.load(poster.address)).rejects.toMatchObject({ code: 'KEYS_EXPOSED' })
})

test('local files are sealed, exported and verified offline; links are refused', async () => {
  const { memory, posterStore, workerStore } = await startWorld()
  const source = await mkdtemp(join(folder, 'source-'))
  await writeFile(join(source, 'notes.md'), '# Notes')
  await writeFile(join(source, 'raw.bin'), new Uint8Array(70_000).fill(9))
  const cache = createPartFolder(join(folder, 'outbox'))
  const files = (await listLocalFiles([source])).map((file) => ({
    ...file,
    name: file.name.replace(/^[^/]+/, 'source'),
  }))
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ['source/notes.md', 'text/markdown'],
    ['source/raw.bin', 'application/octet-stream'],
  ])
  const readers = await findReaders(workerStore, [poster.address], reading)
  const sealed = await sealBundle({ subject, text: '', files, readers, savePart: cache.savePart })
  await uploadBundle(workerStore, sealed, cache)

  const target = join(folder, 'exported')
  const bundle = await fetchBundle(posterStore, { ...subject, hash: sealed.hash })
  await exportBundle(bundle, target)
  expect(await readFile(join(target, 'files/source/notes.md'), 'utf8')).toBe('# Notes')
  const verified = await verifyExport(target)
  expect([verified.hash, verified.manifest]).toEqual([sealed.hash, bundle.manifest])
  await expect(exportBundle(bundle, target)).rejects.toMatchObject({ code: 'FOLDER_EXISTS' })
  await writeFile(join(target, 'files/source/notes.md'), '# Other')
  await expect(verifyExport(target)).rejects.toMatchObject({ code: 'WRONG_FILE' })

  // A file that fails at its end leaves nothing behind.
  const [last] = sealed.descriptor.blobs[2]?.parts ?? []
  memory.parts.set(last?.sha256 ?? '', new Uint8Array(last?.size ?? 0))
  await expect(exportBundle(bundle, join(folder, 'broken'))).rejects.toMatchObject({ code: 'WRONG_PART' })
  expect((await readdir(folder)).filter((name) => name.startsWith('broken'))).toEqual([])

  await symlink('/etc/hostname', join(source, 'link'))
  await expect(listLocalFiles([source])).rejects.toMatchObject({ code: 'INVALID_FILE' })
})

test('a public bundle opens for strangers, whom the store tells no grants', async () => {
  const { memory, workerStore, connect } = await startWorld()
  const cache = createMemoryPartCache()
  const sealed = await sealBundle({ subject, text: 'For all.', readers: null, savePart: cache.savePart })
  await uploadBundle(workerStore, sealed, cache)
  memory.intercept = async ({ url }) =>
    url.includes('/grants/') ? Response.json({ code: 'NOT_ALLOWED', error: 'No.' }, { status: 403 }) : null
  const { manifest } = await fetchBundle(await connect(judge), { ...subject, hash: sealed.hash })
  expect(manifest.text).toBe('For all.')
})

test('two versions are compared by their manifests', async () => {
  const { posterStore, workerStore } = await startWorld()
  const versions = []
  for (const content of [Uint8Array.of(1), Uint8Array.of(2)]) {
    const { sealed, readPart, expected } = await seal(workerStore, content)
    await uploadBundle(workerStore, sealed, { readPart })
    expect(hashDescriptor(sealed.bytes)).toBe(sealed.hash)
    versions.push((await fetchBundle(posterStore, expected)).manifest)
  }
  const [first, second] = versions
  if (!first || !second) throw new Error('Two versions were delivered.')
  expect(listChangedFiles(first, second)).toEqual([{ name: 'map.bin', change: 'changed' }])
  expect(listChangedFiles(first, first)).toEqual([])
})

test('the same content is sealed once, also after a kill; damaged ciphertext is sealed again', async () => {
  const { memory, workerStore, posterStore } = await startWorld()
  const outbox = join(folder, 'kept')
  const path = join(folder, 'film.srt')
  await writeFile(path, '1\n')
  const readers = await findReaders(workerStore, [poster.address], reading)
  const seal = async (text = 'Done.') =>
    sealIntoOutbox(outbox, { subject, text, files: await listLocalFiles([path]), readers })
  const first = await seal()
  expect((await seal()).hash).toBe(first.hash)
  expect((await seal('Other.')).hash).not.toBe(first.hash)
  await writeFile(path, '2\n')
  const second = await seal()
  expect(second.hash).not.toBe(first.hash)

  // A kill while it sealed leaves parts without a descriptor.
  const [place = ''] = (await readdir(outbox, { recursive: true })).filter((name) => name.endsWith('descriptor.json'))
  await rm(join(outbox, place))
  const again = [await seal(), await seal('Other.')]
  await writeFile(path, '1\n')
  again.push(await seal())
  for (const each of again) {
    await uploadBundle(workerStore, each, each)
    expect(memory.bundles.has(each.hash)).toBe(true)
  }
  // What the store has is removed here, and the hash stays.
  const last = await seal()
  await last.release()
  expect((await seal()).hash).toBe(last.hash)
  await uploadBundle(workerStore, await seal(), last)
  expect((await fetchBundle(posterStore, { ...subject, hash: last.hash })).manifest.text).toBe('Done.')
  memory.parts.clear()
  const lost = await seal()
  await expect(uploadBundle(workerStore, lost, lost)).rejects.toMatchObject({ code: 'PART_LOST' })
  expect((await seal()).hash).not.toBe(lost.hash)
})

test('files are taken from one folder only, and no link or path leads out of it', async () => {
  const inside = await mkdtemp(join(folder, 'inside-'))
  const outside = await mkdtemp(join(folder, 'outside-'))
  await writeFile(join(outside, 'id_ed25519'), 'secret')
  await writeFile(join(inside, 'map.svg'), '<svg/>')
  await symlink(join(outside, 'id_ed25519'), join(inside, 'link'))
  await symlink(outside, join(inside, 'folder'))
  expect((await listFilesInside(inside, ['map.svg', './map.svg'])).map(({ name }) => name)).toEqual([
    'map.svg',
    'map.svg',
  ])
  const relative = `../${outside.split('/').at(-1)}/id_ed25519`
  for (const path of [
    relative,
    join(outside, 'id_ed25519'),
    join(inside, 'map.svg'),
    'link',
    'folder',
    'folder/id_ed25519',
    '.',
    '..',
    '',
    'missing',
  ]) {
    await expect(listFilesInside(inside, [path]), path).rejects.toMatchObject({ code: 'INVALID_FILE' })
  }
})

test('a wallet signs in elsewhere, in two steps; keys of another device are refused', async () => {
  const { signMessage, ...given } = sign(poster)
  const { message } = await beginSignIn(given)
  if (message === null) throw new Error('There was no statement to sign.')
  const statement = { message, signature: await signMessage(message) }
  const forged = { message, signature: await worker.signMessage({ message }) }
  await expect(completeSignIn(forged, given)).rejects.toMatchObject({ code: 'INVALID_STATEMENT' })
  const elsewhere = { ...sign(poster) }
  await beginSignIn(elsewhere)
  await expect(completeSignIn(statement, elsewhere)).rejects.toThrow('keys that this device does not have')
  expect((await completeSignIn(statement, given)).statement).toEqual(statement)
  expect((await beginSignIn(given)).message).toBeNull()
})
