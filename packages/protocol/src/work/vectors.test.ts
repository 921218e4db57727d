import { createHash } from 'node:crypto'
import { type Hex, keccak256, recoverMessageAddress, stringToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import vectors from '../../vectors/work.json' with { type: 'json' }
import { verifyKeySignature } from '../negotiation/signatures.ts'
import { decodeTaskText } from '../tasks/taskText.ts'
import { parseDescriptor } from './descriptor.ts'
import { openBundle } from './open.ts'
import { checkStatement, listLiveStatements } from './statement.ts'

const poster = mnemonicToAccount(vectors.mnemonic).address
const judge = mnemonicToAccount(vectors.mnemonic, { addressIndex: 2 }).address
const decode = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

test('there are encrypted and public vectors', () => {
  expect(vectors.bundles.map(({ identity }) => identity === null)).toEqual([false, false, true])
})

test.each(vectors.bundles)('$name', async (vector) => {
  const bytes = new TextEncoder().encode(vector.descriptor)
  const hash = keccak256(stringToHex(vector.descriptor))
  expect(hash).toBe(vector.hash)
  const descriptor = parseDescriptor(bytes)
  expect(descriptor.manifestHash).toBe(keccak256(stringToHex(vector.manifest)))
  const parts = new Map(Object.entries(vector.parts))
  for (const [sha256, part] of parts) expect(createHash('sha256').update(decode(part)).digest('hex')).toBe(sha256)

  const fetchPart = async ({ sha256 }: { sha256: string }) => decode(parts.get(sha256) ?? '')
  const keys = vectors.readingIdentities
  const later = keys.at(-1)
  const laterGrants =
    vector.laterGrant && later
      ? [{ version: 1 as const, bundle: hash, reader: judge, key: later.key, file: decode(vector.laterGrant) }]
      : []
  for (const { identity } of keys) {
    const options = { bytes, expected: { ...descriptor, hash }, keys: [identity], laterGrants, fetchPart }
    const { manifest, readFile, identity: own } = await openBundle(options)
    expect(own).toBe(vector.identity)
    expect(manifest).toEqual(JSON.parse(vector.manifest))
    expect(manifest.files.map(({ name }) => name)).toEqual(Object.keys(vector.files))
    for (const [name, content] of Object.entries(vector.files)) expect(await readFile(name)).toEqual(decode(content))
  }
})

test('the statements are signed by the poster, and the second revokes the first', async () => {
  const now = 1_794_700_900
  const checked = []
  for (const { message, signature, hash } of vectors.statements) {
    expect(await recoverMessageAddress({ message, signature: signature as Hex })).toBe(poster)
    const use = { domains: ['market.example'], chainId: 8453, now, wallet: poster, verifySignature: verifyKeySignature }
    checked.push(await checkStatement({ message, signature: signature as Hex }, use))
    expect(checked.at(-1)?.hash).toBe(hash)
  }
  expect(listLiveStatements(checked, now).map(({ hash }) => hash)).toEqual([vectors.statements[1]?.hash])
})

test("a task's text contains the poster's statement, and its hash covers it", () => {
  const { text, criteriaHash } = vectors.taskText
  expect(keccak256(stringToHex(text))).toBe(criteriaHash)
  const { message, signature } = vectors.statements[1] ?? {}
  expect(decodeTaskText(text)).toMatchObject({ canonical: true, statement: { message, signature } })
})
