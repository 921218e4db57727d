import { canonicalizeJson } from '@svc/protocol'
import { buildEnvelopeTypedData, type Envelope, hashEnvelope, type SignedMessage } from '@svc/protocol/negotiation'
import { type Hex, type LocalAccount, parseSignature, serializeSignature } from 'viem'

// biome-ignore lint/suspicious/noExplicitAny: every field of a message is changed.
type Json = any

/** A message that was changed in transit, as text, with a description of the change. */
export interface Tampered {
  how: string
  text: string
}

/**
 * Every way to change one thing in a message: each field changed, removed or added, alone and with a new hash; other encodings;
 * a modified signature; and everything signed by someone else.
 */
export async function listTamperings(
  message: SignedMessage,
  stranger: LocalAccount,
  chainId: number,
): Promise<Tampered[]> {
  const changed = changes(message, [])
  const rehashed = changed.flatMap(({ how, value }) => {
    if (!how.startsWith('envelope.')) return []
    return [{ how: `${how}, hash made right`, value: { ...value, hash: hashEnvelope(value.envelope) } }]
  })
  const text = canonicalizeJson(message)
  return [
    ...[...changed, ...rehashed].map(({ how, value }) => ({ how, text: canonicalizeJson(value) })),
    ...(await Promise.all(
      [message.envelope, asSender(message.envelope, stranger)].map((each) => sealedBy(each, stranger, chainId)),
    )),
    { how: 'another s', text: canonicalizeJson({ ...message, signature: otherS(message.signature) }) },
    {
      how: 'upper case',
      text: canonicalizeJson({ ...message, signature: `0x${message.signature.slice(2).toUpperCase()}` }),
    },
    { how: 'a space', text: text.replace(',', ', ') },
    { how: 'a line feed', text: `${text}\n` },
    {
      how: 'another order',
      text: JSON.stringify({ signature: message.signature, hash: message.hash, envelope: message.envelope }),
    },
    { how: 'a key twice', text: text.replace(/}$/, `,"hash":"${message.hash}"}`) },
    { how: 'cut', text: text.slice(0, -1) },
    { how: 'nothing', text: '' },
  ].filter((each) => each.text !== text)
}

/** Lists the value with one thing changed, for each thing in it. */
function changes(value: Json, path: readonly (string | number)[]): { how: string; value: Json }[] {
  const how = (what: string) => [...path, what].join('.')
  if (Array.isArray(value)) {
    return [
      ...value.flatMap((each, index) =>
        changes(each, [...path, index]).map((one) => ({ how: one.how, value: value.with(index, one.value) })),
      ),
      { how: how('(one less)'), value: value.slice(1) },
      { how: how('(one more)'), value: [...value, value.at(-1)] },
    ]
  }
  if (typeof value === 'object' && value !== null) {
    return [
      ...Object.entries(value).flatMap(([key, each]) => [
        ...changes(each, [...path, key]).map((one) => ({ how: one.how, value: { ...value, [key]: one.value } })),
        {
          how: how(`${key} (removed)`),
          value: Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)),
        },
      ]),
      { how: how('(another field)'), value: { ...value, extra: 'x' } },
    ]
  }
  if (typeof value === 'number') return [{ how: how('(+1)'), value: value + 1 }]
  if (value === null) return [{ how: how('(given)'), value: `0x${'11'.repeat(20)}` }]
  const text = String(value)
  const bend = (at: number) => text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1)
  return [
    { how: how('(end bent)'), value: bend(Math.max(0, text.length - 1)) },
    { how: how('(middle bent)'), value: bend(Math.floor(text.length / 2)) },
    { how: how('(empty)'), value: '' },
  ]
}

const asSender = (envelope: Envelope, { address }: LocalAccount): Envelope => ({
  ...envelope,
  sender: { ...envelope.sender, evmAddress: address },
})

async function sealedBy(envelope: Envelope, account: LocalAccount, chainId: number): Promise<Tampered> {
  const signature = await account.signTypedData(buildEnvelopeTypedData(chainId, envelope))
  const how = `sealed by a stranger as ${envelope.sender.evmAddress === account.address ? 'itself' : 'the sender'}`
  return { how, text: canonicalizeJson({ envelope, hash: hashEnvelope(envelope), signature }) }
}

/** Computes the second valid signature of the same key over the same hash. */
function otherS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const other = `0x${(order - BigInt(s)).toString(16).padStart(64, '0')}` as Hex
  return serializeSignature({ r, s: other, yParity: yParity === 0 ? 1 : 0 })
}
