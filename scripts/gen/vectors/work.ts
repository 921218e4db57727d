import { type Address, concat, getAddress, hexToBytes, keccak256, numberToHex, stringToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { base } from '../../../packages/protocol/src/base/chains.ts'
import * as work from '../../../packages/protocol/src/entries/work.ts'
import { encodeTaskText, hashTaskText } from '../../../packages/protocol/src/tasks/taskText.ts'
import { encodeManifest } from '../../../packages/protocol/src/work/manifest.ts'
import { createLaterGrant } from '../../../packages/protocol/src/work/readingKey.ts'
import { toStream } from '../../../packages/protocol/src/work/streams.ts'

const mnemonic = 'test test test test test test test test test test test junk'
const account = (addressIndex: number) => mnemonicToAccount(mnemonic, { addressIndex })
const [poster, worker] = [account(0), account(1)]
const now = 1_794_700_800
const at = (byte: number): Address => getAddress(`0x${byte.toString(16).repeat(20)}`)
const subject: work.BundleSubject = {
  kind: 'delivery',
  chainId: base.id,
  registry: at(0xc2),
  taskId: { market: 'standard', number: 7n },
  milestone: 0,
  revision: 0,
  author: worker.address,
}
const taskWords = { title: 'Draw a map', criteria: 'It shows the harbour.', milestones: ['Map'] }
const encode = (text: string) => new TextEncoder().encode(text)

const drafts: {
  name: string
  subject: work.BundleSubject
  text: string
  files: [string, Uint8Array][]
  open?: true
}[] = [
  { name: 'text alone', subject, text: 'Done. “Åsa” and 地図.\n', files: [] },
  {
    name: 'two files and an empty one',
    subject: { ...subject, revision: 1 },
    text: '# Second version\r\n',
    files: [
      ['map.svg', encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['raw/all bytes.bin', Uint8Array.from({ length: 256 }, (_, index) => index)],
      ['raw/empty', new Uint8Array()],
    ],
  },
  {
    name: 'a public brief',
    subject: { ...subject, kind: 'brief', author: poster.address, taskId: { market: 'micro', number: 33n } },
    text: 'See the sketch.',
    files: [
      ['sketch.txt', encode('o-o\n')],
      ['empty', new Uint8Array()],
    ],
    open: true,
  },
]

/** Bundles with all their bytes and keys, and key statements: what other implementations must open, check and refuse. */
export async function createWorkVectors() {
  return withFixedRandomness(async () => {
    const keys = { poster: await work.createReadingKey(), worker: await work.createReadingKey() }
    const judge = await work.createReadingKey()
    const bundles = []
    for (const draft of drafts) {
      const parts: Record<string, string> = {}
      const readers = [
        { reader: poster.address, key: keys.poster.key },
        { reader: worker.address, key: keys.worker.key },
      ]
      const { hash, bytes, manifest, identity } = await work.sealBundle({
        subject: draft.subject,
        text: draft.text,
        links: ['https://example.org/report'],
        files: draft.files.map(([name, content]) => ({
          name,
          type: 'application/octet-stream',
          open: () => toStream(yieldOnce(content)),
        })),
        readers: draft.open ? null : readers,
        savePart: ({ sha256 }, part) => void Object.assign(parts, { [sha256]: toBase64(part) }),
      })
      const reader = { reader: account(2).address, key: judge.key }
      const later = identity && (await createLaterGrant(hash, identity, reader))
      bundles.push({
        name: draft.name,
        hash,
        descriptor: new TextDecoder().decode(bytes),
        manifest: new TextDecoder().decode(encodeManifest(manifest)),
        identity,
        files: Object.fromEntries(draft.files.map(([name, content]) => [name, toBase64(content)])),
        parts,
        laterGrant: later && toBase64(later.file),
      })
    }
    const first = await signStatement(keys.poster.key, 'vectornonce0001', now, [])
    const second = await signStatement(judge.key, 'vectornonce0002', now + 60, [first.hash])
    const { message, signature } = second
    const text = encodeTaskText({ ...taskWords, statement: { message, signature } })
    return {
      mnemonic,
      readingIdentities: [keys.poster, keys.worker, judge],
      bundles,
      statements: [first, second],
      taskText: { text, criteriaHash: hashTaskText(text) },
    }
  })
}

async function signStatement(readingKey: string, nonce: string, issuedAt: number, revokes: readonly `0x${string}`[]) {
  const expiresAt = issuedAt + work.workLimits.statementLifetime
  const message = work.buildStatementMessage({
    wallet: poster.address,
    readingKey,
    deviceKey: account(3).address,
    revokes,
    domain: 'market.example',
    chainId: base.id,
    nonce,
    issuedAt,
    expiresAt,
  })
  return { message, signature: await poster.signMessage({ message }), hash: work.hashStatement(message) }
}

async function* yieldOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.length > 0) yield bytes
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Runs with fixed bytes in place of random ones, since age takes no seed. Only for vectors: their keys are public. */
async function withFixedRandomness<Value>(run: () => Promise<Value>): Promise<Value> {
  let counter = 0
  const next = () => hexToBytes(keccak256(concat([stringToHex('work vectors'), numberToHex(counter++, { size: 32 })])))
  const getRandomValues = <Bytes extends ArrayBufferView | null>(array: Bytes): Bytes => {
    if (!(array instanceof Uint8Array)) throw new TypeError('Only bytes can be fixed.')
    for (let offset = 0; offset < array.length; offset += 32) {
      array.set(next().subarray(0, array.length - offset), offset)
    }
    return array
  }
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: getRandomValues, configurable: true })
  try {
    return await run()
  } finally {
    Reflect.deleteProperty(globalThis.crypto, 'getRandomValues')
  }
}
