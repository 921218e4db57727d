import { type Hex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import {
  buildTranscript,
  context,
  nextEnvelope,
  nextMessage,
  remembered,
  sealAs,
  someTerms,
  testParties,
} from '../../test/negotiation.ts'
import { sealTerms, type TermsDocument } from '../terms/terms.ts'
import { startChain, verifyChain } from './chain.ts'
import { type Envelope, formatMessageLine, maxMessageBytes, parseMessageLine } from './envelope.ts'
import { applyMessage, foldTranscript } from './fold.ts'
import type { MessagePayload } from './messages/index.ts'
import type { MessageType } from './messageTypes.ts'
import type { Negotiation } from './state.ts'

const options = { chainId: context.chainId, verifySignature: remembered() }
const agreed = ['TaskProposal poster', 'TaskAcceptance poster', 'TaskAcceptance worker']
const delivered = [...agreed, 'DeliveryNotice worker']

/** The next message after some steps, its payload made by hand. */
async function send<Type extends MessageType>(
  steps: readonly string[],
  [type, by]: [Type, 'poster' | 'worker'],
  payload: (state: Negotiation) => MessagePayload<Type> | Promise<MessagePayload<Type>>,
  rest: Partial<Envelope> = {},
) {
  const { state } = await buildTranscript(steps, options.verifySignature)
  const envelope = await nextEnvelope(state ?? startChain(freshId), type, await payload(state as Negotiation), by)
  return applyMessage(state, await sealAs(testParties[by], { ...envelope, ...rest } as Envelope), options)
}

const freshId = '3f2c8a54-0000-4000-8000-000000000001'
const proposal = (change: Partial<TermsDocument>) =>
  send([], ['TaskProposal', 'poster'], () => ({ terms: { ...someTerms(1), ...change } }))
const counter = (change: Partial<TermsDocument>) =>
  send(['TaskProposal poster'], ['TaskCounterOffer', 'worker'], ({ terms }) => ({
    replaces: terms.settlementDigest,
    terms: sealTerms({ ...terms, ...change }),
  }))
const copied = async (
  type: MessageType,
  from: string[],
  by: 'poster' | 'worker',
  change: object,
  rest?: Partial<Envelope>,
) => {
  const { state } = await buildTranscript(from, options.verifySignature)
  const { envelope } = await nextMessage(state, type, by, 7)
  const changed = { ...envelope, payload: { ...envelope.payload, ...change }, ...rest } as Envelope
  return applyMessage(state, await sealAs(testParties[by], changed), options)
}

test.each<[string, string | RegExp, () => Promise<unknown>]>([
  ['a proposal whose digest is another', 'hashes in its terms', () => proposal({ settlementDigest: zeroHash })],
  ['a proposal whose words are others', 'hashes in its terms', () => proposal({ title: 'Caption one photo' })],
  ['a proposal without a worker', 'name no worker', () => proposal({ worker: null })],
  ['a proposal for another chain', 'for chain 1, not 8453', () => proposal({ chainId: 1 })],
  ['a proposal with too many words', 'hashes in its terms', () => proposal({ criteria: 'é'.repeat(8_000) })],
  ['terms that no registry takes', 'the registry would reject its terms', () => counter({ reviewWindowSeconds: 1n })],
  ['a party as arbitrator', 'cannot be the arbitrator', () => counter({ arbitrator: testParties.worker.address })],
  [
    'a counter offer that changes the worker',
    'change the field worker',
    () => counter({ worker: testParties.stranger.address }),
  ],
  ['a counter offer that changes the market', 'change the field market', () => counter({ market: 'standard' })],
  ['a counter offer that changes nothing', 'changes nothing', () => counter({})],
  [
    'a counter offer to an offer that no longer stands',
    'current offer',
    () => copied('TaskCounterOffer', ['TaskProposal poster'], 'worker', { replaces: zeroHash }),
  ],
  [
    'milestones with the digest of others',
    'amended terms have digest',
    () => copied('MilestoneDefinition', ['TaskProposal poster'], 'worker', { settlementDigest: zeroHash }),
  ],
  [
    'milestones with too many words',
    'the limit is 8192',
    async () => {
      const longest = await send(['TaskProposal poster'], ['TaskCounterOffer', 'worker'], ({ terms }) => ({
        replaces: terms.settlementDigest,
        terms: sealTerms({ ...terms, criteria: 'x'.repeat(8_000) }),
      }))
      const milestones = longest.terms.milestones.map((each) => ({ ...each, title: 'x'.repeat(120) }))
      const payload = { replaces: longest.terms.settlementDigest, milestones, settlementDigest: zeroHash }
      const envelope = await nextEnvelope(longest, 'MilestoneDefinition', payload, 'worker')
      return applyMessage(longest, await sealAs(testParties.worker, envelope), options)
    },
  ],
  [
    'an arbitrator for no terms',
    'must contain replaces',
    () =>
      send(['TaskProposal poster'], ['ArbitratorProposal', 'worker'], () => ({
        arbitrator: testParties.arbitrator.address,
      })),
  ],
  [
    'an acceptance of another offer',
    'it accepts',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'worker', { settlementDigest: zeroHash }),
  ],
  [
    'an acceptance for somebody else',
    'did not send it',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'worker', { party: testParties.poster.address }),
  ],
  [
    'an acceptance whose signature is for another nonce',
    'not signed by its sender',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'worker', { nonce: '8' }),
  ],
  [
    "the poster's acceptance with the nonce of the terms",
    'nonce 7 is also the nonce of the terms',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'poster', { nonce: '7' }),
  ],
  ['parting with the nonce of the terms', 'was used', () => copied('MutualCancel', agreed, 'poster', { nonce: '7' })],
  [
    'parting with the nonce of an acceptance',
    'was used',
    () => copied('MutualCancel', agreed, 'worker', { nonce: '1007' }),
  ],
  [
    'an acceptance that had expired',
    'had already expired',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'worker', {}, { timestamp: '2027-02-01T00:00:00+00:00' }),
  ],
  [
    'the delivery of a later milestone',
    'the current one is 0',
    () => copied('DeliveryNotice', agreed, 'worker', { milestone: 1 }),
  ],
  ['money for what was not delivered', 'not been delivered yet', () => copied('PaymentRequest', agreed, 'worker', {})],
  ['a reason with another hash', 'reasonHash', () => copied('RevisionRequest', delivered, 'poster', { reason: 'No.' })],
  [
    'evidence with another hash',
    'evidenceHash',
    () => copied('DisputeEvidence', delivered, 'poster', { evidence: 'No.' }),
  ],
  [
    'one revision too many',
    'allow only 1 revisions',
    () => copied('RevisionRequest', [...delivered, 'RevisionRequest poster', 'DeliveryNotice worker'], 'poster', {}),
  ],
  [
    'a share with another signature',
    'not signed',
    () => copied('MutualCancel', agreed, 'worker', { workerBps: 9_000 }),
  ],
  ['a task of another market', 'market', () => copied('MutualCancel', agreed, 'worker', { taskId: 'v2:standard:3' })],
  ['two task ids', 'two tasks', () => copied('MutualCancel', agreed, 'worker', {}, { taskId: 'v2:micro:4' })],
  [
    'a task id before there is a task',
    'not both parties have accepted',
    () => copied('CapabilityProof', ['TaskProposal poster'], 'worker', {}, { taskId: 'v2:micro:4' }),
  ],
  [
    'a party as supervisor',
    'cannot be a supervisor',
    () => copied('IdentityLink', ['TaskProposal poster'], 'worker', { subject: testParties.poster.address }),
  ],
  [
    'a veto of another offer',
    'it vetoes',
    async () => {
      const { state } = await buildTranscript(['TaskProposal poster', 'IdentityLink worker'], options.verifySignature)
      const payload = { settlementDigest: zeroHash, reason: 'No.' }
      const envelope = await nextEnvelope(state as Negotiation, 'SupervisorVeto', payload, 'supervisor')
      return applyMessage(state, await sealAs(testParties.supervisor, envelope), options)
    },
  ],
  [
    'a link that hides its host',
    'not a valid link',
    () =>
      copied('CapabilityProof', ['TaskProposal poster'], 'worker', { links: ['https://good.example@evil.example'] }),
  ],
])('%s is refused', async (_, reason, sending) => {
  await expect(sending()).rejects.toThrow(reason)
})

test('a message that names another predecessor is refused, even if its sender signed it', async () => {
  const { state } = await buildTranscript(['TaskProposal poster'], options.verifySignature)
  const { envelope } = await nextMessage(state, 'TaskAcceptance', 'worker', 7)
  const forked = await sealAs(testParties.worker, { ...envelope, previousHash: zeroHash })
  await expect(applyMessage(state, forked, options)).rejects.toThrow('its previousHash is not the hash of the previous')
})

test('a counter offer voids acceptances; terms that both accepted are final', async () => {
  const half = await buildTranscript(['TaskProposal worker', 'TaskAcceptance poster', 'MilestoneDefinition worker'])
  expect(half.state).toMatchObject({
    phase: 'OFFERED',
    acceptances: {},
    terms: { milestones: [{}, { title: 'Part 2 7' }] },
  })
  const { state } = await buildTranscript(['TaskProposal worker', 'ArbitratorProposal poster', ...agreed.slice(1)])
  expect(state).toMatchObject({
    phase: 'AGREED',
    acceptances: { poster: { nonce: 1_007n }, worker: { nonce: 1_007n } },
  })
})

test('milestones are completed in order, and a cancel needs the same share from both', async () => {
  const whole = await buildTranscript([
    ...delivered,
    'AcceptDelivery poster',
    'DeliveryNotice worker',
    'DisputeEvidence poster',
    'AcceptDelivery poster',
  ])
  expect(whole.state).toMatchObject({ phase: 'DONE', milestone: 2 })
  const parted = [...agreed, 'MutualCancel worker', 'DeliveryNotice worker', 'MutualCancel poster']
  expect((await buildTranscript(parted)).state).toMatchObject({ phase: 'CANCELLED', taskId: 'v2:micro:3' })
  const changedMind = [
    ...agreed,
    'MutualCancel worker',
    'DeliveryNotice worker',
    'AcceptDelivery poster',
    'MutualCancel poster',
  ]
  expect((await buildTranscript(changedMind)).state).toMatchObject({ phase: 'AGREED', milestone: 1 })
})

test('missing messages are detected; missing last messages only if the head is known', async () => {
  const { messages } = await buildTranscript(agreed, options.verifySignature)
  const [first, second, third] = messages.map(({ hash }) => hash as Hex)
  for (const head of [first, second, third]) expect(await foldTranscript(messages, { ...options, head })).toBeTruthy()
  expect(await foldTranscript(messages.slice(0, 2), options)).toMatchObject({ phase: 'HALF_ACCEPTED', head: second })
  await expect(foldTranscript(messages.slice(0, 2), { ...options, head: third })).rejects.toMatchObject({ position: 3 })
  await expect(foldTranscript([], options)).rejects.toMatchObject({ position: 1 })
  await expect(foldTranscript(messages, { ...options, chainId: 1 })).rejects.toMatchObject({ position: 1 })
})

test('a chain is verified without the rules, which an outsider can break', async () => {
  const { messages, state } = await buildTranscript(agreed, options.verifySignature)
  const longer = [...messages, await nextMessage(state, 'AcceptDelivery', 'stranger', 1)]
  expect(await verifyChain(longer, options)).toMatchObject({ length: 4, head: longer[3]?.hash })
  await expect(foldTranscript(longer, options)).rejects.toMatchObject({ position: 4 })
  await expect(verifyChain(longer.toReversed(), options)).rejects.toMatchObject({ position: 1 })
  await expect(verifyChain(longer.toSpliced(2, 1), options)).rejects.toMatchObject({ position: 3 })
  await expect(verifyChain(messages, { ...options, head: longer[3]?.hash })).rejects.toMatchObject({ position: 4 })
})

test('a message has exactly one form, of limited length', async () => {
  const { messages } = await buildTranscript(['TaskProposal poster'])
  const text = formatMessageLine(messages[0] as never)
  expect(parseMessageLine(text)).toEqual(messages[0])
  const twice = text.replace('"type":', '"type":"TaskAcceptance","type":')
  for (const other of [`${text} `, twice, text.replace('{', '{"__proto__":1,'), text.slice(1)]) {
    expect(() => parseMessageLine(other)).toThrow(/not canonical|unknown field __proto__|not JSON/)
  }
  expect(() => parseMessageLine(text.replace('"sequence":1,', '"sequence":1001,'))).toThrow('at most 1,000 messages')
  expect(() => parseMessageLine(`"${'x'.repeat(maxMessageBytes)}"`)).toThrow('262144 bytes')
})

test('an error while a signature is verified is not blamed on the transcript', async () => {
  const { messages } = await buildTranscript(['TaskProposal poster'])
  const verifySignature = () => Promise.reject(new Error('no answer from the chain'))
  await expect(foldTranscript(messages, { ...options, verifySignature })).rejects.toThrow(/^no answer from the chain$/)
})
