import {
  createPartMap,
  type Forgery,
  forgeBundle,
  now,
  registry,
  signStatement,
  statement,
  statementUse,
  subject,
  toFile,
  type Work,
  worker,
} from './work.ts'
import * as work from './workModules.ts'

/** Something that must be refused, and how. */
export interface Attack {
  name: string
  code: work.WorkErrorCode
  message: RegExp
  act: (functions: Work) => Promise<unknown>
}

const content = new TextEncoder().encode('three words here')
const backup = {
  version: 1,
  wallet: worker.address,
  readingIdentity: `AGE-SECRET-KEY-1${'Q'.repeat(58)}`,
  devicePrivateKey: `0x${'22'.repeat(32)}`,
} as const

/** Builds the table of attacks: one for each check, and more. */
export async function createAttacks(): Promise<Attack[]> {
  const honest = await forgeBundle({ files: [{ content }] })
  const other = await forgeBundle({})
  const open = (change: Partial<work.OpenOptions>) => (functions: Work) =>
    functions.openBundle({ ...honest.options, ...change })
  const expect = (change: Partial<work.ExpectedBundle>) => open({ expected: { ...honest.options.expected, ...change } })
  const forged = async (forgery: Forgery) => {
    const { options } = await forgeBundle(forgery)
    return async (functions: Work) => {
      const { manifest, readFile } = await functions.openBundle(options)
      for (const { name } of manifest.files) await readFile(name)
    }
  }
  const claimed = (claim: Partial<work.ManifestFile>, given = content) => forged({ files: [{ content: given, claim }] })
  const said = async (change: Partial<work.Statement>, rewrite?: (message: string) => string) => {
    const signed = await signStatement({ ...statement, ...change }, rewrite)
    return (functions: Work) => functions.checkStatement(signed, statementUse)
  }
  const seal = (files: readonly work.WorkFile[]) => (functions: Work) =>
    functions.sealBundle({ subject, text: '', files, readers: null, savePart: createPartMap().savePart })
  const firstPart = honest.json.blobs[0]?.parts[0]?.sha256

  const rows: [string, work.WorkErrorCode, RegExp, Attack['act']][] = [
    ['other bytes than the hash', 'WRONG_BUNDLE', /^The descriptor has the hash/, open({ bytes: other.options.bytes })],
    ['another kind', 'WRONG_SUBJECT', /is a delivery/, expect({ kind: 'evidence' })],
    ['another chain', 'WRONG_SUBJECT', /for chain 8453/, expect({ chainId: 1 })],
    ['another registry', 'WRONG_SUBJECT', /for the registry/, expect({ registry: worker.address })],
    ['another task', 'WRONG_SUBJECT', /for task v2:micro:33/, expect({ taskId: { market: 'micro', number: 3n } })],
    ['another market', 'WRONG_SUBJECT', /for task v2:micro/, expect({ taskId: { market: 'standard', number: 33n } })],
    ['another milestone', 'WRONG_SUBJECT', /for milestone 1/, expect({ milestone: 0 })],
    ['another revision', 'WRONG_SUBJECT', /for revision 2/, expect({ revision: 1 })],
    ['another author', 'WRONG_SUBJECT', /is by/, expect({ author: registry })],
    ['a descriptor with spaces', 'INVALID_DESCRIPTOR', /not canonical/, await forged({ spell: (text) => `${text} ` })],
    [
      'a huge descriptor',
      'INVALID_DESCRIPTOR',
      /the limit is/,
      await forged({ spell: (text) => text.padEnd(work.workLimits.descriptorBytes + 1) }),
    ],
    [
      'a bundle above the limit',
      'BUNDLE_TOO_LARGE',
      /^The bundle has \d+ bytes, but/,
      await forged({ descriptor: (json) => ({ ...json, blobs: [...json.blobs, declareBlob(3)] }) }),
    ],
    [
      'a flipped bit',
      'WRONG_PART',
      /other bytes than its hash/,
      open({ fetchPart: async (part) => flip(await honest.options.fetchPart(part), part.sha256 === firstPart) }),
    ],
    [
      'a part with a wrong size',
      'WRONG_PART',
      /bytes instead of/,
      await forged({ descriptor: (json) => ({ ...json, blobs: json.blobs.map(growBlob) }) }),
    ],
    ['noise as a grant', 'WRONG_GRANT', /cannot be opened/, await forged({ grant: async () => content })],
    [
      'the grant of another bundle',
      'WRONG_GRANT',
      /key of another bundle/,
      await forged({ grant: (_, key) => work.sealGrant(other.identity, key) }),
    ],
    ['the identity of another bundle', 'WRONG_GRANT', /belongs to another/, open({ identity: other.identity })],
    ['a stranger', 'NO_GRANT', /not shared with this key/, open({ keys: other.options.keys ?? [] })],
    [
      'a later grant of another bundle',
      'NO_GRANT',
      /not shared/,
      async (functions) => {
        const { identity, key } = await work.createReadingKey()
        const grant = await work.createLaterGrant(other.options.expected.hash, honest.identity, {
          reader: worker.address,
          key,
        })
        return functions.openBundle({ ...honest.options, keys: [identity], laterGrants: [grant] })
      },
    ],
    [
      'another manifest',
      'WRONG_MANIFEST',
      /not the one/,
      await forged({ descriptor: (json) => ({ ...json, manifestHash: `0x${'ab'.repeat(32)}` }) }),
    ],
    [
      'a huge manifest',
      'WRONG_MANIFEST',
      /too large/,
      await forged({ text: 'x'.repeat(work.workLimits.manifestBytes + 9_999) }),
    ],
    [
      'a file that the manifest does not name',
      'WRONG_MANIFEST',
      /names 0 files, but/,
      await forged({ descriptor: (json) => ({ ...json, blobs: [...json.blobs, ...json.blobs] }) }),
    ],
    [
      'ciphertext of another key',
      'NOT_DECRYPTED',
      /cannot be decrypted/,
      async (functions) => {
        const forgery = await forgeBundle({
          descriptor: (json) => ({ ...json, blobs: other.json.blobs, manifestHash: other.json.manifestHash }),
        })
        for (const [sha256, bytes] of other.parts) forgery.parts.set(sha256, bytes)
        return functions.openBundle(forgery.options)
      },
    ],
    ['a name that leaves the folder', 'INVALID_MANIFEST', /leaves its folder/, await claimed({ name: '../x' })],
    ['a file with another hash', 'WRONG_FILE', /not the file/, await claimed({ sha256: 'ab'.repeat(32) })],
    ['a file shorter than it says', 'WRONG_FILE', /bytes instead of/, await claimed({ size: content.length + 1 })],
    ['a file longer than it says', 'WRONG_FILE', /more than the/, await claimed({ size: content.length - 1 })],
    [
      'far more ciphertext than a file needs',
      'WRONG_FILE',
      /more ciphertext/,
      await claimed({ size: 9 }, new Uint8Array(9_999)),
    ],
    ['a sign-in of another domain', 'INVALID_STATEMENT', /is for evil/, await said({ domain: 'evil.example' })],
    ['a sign-in of another chain', 'INVALID_STATEMENT', /is for chain 1,/, await said({ chainId: 1 })],
    ['a sign-in of another wallet', 'INVALID_STATEMENT', /is of 0x/, await said({ wallet: worker.address })],
    ['a sign-in of tomorrow', 'INVALID_STATEMENT', /in the future/, await said({ issuedAt: now + 86_000 })],
    ['an expired sign-in', 'INVALID_STATEMENT', /expired at/, await said({ expiresAt: now })],
    ['an endless sign-in', 'INVALID_STATEMENT', /more than 180/, await said({ expiresAt: now + 200 * 86_400 })],
    [
      'a sign-in with another sentence',
      'INVALID_STATEMENT',
      /not in the form/,
      await said({}, (message) => message.replace('does not move', 'moves')),
    ],
    [
      'a sign-in signed for another text',
      'INVALID_STATEMENT',
      /was not signed by/,
      async (functions) => {
        const { signature } = await signStatement({ ...statement, nonce: 'anothernonce' })
        return functions.checkStatement({ message: work.buildStatementMessage(statement), signature }, statementUse)
      },
    ],
    [
      'a short passphrase',
      'INVALID_BACKUP',
      /fewer than/,
      (functions) => functions.encryptKeyBackup(backup, 'short', { workFactor: 1 }),
    ],
    [
      'a huge backup',
      'INVALID_BACKUP',
      /too large/,
      (functions) => functions.decryptKeyBackup('x'.repeat(99_999), 'a long passphrase'),
    ],
    ['101 files', 'BUNDLE_TOO_LARGE', /at most 100 files/, seal(Array(101).fill(toFile('a', content)))],
    [
      'more bytes than a bundle may have',
      'BUNDLE_TOO_LARGE',
      /has more than/,
      seal([toFile('a', new Uint8Array(work.workLimits.bundleBytes.micro + 1))]),
    ],
  ]
  return rows.map(([name, code, message, act]) => ({ name, code, message, act }))
}

/** A blob of full parts that nobody has. */
const declareBlob = (count: number) => ({
  size: count * work.workLimits.partBytes,
  parts: Array.from({ length: count }, () => ({ sha256: 'ab'.repeat(32), size: work.workLimits.partBytes })),
})

const growBlob = ({ size, parts }: work.DescriptorJson['blobs'][number]) => ({
  size: size + 1,
  parts: parts.map((part) => ({ ...part, size: part.size + 1 })),
})

function flip(bytes: Uint8Array, wanted: boolean): Uint8Array {
  const copy = bytes.slice()
  if (wanted) copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1
  return copy
}
