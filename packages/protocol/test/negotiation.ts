// Sealed messages for tests: real keys, and a payload of every kind that fits the negotiation it goes to.
import { getAddress, type Hex, hashTypedData, keccak256, stringToHex, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../src/negotiation/chain.ts'
import { buildEnvelope } from '../src/negotiation/draft.ts'
import type { Envelope, SignedMessage } from '../src/negotiation/envelope.ts'
import { applyMessage } from '../src/negotiation/fold.ts'
import type { MessagePayload } from '../src/negotiation/messages/index.ts'
import type { MessageType } from '../src/negotiation/messageTypes.ts'
import { buildEnvelopeTypedData, sealMessage } from '../src/negotiation/seal.ts'
import { type SignatureCheck, type VerifySignature, verifyKeySignature } from '../src/negotiation/signatures.ts'
import type { ChainEnd, Negotiation } from '../src/negotiation/state.ts'
import { disputePhases, taskStates } from '../src/tasks/states.ts'
import { buildTerms, sealTerms, type TermsDocument, toSigningContext, toTaskTerms } from '../src/terms/terms.ts'
import { buildAcceptanceTypedData, buildMutualCancelTypedData } from '../src/terms/typedData.ts'

const account = (number: number) => privateKeyToAccount(toHex(number, { size: 32 }))

export const testParties = {
  poster: account(11),
  worker: account(12),
  supervisor: account(13),
  stranger: account(14),
  arbitrator: account(15),
}

export type Person = keyof typeof testParties

const start = 1_800_000_000

export const context = {
  chainId: 8453,
  market: 'micro',
  taskRegistry: '0x7a5c000000000000000000000000000000000001',
  asset: '0x7a5c000000000000000000000000000000000002',
} as const

/** Terms with two milestones for the poster and the worker. `nonce` distinguishes them. */
export function someTerms(nonce: number): TermsDocument {
  const milestone = { title: 'Ten captions', amountTokWei: 5n * 10n ** 18n, durationSeconds: 3_600 }
  const words = { title: 'Caption photos', criteria: 'Every photo has a caption.' }
  const parties = { poster: testParties.poster.address, worker: testParties.worker.address }
  const draft = { ...words, ...parties, milestones: [milestone, milestone], maxRevisions: 1 }
  return buildTerms({ ...draft, nonce: BigInt(nonce), claimDeadline: start + 86_400 }, context, start)
}

/** A chain's next message by one of the people. `number` makes it differ from others. */
export async function nextMessage(state: Negotiation | null, type: MessageType, by: Person, number: number) {
  const end = state ?? startChain(`3f2c8a54-0000-4000-8000-${number.toString(16).padStart(12, '0')}`)
  return sealAs(
    testParties[by],
    await nextEnvelope(end, type, await payloads[type](state as Negotiation, testParties[by], number), by),
  )
}

export async function nextEnvelope<Type extends MessageType>(
  end: ChainEnd,
  type: Type,
  payload: MessagePayload<Type>,
  by: Person,
): Promise<Envelope> {
  const sender = { evmAddress: testParties[by].address, xmtpPublicKey: 'c2Vj' }
  return buildEnvelope(end, { type, payload, sender, timestamp: new Date((start + end.length) * 1000) })
}

export async function sealAs(signer: PrivateKeyAccount, envelope: Envelope): Promise<SignedMessage> {
  return sealMessage(envelope, await sign(signer, hashTypedData(buildEnvelopeTypedData(context.chainId, envelope))))
}

// A key signs the same the same way: once is enough.
const signatures = new Map<string, Promise<Hex>>()

function sign(signer: PrivateKeyAccount, hash: Hex): Promise<Hex> {
  const signed = signatures.get(signer.address + hash) ?? signer.sign({ hash })
  signatures.set(signer.address + hash, signed)
  return signed
}

/** A transcript from steps like `TaskProposal poster`, and what it comes to. */
export async function buildTranscript(steps: readonly string[], verifySignature: VerifySignature = verifyKeySignature) {
  const messages: SignedMessage[] = []
  let state: Negotiation | null = null
  for (const step of steps) {
    const [type, by] = step.split(' ') as [MessageType, Person]
    const message = await nextMessage(state, type, by, 7)
    state = await applyMessage(state, message, { chainId: context.chainId, verifySignature })
    messages.push(message)
  }
  return { messages, state }
}

/** The real check, asked once for each question. */
export function remembered(): VerifySignature {
  const answers = new Map<string, Promise<boolean>>()
  return (check: SignatureCheck) => {
    const question = `${check.address} ${check.hash} ${check.signature}`
    const answer = answers.get(question) ?? verifyKeySignature(check)
    answers.set(question, answer)
    return answer
  }
}

const hashText = (words: string): Hex => keccak256(stringToHex(words))
const expiry = BigInt(start + 86_400)

type Payloads = {
  [Type in MessageType]: (
    state: Negotiation,
    by: PrivateKeyAccount,
    number: number,
  ) => MessagePayload<Type> | Promise<MessagePayload<Type>>
}

const buildMilestone = (state: Negotiation | null) => BigInt(Math.min(state?.milestone ?? 0, 1))
/** Before there is a negotiation a payload about its terms is about any. */
const termsIn = (state: Negotiation | null, number: number) => state?.terms ?? someTerms(number)

const payloads: Payloads = {
  TaskProposal: (_, __, number) => ({ terms: someTerms(number) }),
  TaskCounterOffer: (state, _, number) => {
    const terms = termsIn(state, number)
    const better = sealTerms({ ...terms, criteria: `Every photo has ${number} captions.`, nonce: terms.nonce + 1n })
    return { replaces: terms.settlementDigest, terms: better, reason: `Number ${number}` }
  },
  MilestoneDefinition: (state, _, number) => {
    const terms = termsIn(state, number)
    const milestones = [
      ...terms.milestones.slice(0, 1),
      { ...terms.milestones[0], title: `Part ${state?.length} ${number}` },
    ]
    const { settlementDigest } = sealTerms({ ...terms, milestones } as TermsDocument)
    return { replaces: terms.settlementDigest, milestones, settlementDigest } as MessagePayload<'MilestoneDefinition'>
  },
  ArbitratorProposal: (state, _, number) => {
    const terms = termsIn(state, number)
    const arbitrator = getAddress(toHex(1_000 + number + 10 * (state?.length ?? 0), { size: 20 }))
    if (state?.phase === 'DISPUTED') return { arbitrator }
    const { settlementDigest } = sealTerms({ ...terms, arbitrator })
    return { arbitrator, replaces: terms.settlementDigest, settlementDigest }
  },
  TaskAcceptance: async (state, by, number) => {
    const terms = termsIn(state, number)
    const said = { party: by.address, nonce: BigInt(1_000 + number), expiry }
    const worker = testParties.worker.address
    const typed = buildAcceptanceTypedData(toSigningContext(terms), { terms: toTaskTerms(terms), worker, ...said })
    return { settlementDigest: terms.settlementDigest, ...said, signature: await sign(by, hashTypedData(typed)) }
  },
  MutualCancel: async (state, by, number) => {
    const terms = termsIn(state, number)
    const said = {
      settlementDigest: terms.settlementDigest,
      milestone: buildMilestone(state),
      reviewEnd: 0n,
      workerBps: 5_000n,
      expiry,
    }
    const at = { state: 'ACTIVE', disputePhase: 'NONE' } as const
    const nonce = BigInt(2_000 + number)
    const typed = buildMutualCancelTypedData(toSigningContext(terms), {
      ...said,
      state: taskStates.indexOf(at.state),
      disputePhase: disputePhases.indexOf(at.disputePhase),
      taskId: 3n,
      party: by.address,
      nonce,
    })
    const signature = await sign(by, hashTypedData(typed))
    return { ...said, ...at, taskId: { market: 'micro', number: 3n }, nonce, signature }
  },
  DeliveryNotice: (state, _, number) => ({
    milestone: buildMilestone(state),
    proofHash: hashText(`${number}`),
    links: [`https://example.org/${number}?a=b#c`, 'ipfs://bafy/photo.png'],
  }),
  RevisionRequest: (state, _, number) => {
    const reason = `Photo ${number} has none.`
    return { milestone: buildMilestone(state), reasonHash: hashText(reason), reason }
  },
  AcceptDelivery: (state) => ({ milestone: buildMilestone(state) }),
  PaymentRequest: (state, _, number) => ({
    milestone: state?.phase === 'DELIVERED' ? buildMilestone(state) : 0n,
    note: `Invoice ${number}`,
  }),
  DisputeEvidence: (state, _, number) => {
    const evidence = `Look at photo ${number}.\nAnd at the next.`
    return { milestone: buildMilestone(state), evidenceHash: hashText(evidence), evidence }
  },
  CapabilityProof: (_, __, number) => ({ claims: [`I captioned ${number} photos.`], links: ['https://example.org'] }),
  ReplacementContext: (_, __, number) => ({
    previousTaskId: { market: 'micro', number: BigInt(number + 1) },
    previousDigest: hashText(`${number}`),
    summary: 'The other worker left.',
  }),
  SupervisorVeto: (state, _, number) => ({
    settlementDigest: termsIn(state, number).settlementDigest,
    reason: 'Too dear.',
  }),
  IdentityLink: (state, _, number) => {
    const others = [
      { relation: 'xmtp' as const, subject: hashText(`${number}`).slice(2) },
      { relation: 'erc8004' as const, subject: `eip155:8453:${testParties.stranger.address}:${number}` },
    ]
    const supervised = state?.links.some(({ relation }) => relation === 'supervisor')
    return (supervised && others[number % 2]) || { relation: 'supervisor', subject: testParties.supervisor.address }
  },
}
