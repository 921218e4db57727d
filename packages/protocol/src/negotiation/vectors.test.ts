import { type Hex, hashTypedData, recoverAddress } from 'viem'
import { expect, test } from 'vitest'
import vectors from '../../vectors/envelopes.json' with { type: 'json' }
import type { Envelope, SignedMessage } from './envelope.ts'
import { foldTranscript } from './fold.ts'
import { buildEnvelopeTypedData } from './seal.ts'

const messages = vectors.texts.map((text, index) => ({
  envelope: JSON.parse(text) as Envelope,
  hash: vectors.hashes[index],
  signature: vectors.signatures[index],
})) as SignedMessage[]

test('the vectors form one negotiation that ends with their digest', async () => {
  const { phase, terms } = await foldTranscript(messages, { chainId: vectors.chainId })
  expect(phase).toBe('AGREED')
  expect(terms.settlementDigest).toBe(vectors.settlementDigest)
})

test.each(messages.map((message, index) => [message.envelope.type, message, index] as const))(
  'the seal of the %s',
  async (_, { envelope, signature }, index) => {
    const hash = hashTypedData(buildEnvelopeTypedData(vectors.chainId, envelope))
    expect(hash).toBe(vectors.sealDigests[index])
    expect(await recoverAddress({ hash, signature: signature as Hex })).toBe(vectors.senders[index])
  },
)
