import { type Address, getAddress, type Hex, hashTypedData, type LocalAccount } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { canonicalizeJson } from '../../../packages/protocol/src/base/canonicalJson.ts'
import { base } from '../../../packages/protocol/src/base/chains.ts'
import { startChain } from '../../../packages/protocol/src/negotiation/chain.ts'
import { buildEnvelope } from '../../../packages/protocol/src/negotiation/draft.ts'
import type { SignedMessage } from '../../../packages/protocol/src/negotiation/envelope.ts'
import { applyMessage } from '../../../packages/protocol/src/negotiation/fold.ts'
import type { MessagePayload } from '../../../packages/protocol/src/negotiation/messages/index.ts'
import type { MessageType } from '../../../packages/protocol/src/negotiation/messageTypes.ts'
import { buildEnvelopeTypedData, sealMessage } from '../../../packages/protocol/src/negotiation/seal.ts'
import type { Negotiation } from '../../../packages/protocol/src/negotiation/state.ts'
import { buildTerms, sealTerms, toSigningContext, toTaskTerms } from '../../../packages/protocol/src/terms/terms.ts'
import { buildAcceptanceTypedData } from '../../../packages/protocol/src/terms/typedData.ts'

const mnemonic = 'test test test test test test test test test test test junk'
const account = (addressIndex: number): LocalAccount => mnemonicToAccount(mnemonic, { addressIndex })
const [poster, worker] = [account(0), account(1)]
const now = 1_794_700_800
const chainId = base.id
const at = (byte: number): Address => getAddress(`0x${byte.toString(16).repeat(20)}`)

/** A negotiation from proposal to agreement: each envelope as canonical JSON, its hash, its seal and its signer. */
export async function createEnvelopeVectors() {
  let state: Negotiation | null = null
  const messages: SignedMessage[] = []
  const send = async <Type extends MessageType>(by: LocalAccount, type: Type, payload: MessagePayload<Type>) => {
    const sender = { evmAddress: by.address, xmtpPublicKey: '' }
    const timestamp = new Date((now + messages.length) * 1000)
    const end = state ?? startChain('0b8f9a5e-3c1d-4e2f-9a6b-7c8d9e0f1a2b')
    const envelope = buildEnvelope(end, { type, payload, sender, timestamp })
    const message = sealMessage(envelope, await by.signTypedData(buildEnvelopeTypedData(chainId, envelope)))
    state = await applyMessage(state, message, { chainId })
    messages.push(message)
    return state
  }
  const accept = async (by: LocalAccount, { terms, parties }: Negotiation, nonce: bigint) => {
    const acceptance = { party: by.address, nonce, expiry: BigInt(now + 86_400) }
    const typed = buildAcceptanceTypedData(toSigningContext(terms), {
      terms: toTaskTerms(terms),
      worker: parties.worker,
      ...acceptance,
    })
    const { settlementDigest } = terms
    return send(by, 'TaskAcceptance', { settlementDigest, ...acceptance, signature: await by.signTypedData(typed) })
  }

  const terms = buildTerms(
    {
      poster: poster.address,
      worker: worker.address,
      title: 'Transcribe an interview',
      criteria: 'Every word, with the names of the speakers: “Åsa” and “José”.',
      milestones: [{ title: 'All 40 minutes', amountTokWei: 4_000n * 10n ** 18n, durationSeconds: 172_800 }],
      claimDeadline: now + 259_200,
      nonce: 11n,
    },
    { chainId, market: 'standard', taskRegistry: at(0xc2), asset: at(0xc0) },
    now,
  )
  await send(poster, 'TaskProposal', { terms })
  const milestones = terms.milestones.map((each) => ({ ...each, amountTokWei: 5_000n * 10n ** 18n }))
  const { settlementDigest } = sealTerms({ ...terms, milestones })
  const amended = await send(worker, 'MilestoneDefinition', {
    replaces: terms.settlementDigest,
    milestones,
    settlementDigest,
  })
  await accept(worker, amended, 12n)
  const agreed = await accept(poster, amended, 13n)
  return {
    chainId,
    negotiationId: agreed.negotiationId,
    /** The digest of the agreement. */
    settlementDigest: agreed.terms.settlementDigest,
    types: messages.map(({ envelope }) => envelope.type),
    texts: messages.map(({ envelope }) => canonicalizeJson(envelope)),
    hashes: messages.map(({ hash }) => hash),
    sealDigests: messages.map(({ envelope }): Hex => hashTypedData(buildEnvelopeTypedData(chainId, envelope))),
    signatures: messages.map(({ signature }) => signature),
    senders: messages.map(({ envelope }) => envelope.sender.evmAddress),
  }
}
