import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import {
  createPartMap,
  poster,
  signStatement,
  statement,
  statementUse,
  subject,
  toFile,
  worker,
} from '../../test/work.ts'
import { listParts, type Part } from './descriptor.ts'
import { decryptKeyBackup, encryptKeyBackup } from './keyBackup.ts'
import { workLimits } from './limits.ts'
import { type OpenOptions, openBundle } from './open.ts'
import { createLaterGrant, createReadingKey } from './readingKey.ts'
import { type SealedBundle, sealBundle } from './seal.ts'
import { checkStatement } from './statement.ts'
import { iterateStream, readAll } from './streams.ts'
import { WorkError } from './workError.ts'

const chunk = 65_536
/** 2,000 cases each with RUNS=100 take minutes. */
const patience = 3_600_000
// Mostly small files, because they are quick; and the sizes around age's chunks.
const size = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(chunk - 1, chunk, chunk + 1, 2 * chunk) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * chunk }) },
)
const content = fc
  .tuple(size, fc.nat(255))
  .map(([length, seed]) => Uint8Array.from({ length }, (_, at) => at * 31 + seed))
const bundle = fc.record({
  text: fc.string({ unit: 'grapheme', maxLength: 200 }),
  links: fc.array(fc.webUrl({ validSchemes: ['https'] }), { maxLength: 3 }),
  contents: fc.array(content, { maxLength: 4 }),
  readers: fc.integer({ min: 0, max: 3 }),
})
type Drawn = typeof bundle extends fc.Arbitrary<infer Value> ? Value : never

/** Seals a drawn bundle. No readers make it public. */
async function seal({ text, links, contents, readers }: Drawn) {
  const store = createPartMap()
  const keys = await Promise.all(Array.from({ length: readers }, createReadingKey))
  const sealed = await sealBundle({
    subject,
    text,
    links,
    files: contents.map((bytes, index) => toFile(`folder/${index}.bin`, bytes)),
    readers: readers === 0 ? null : keys.map(({ key }) => ({ reader: poster.address, key })),
    savePart: store.savePart,
  })
  const options = { bytes: sealed.bytes, expected: { ...subject, hash: sealed.hash }, fetchPart: store.fetchPart }
  return { sealed, keys, options }
}

async function expectContent(options: OpenOptions, { text, links, contents }: Drawn): Promise<void> {
  const { manifest, readFile } = await openBundle(options)
  expect(manifest).toMatchObject({ text, links })
  expect(manifest.files).toHaveLength(contents.length)
  for (const [index, bytes] of contents.entries()) {
    expect(Buffer.compare(await readFile(`folder/${index}.bin`), bytes)).toBe(0)
  }
}

test(
  'every reader opens every bundle, byte for byte',
  async () => {
    await fc.assert(
      fc.asyncProperty(bundle, async (drawn) => {
        const { sealed, keys, options } = await seal(drawn)
        if (!sealed.identity) return expectContent(options, drawn)
        for (const { identity } of keys) await expectContent({ ...options, keys: [identity] }, drawn)
        await expectContent({ ...options, identity: sealed.identity }, drawn)
        const judge = await createReadingKey()
        const grant = await createLaterGrant(sealed.hash, sealed.identity, { reader: worker.address, key: judge.key })
        await expectContent({ ...options, keys: [judge.identity], laterGrants: [grant] }, drawn)
      }),
      { numRuns: runs(20) },
    )
  },
  patience,
)

test(
  'every reader refuses every bundle that was tampered with',
  async () => {
    const tampering = fc.record({
      kind: fc.constantFrom(...tamperings),
      at: fc.nat(2 ** 31 - 1),
      bit: fc.integer({ min: 0, max: 7 }),
    })
    await fc.assert(
      fc.asyncProperty(bundle, tampering, async (drawn, { kind, at, bit }) => {
        const made = await seal({ ...drawn, readers: 1 + drawn.readers })
        const options = { ...made.options, keys: [made.keys[0]?.identity ?? ''] }
        const changed = await tamper[kind]({ ...made, options, at, bit })
        await expect(readEverything(changed)).rejects.toThrow(WorkError)
      }),
      { numRuns: runs(20) },
    )
  },
  patience,
)

test(
  'a key statement with one changed character is refused',
  async () => {
    const signed = await signStatement(statement)
    await checkStatement(signed, statementUse)
    await fc.assert(
      fc.asyncProperty(fc.nat(signed.message.length - 1), fc.integer({ min: 32, max: 126 }), async (at, code) => {
        const message = signed.message.slice(0, at) + String.fromCharCode(code) + signed.message.slice(at + 1)
        fc.pre(message !== signed.message)
        await expect(checkStatement({ ...signed, message }, statementUse)).rejects.toThrow(WorkError)
      }),
      { numRuns: runs(20) },
    )
  },
  patience,
)

interface Made {
  sealed: SealedBundle
  options: OpenOptions
  at: number
  bit: number
}

const flip = (bytes: Uint8Array, at: number, bit: number) =>
  bytes.with(at % bytes.length, (bytes[at % bytes.length] ?? 0) ^ (1 << bit))

/** What a store or another person can do to a bundle. */
const tamper = {
  descriptor: async ({ options, at, bit }: Made) => ({ ...options, bytes: flip(options.bytes, at, bit) }),
  part: async ({ options, sealed, at, bit }: Made) => {
    const { blobs, grants } = sealed.descriptor
    // Grants of other readers are never fetched.
    const fetched = listParts({ blobs, grants: grants.slice(0, 1) })
    const target = fetched[at % fetched.length]?.sha256
    const fetchPart = async (part: Part) => {
      const bytes = await options.fetchPart(part)
      return part.sha256 === target ? flip(bytes, at, bit) : bytes
    }
    return { ...options, fetchPart }
  },
  shorter: async ({ options }: Made) => ({
    ...options,
    fetchPart: async (part: Part) => (await options.fetchPart(part)).subarray(1),
  }),
  anotherTask: async ({ options, at }: Made) => ({
    ...options,
    expected: { ...options.expected, taskId: { market: 'micro' as const, number: 34n + BigInt(at) } },
  }),
  anotherBundle: async ({ options }: Made) => {
    const other = await seal({ text: 'other', links: [], contents: [], readers: 1 })
    return { ...options, bytes: other.options.bytes }
  },
  anotherGrant: async ({ options, sealed }: Made) => {
    const other = await createReadingKey()
    const grant = await createLaterGrant(sealed.hash, other.identity, { reader: worker.address, key: other.key })
    return { ...options, keys: [other.identity], laterGrants: [grant] }
  },
}
const tamperings = ['descriptor', 'part', 'shorter', 'anotherTask', 'anotherBundle', 'anotherGrant'] as const

async function readEverything(options: OpenOptions): Promise<void> {
  const { manifest, readFile } = await openBundle(options)
  for (const { name } of manifest.files) await readFile(name)
}

test('a large file is cut into parts of 4 MiB and streamed', async () => {
  const bytes = Uint8Array.from({ length: 2 * workLimits.partBytes + 12_345 }, (_, at) => at * 7 + (at >> 12))
  const { identity, key } = await createReadingKey()
  const store = createPartMap()
  const sealed = await sealBundle({
    subject: { ...subject, taskId: { market: 'standard', number: 1n } },
    text: '',
    files: [toFile('large.bin', bytes)],
    readers: [{ reader: poster.address, key }],
    savePart: store.savePart,
  })
  const sizes = sealed.descriptor.blobs[1]?.parts.map((part) => part.size)
  expect(sizes?.slice(0, 2)).toEqual([workLimits.partBytes, workLimits.partBytes])
  expect(sizes).toHaveLength(3)
  const { streamFile } = await openBundle({
    bytes: sealed.bytes,
    expected: { ...sealed.descriptor, hash: sealed.hash },
    keys: [identity],
    fetchPart: store.fetchPart,
  })
  expect(Buffer.compare(await readAll(iterateStream(streamFile('large.bin'))), bytes)).toBe(0)
  // A reader who stops early stops the store.
  let fetched = 0
  const stopped = await openBundle({
    bytes: sealed.bytes,
    expected: { ...sealed.descriptor, hash: sealed.hash },
    keys: [identity],
    fetchPart: (part) => {
      fetched += 1
      return store.fetchPart(part)
    },
  })
  const reader = stopped.streamFile('large.bin').getReader()
  await reader.read()
  await reader.cancel()
  // The grant, the manifest and the first part.
  expect(fetched).toBe(3)
})

test("a failing store is not a broken bundle, and a grant that fails does not hide one that doesn't", async () => {
  const { sealed, keys, options } = await seal({ text: 'x', links: [], contents: [], readers: 1 })
  const own = [keys[0]?.identity ?? '']
  const fails = async () => {
    throw new Error('503')
  }
  await expect(openBundle({ ...options, keys: own, fetchPart: fails })).rejects.toThrow(/^503$/)
  const [grant] = sealed.descriptor.grants
  const later = await createLaterGrant(sealed.hash, sealed.identity ?? '', grant ?? { reader: poster.address, key: '' })
  const fetchPart = async (part: Part) =>
    part.sha256 === grant?.sha256 ? new Uint8Array(part.size) : options.fetchPart(part)
  await expect(openBundle({ ...options, keys: own, fetchPart })).rejects.toMatchObject({ code: 'WRONG_PART' })
  const { manifest } = await openBundle({ ...options, keys: own, fetchPart, laterGrants: [later] })
  expect(manifest.text).toBe('x')
})

test('a bundle is sealed only for real keys, and never twice with the same key or salt', async () => {
  const draft = { subject, text: '', readers: [{ reader: poster.address, key: `age1${'q'.repeat(58)}` }] }
  await expect(sealBundle({ ...draft, savePart: () => {} })).rejects.toMatchObject({ code: 'INVALID_GRANT' })
  const [one, two] = [await seal(empty), await seal(empty)]
  expect(one.sealed.descriptor.recipient).not.toBe(two.sealed.descriptor.recipient)
  expect(one.sealed.manifest.salt).not.toBe(two.sealed.manifest.salt)
})

const empty: Drawn = { text: '', links: [], contents: [], readers: 1 }

test('a key backup opens with its passphrase only', async () => {
  const { identity } = await createReadingKey()
  const backup = {
    version: 1,
    wallet: poster.address,
    readingIdentity: identity,
    devicePrivateKey: `0x${'44'.repeat(32)}`,
  } as const
  const text = await encryptKeyBackup(backup, 'correct horse battery', { workFactor: 8 })
  expect(text).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/)
  expect(text).not.toContain(identity)
  expect(await decryptKeyBackup(text, 'correct horse battery')).toEqual(backup)
  await expect(decryptKeyBackup(text, 'correct horse batterz')).rejects.toMatchObject({ code: 'INVALID_BACKUP' })
  await expect(decryptKeyBackup('no backup', 'correct horse battery')).rejects.toMatchObject({ code: 'INVALID_BACKUP' })
})
