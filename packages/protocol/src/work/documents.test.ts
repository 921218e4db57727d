import { type Address, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { verifyKeySignature } from '../negotiation/signatures.ts'
import {
  computeBundleSize,
  type Descriptor,
  encodeDescriptor,
  hashDescriptor,
  listParts,
  parseDescriptor,
} from './descriptor.ts'
import { findCollidingName, findFileNameProblem } from './fileName.ts'
import { laterGrant } from './laterGrant.ts'
import { workLimits } from './limits.ts'
import { encodeManifest, listChangedFiles, type Manifest, parseManifest } from './manifest.ts'
import {
  buildStatementMessage,
  type CheckedStatement,
  checkStatement,
  hashStatement,
  listLiveStatements,
  parseStatementMessage,
  type Statement,
  type StatementUse,
} from './statement.ts'

const key = `age1${'q'.repeat(58)}`
const otherKey = `age1${'p'.repeat(58)}`
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const device = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const sha256 = 'ab'.repeat(32)
const grant = { reader: account.address, key, sha256, size: 274 }
const sealed: Descriptor = {
  version: 1,
  kind: 'delivery',
  chainId: 8453,
  registry: device.address,
  taskId: { market: 'micro', number: 33n },
  milestone: 0,
  revision: 1,
  author: account.address,
  manifestHash: `0x${'cd'.repeat(32)}`,
  recipient: otherKey,
  blobs: [{ size: 300, parts: [{ sha256, size: 300 }] }],
  grants: [grant],
}

test('a descriptor has one form and one hash', () => {
  const bytes = encodeDescriptor(sealed)
  expect(parseDescriptor(bytes)).toEqual(sealed)
  expect(hashDescriptor(bytes)).toBe(keccak256(bytes))
  const spelt = { ...sealed, author: sealed.author.toLowerCase() as Address }
  expect(encodeDescriptor(spelt)).toEqual(bytes)
  const text = new TextDecoder().decode(bytes)
  expect(text.startsWith('{"author":"0x')).toBe(true)
  const others = [
    `${text}\n`,
    `\ufeff${text}`,
    text.replace(account.address, account.address.toLowerCase()),
    text.replace('"version":1', '"version":1.0'),
    text.replace('"version":1', '"version":1,"version":1'),
    text.replace('"version":1', '"version":1,"x":1'),
    text.replace('"revision":1', '"revision":4'),
    text.replace('v2:micro:33', 'v2:micro:033'),
  ]
  for (const other of others) {
    expect(() => parseDescriptor(new TextEncoder().encode(other)), other).toThrow(
      expect.objectContaining({ code: 'INVALID_DESCRIPTOR' }),
    )
  }
  expect(() => parseDescriptor(Uint8Array.of(0xff))).toThrow('not JSON in UTF-8')
  expect(() => parseDescriptor(new Uint8Array(workLimits.descriptorBytes + 1))).toThrow('the limit is 262144')
})

const { partBytes } = workLimits
const cut = (...sizes: number[]) => ({
  size: sizes.reduce((sum, size) => sum + size, 0),
  parts: sizes.map((size) => ({ sha256, size })),
})

test.each<[string, Partial<Descriptor>, string]>([
  ['no blob', { blobs: [] }, 'INVALID_DESCRIPTOR'],
  ['a part that is too large', { blobs: [cut(partBytes + 1)] }, 'INVALID_DESCRIPTOR'],
  ['a short part in the middle', { blobs: [cut(1, partBytes)] }, 'INVALID_DESCRIPTOR'],
  ['an empty part', { blobs: [cut(0)] }, 'INVALID_DESCRIPTOR'],
  ['a size that is not the sum', { blobs: [{ ...cut(300), size: 301 }] }, 'INVALID_DESCRIPTOR'],
  ['more than 100 files', { blobs: Array.from({ length: 102 }, () => cut(1)) }, 'INVALID_DESCRIPTOR'],
  ['no grant', { grants: [] }, 'INVALID_DESCRIPTOR'],
  ['grants although it is public', { recipient: null }, 'INVALID_DESCRIPTOR'],
  ['two grants for one key', { grants: [grant, grant] }, 'INVALID_DESCRIPTOR'],
  ['more bytes than its market allows', { blobs: [cut(partBytes, partBytes, partBytes)] }, 'BUNDLE_TOO_LARGE'],
  [
    'more bytes than a public bundle may have',
    {
      taskId: { market: 'standard', number: 1n },
      recipient: null,
      grants: [],
      blobs: [cut(...Array(3).fill(partBytes))],
    },
    'BUNDLE_TOO_LARGE',
  ],
])('a descriptor with %s is refused', (_, change, code) => {
  expect(() => encodeDescriptor({ ...sealed, ...change })).toThrow(expect.objectContaining({ code }))
})

test('grants count as parts, and a wrong size beside a right one stays visible', () => {
  expect(listParts(sealed)).toEqual([
    { sha256, size: 300 },
    { sha256, size: 274 },
  ])
  expect(listParts({ ...sealed, blobs: [cut(300), cut(300)] })).toHaveLength(2)
  expect(computeBundleSize(sealed)).toBe(574)
})

test.each([
  '..',
  '../a',
  'a/../b',
  './a',
  '/a',
  'a/',
  'a//b',
  '',
  'a\\b',
  'C:a',
  'a:stream',
  'NUL',
  'aux.txt',
  'x/Com1.log',
  'a.',
  'a ',
  ' a',
  'x/ a',
  'a\u0000b',
  'a\nb',
  'a\u202eb',
  'e\u0301',
  'a'.repeat(241),
  `${'a/'.repeat(8)}a`,
])('the file name %j is refused', (name) => {
  expect(findFileNameProblem(name)).not.toBeNull()
})

test.each(['a', 'a.txt', '.gitignore', '...a', 'src/work/a b.ts', 'Überblick.pdf', '地図.svg', 'a'.repeat(240)])(
  'the file name %j is fine',
  (name) => {
    expect(findFileNameProblem(name)).toBeNull()
  },
)

test('names that are one file on some systems collide', () => {
  expect(findCollidingName(['a', 'b', 'A'])).toBe('A')
  expect(findCollidingName(['a/b', 'A'])).toBe('A')
  expect(findCollidingName(['a', 'A/b'])).toBe('A/b')
  expect(findCollidingName(['straße', 'STRASSE'])).toBe('STRASSE')
  expect(findCollidingName(['a/b', 'a/c', 'ab'])).toBeNull()
})

const file = { name: 'map.svg', type: 'image/svg+xml', size: 3, sha256 }
const content: Manifest = {
  version: 1,
  text: '# Done\r\n',
  files: [file],
  links: ['https://example.org/a'],
  salt: `0x${'ee'.repeat(32)}`,
}

test('a manifest keeps its text as it is, and refuses what could do harm', () => {
  expect(parseManifest(encodeManifest(content))).toEqual(content)
  const changes: Partial<Manifest>[] = [
    { files: [{ ...file, name: '../map.svg' }] },
    { files: [file, { ...file, name: 'MAP.svg' }] },
    { files: Array.from({ length: 101 }, (_, index) => ({ ...file, name: String(index) })) },
    { files: [{ ...file, type: 'text/html\nx' }] },
    { links: ['javascript:alert(1)'] },
    { links: ['http://example.org'] },
    { text: '\ud800' },
    { text: 'x'.repeat(workLimits.textBytes + 1) },
  ]
  for (const change of changes) {
    expect(() => encodeManifest({ ...content, ...change }), JSON.stringify(change).slice(0, 99)).toThrow(
      expect.objectContaining({ code: 'INVALID_MANIFEST' }),
    )
  }
})

test('changed files are listed by name', () => {
  const files = [file, { ...file, name: 'a' }, { ...file, name: 'b' }]
  const later = [file, { ...file, name: 'b', sha256: 'cd'.repeat(32) }, { ...file, name: 'c' }]
  expect(listChangedFiles({ files }, { files: later })).toEqual([
    { name: 'a', change: 'removed' },
    { name: 'b', change: 'changed' },
    { name: 'c', change: 'added' },
  ])
})

test('a later grant survives JSON', () => {
  const given = {
    version: 1,
    bundle: sealed.manifestHash,
    reader: account.address,
    key,
    file: Uint8Array.of(0, 1, 255),
  }
  const json = z.encode(laterGrant, { ...given, version: 1 as const })
  expect(json.file).toBe('AAH/')
  expect(z.decode(laterGrant, json)).toEqual(given)
  expect(z.safeParse(laterGrant, { ...json, file: 'A' }).success).toBe(false)
  expect(z.safeParse(laterGrant, { ...json, file: 'A'.repeat(6_000) }).success).toBe(false)
})

const now = 1_794_700_000
const statement: Statement = {
  wallet: account.address,
  readingKey: key,
  deviceKey: device.address,
  revokes: [],
  domain: 'market.example',
  chainId: 8453,
  nonce: 'abcdefgh12345678',
  issuedAt: now - 60,
  expiresAt: now + 86_400,
}
const use: StatementUse = {
  domains: ['market.example'],
  chainId: 8453,
  now,
  wallet: account.address,
  verifySignature: verifyKeySignature,
}
const sign = async (given: Statement) => {
  const message = buildStatementMessage(given)
  return { message, signature: await account.signMessage({ message }) }
}

test('a statement names its keys and is signed by its wallet', async () => {
  const signed = await sign({ ...statement, revokes: [sealed.manifestHash] })
  const checked = await checkStatement(signed, use)
  expect(checked).toEqual({ ...statement, revokes: [sealed.manifestHash], hash: hashStatement(signed.message) })
})

test.each<[string, Partial<Statement>, Partial<StatementUse>]>([
  ['another domain', { domain: 'evil.example' }, {}],
  ['another chain', { chainId: 1 }, {}],
  ['another wallet', {}, { wallet: device.address }],
  ['a date in the future', { issuedAt: now + 301 }, {}],
  ['the second of its expiry', { expiresAt: now }, {}],
  ['more than 180 days', { expiresAt: now + workLimits.statementLifetime }, {}],
  ['a signature of someone else', { wallet: device.address }, { wallet: device.address }],
])('a statement with %s is refused', async (_, change, useChange) => {
  const signed = await sign({ ...statement, ...change })
  await expect(checkStatement(signed, { ...use, ...useChange })).rejects.toMatchObject({ code: 'INVALID_STATEMENT' })
})

test('a statement in any other form is refused', () => {
  const message = buildStatementMessage(statement)
  const others = [
    `${message}\n`,
    message.replace('It does not move money.', 'It moves money.'),
    message.replace('URI: https:', 'URI: http:'),
    message.replace(account.address, account.address.toLowerCase()),
    message.replace('reading-key:age1', 'reading-key:age2'),
    message.replace(/\n- urn:task-market:device-key.*/, ''),
    message.replace(/Expiration Time.*\n/, ''),
    `${message}\n- urn:task-market:other:1`,
    'sign in',
  ]
  for (const other of others) {
    expect(() => parseStatementMessage(other), other).toThrow(expect.objectContaining({ code: 'INVALID_STATEMENT' }))
  }
  expect(() => buildStatementMessage({ ...statement, nonce: 'short' })).toThrow('wrong domain, nonce')
})

test('the newest five statements count; a revocation outlives its statement', () => {
  const checked = Array.from(
    { length: 7 },
    (_, index): CheckedStatement => ({ ...statement, issuedAt: now - 100 + index, hash: `0x0${index}` }),
  )
  const hashes = (statements: readonly CheckedStatement[]) =>
    listLiveStatements(statements, now).map(({ hash }) => hash)
  expect(hashes(checked)).toEqual(['0x06', '0x05', '0x04', '0x03', '0x02'])
  const expired = {
    ...statement,
    issuedAt: now - 50,
    expiresAt: now - 1,
    hash: '0x09',
    revokes: ['0x06', '0x05'],
  } as const
  expect(hashes([...checked, expired])).toEqual(['0x04', '0x03', '0x02', '0x01', '0x00'])
  // Neither an older statement nor one of another wallet revokes anything.
  expect(hashes([...checked, { ...expired, issuedAt: now - 99 }])[0]).toBe('0x06')
  expect(hashes([...checked, { ...expired, wallet: device.address }])[0]).toBe('0x06')
})
