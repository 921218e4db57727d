import { type Hex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import {
  context,
  nextEnvelope,
  nextMessage,
  people,
  remembered,
  seal,
  someTerms,
  transcript,
} from '../../test/negotiation.ts'
import { sealTerms, type TermsDocument } from '../terms.ts'
import { checkChain, newChain } from './chain.ts'
import { type Envelope, maxMessageBytes, readMessage, writeMessage } from './envelope.ts'
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
  const { state } = await transcript(steps, options.verifySignature)
  const envelope = await nextEnvelope(state ?? newChain(freshId), type, await payload(state as Negotiation), by)
  return applyMessage(state, await seal(people[by], { ...envelope, ...rest } as Envelope), options)
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
  const { state } = await transcript(from, options.verifySignature)
  const { envelope } = await nextMessage(state, type, by, 7)
  const changed = { ...envelope, payload: { ...envelope.payload, ...change }, ...rest } as Envelope
  return applyMessage(state, await seal(people[by], changed), options)
}

test.each<[string, string | RegExp, () => Promise<unknown>]>([
  ['a proposal whose digest is another', 'hashes in its terms', () => proposal({ settlementDigest: zeroHash })],
  ['a proposal whose words are others', 'hashes in its terms', () => proposal({ title: 'Caption one photo' })],
  ['a proposal without a worker', 'name no worker', () => proposal({ worker: null })],
  ['a proposal for another chain', 'for chain 1, not 8453', () => proposal({ chainId: 1 })],
  ['a proposal with too many words', 'hashes in its terms', () => proposal({ criteria: 'é'.repeat(8_000) })],
  ['terms that no registry takes', 'no registry takes its terms', () => counter({ reviewWindowSeconds: 1n })],
  ['a party as arbitrator', 'cannot be arbitrator', () => counter({ arbitrator: people.worker.address })],
  ['a counter offer that changes the worker', 'change the worker', () => counter({ worker: people.stranger.address })],
  ['a counter offer that changes the market', 'change the market', () => counter({ market: 'standard' })],
  ['a counter offer that changes nothing', 'changes nothing', () => counter({})],
  [
    'a counter offer to an offer that no longer stands',
    'stands',
    () => copied('TaskCounterOffer', ['TaskProposal poster'], 'worker', { replaces: zeroHash }),
  ],
  [
    'milestones with the digest of others',
    'amended terms have digest',
    () => copied('MilestoneDefinition', ['TaskProposal poster'], 'worker', { settlementDigest: zeroHash }),
  ],
  [
    'milestones with too many words',
    '8192 are allowed',
    async () => {
      const longest = await send(['TaskProposal poster'], ['TaskCounterOffer', 'worker'], ({ terms }) => ({
        replaces: terms.settlementDigest,
        terms: sealTerms({ ...terms, criteria: 'x'.repeat(8_000) }),
      }))
      const milestones = longest.terms.milestones.map((each) => ({ ...each, title: 'x'.repeat(120) }))
      const payload = { replaces: longest.terms.settlementDigest, milestones, settlementDigest: zeroHash }
      const envelope = await nextEnvelope(longest, 'MilestoneDefinition', payload, 'worker')
      return applyMessage(longest, await seal(people.worker, envelope), options)
    },
  ],
  [
    'an arbitrator for no terms',
    'must say what it replaces',
    () =>
      send(['TaskProposal poster'], ['ArbitratorProposal', 'worker'], () => ({
        arbitrator: people.arbitrator.address,
      })),
  ],
  [
    'an acceptance of another offer',
    'it accepts',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'worker', { settlementDigest: zeroHash }),
  ],
  [
    'an acceptance for somebody else',
    'another wallet than its sender',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'worker', { party: people.poster.address }),
  ],
  [
    'an acceptance whose signature is for another nonce',
    'not signed by its sender',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'worker', { nonce: '8' }),
  ],
  [
    "the poster's acceptance with the nonce of the terms",
    'nonce 7 is that of the terms',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'poster', { nonce: '7' }),
  ],
  ['parting with the nonce of the terms', 'was spent', () => copied('MutualCancel', agreed, 'poster', { nonce: '7' })],
  [
    'parting with the nonce of an acceptance',
    'was spent',
    () => copied('MutualCancel', agreed, 'worker', { nonce: '1007' }),
  ],
  [
    'an acceptance that had expired',
    'had expired',
    () => copied('TaskAcceptance', ['TaskProposal poster'], 'worker', {}, { timestamp: '2027-02-01T00:00:00+00:00' }),
  ],
  [
    'the delivery of a later milestone',
    '0 is in work',
    () => copied('DeliveryNotice', agreed, 'worker', { milestone: 1 }),
  ],
  ['money for what was not delivered', 'not delivered yet', () => copied('PaymentRequest', agreed, 'worker', {})],
  ['a reason with another hash', 'reasonHash', () => copied('RevisionRequest', delivered, 'poster', { reason: 'No.' })],
  [
    'evidence with another hash',
    'evidenceHash',
    () => copied('DisputeEvidence', delivered, 'poster', { evidence: 'No.' }),
  ],
  [
    'one revision too many',
    'allow 1 revisions',
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
    'before both accepted',
    () => copied('CapabilityProof', ['TaskProposal poster'], 'worker', {}, { taskId: 'v2:micro:4' }),
  ],
  [
    'a party as supervisor',
    'cannot be a supervisor',
    () => copied('IdentityLink', ['TaskProposal poster'], 'worker', { subject: people.poster.address }),
  ],
  [
    'a veto of another offer',
    'it forbids',
    async () => {
      const { state } = await transcript(['TaskProposal poster', 'IdentityLink worker'], options.verifySignature)
      const payload = { settlementDigest: zeroHash, reason: 'No.' }
      const envelope = await nextEnvelope(state as Negotiation, 'SupervisorVeto', payload, 'supervisor')
      return applyMessage(state, await seal(people.supervisor, envelope), options)
    },
  ],
  [
    'a link that hides its host',
    'not a link',
    () =>
      copied('CapabilityProof', ['TaskProposal poster'], 'worker', { links: ['https://good.example@evil.example'] }),
  ],
])('%s is refused', async (_, reason, sending) => {
  await expect(sending()).rejects.toThrow(reason)
})

test('a counter offer voids acceptances; the same terms accepted by both are agreed and frozen', async () => {
  const half = await transcript(['TaskProposal worker', 'TaskAcceptance poster', 'MilestoneDefinition worker'])
  expect(half.state).toMatchObject({
    phase: 'OFFERED',
    acceptances: {},
    terms: { milestones: [{}, { title: 'Part 2 7' }] },
  })
  const { state } = await transcript(['TaskProposal worker', 'ArbitratorProposal poster', ...agreed.slice(1)])
  expect(state).toMatchObject({
    phase: 'AGREED',
    acceptances: { poster: { nonce: 1_007n }, worker: { nonce: 1_007n } },
  })
})

test('milestones go one after another to the end, and parting needs the same share of both', async () => {
  const whole = await transcript([
    ...delivered,
    'AcceptDelivery poster',
    'DeliveryNotice worker',
    'DisputeEvidence poster',
    'AcceptDelivery poster',
  ])
  expect(whole.state).toMatchObject({ phase: 'DONE', milestone: 2 })
  const parted = [...agreed, 'MutualCancel worker', 'DeliveryNotice worker', 'MutualCancel poster']
  expect((await transcript(parted)).state).toMatchObject({ phase: 'CANCELLED', taskId: 'v2:micro:3' })
  const changedMind = [
    ...agreed,
    'MutualCancel worker',
    'DeliveryNotice worker',
    'AcceptDelivery poster',
    'MutualCancel poster',
  ]
  expect((await transcript(changedMind)).state).toMatchObject({ phase: 'AGREED', milestone: 1 })
})

test('what comes before a transcript cannot be hidden, what was at its end only from those who forgot it', async () => {
  const { messages } = await transcript(agreed, options.verifySignature)
  const [first, second, third] = messages.map(({ hash }) => hash as Hex)
  for (const head of [first, second, third]) expect(await foldTranscript(messages, { ...options, head })).toBeTruthy()
  expect(await foldTranscript(messages.slice(0, 2), options)).toMatchObject({ phase: 'HALF_ACCEPTED', head: second })
  await expect(foldTranscript(messages.slice(0, 2), { ...options, head: third })).rejects.toMatchObject({ position: 3 })
  await expect(foldTranscript([], options)).rejects.toMatchObject({ position: 1 })
  await expect(foldTranscript(messages, { ...options, chainId: 1 })).rejects.toMatchObject({ position: 1 })
})

test('a chain is checked without the rules, which a stranger may break', async () => {
  const { messages, state } = await transcript(agreed, options.verifySignature)
  const longer = [...messages, await nextMessage(state, 'AcceptDelivery', 'stranger', 1)]
  expect(await checkChain(longer, options)).toMatchObject({ length: 4, head: longer[3]?.hash })
  await expect(foldTranscript(longer, options)).rejects.toMatchObject({ position: 4 })
  await expect(checkChain(longer.toReversed(), options)).rejects.toMatchObject({ position: 1 })
  await expect(checkChain(longer.toSpliced(2, 1), options)).rejects.toMatchObject({ position: 3 })
  await expect(checkChain(messages, { ...options, head: longer[3]?.hash })).rejects.toMatchObject({ position: 4 })
})

test('a message has one text, of limited length', async () => {
  const { messages } = await transcript(['TaskProposal poster'])
  const text = writeMessage(messages[0] as never)
  expect(readMessage(text)).toEqual(messages[0])
  const twice = text.replace('"type":', '"type":"TaskAcceptance","type":')
  for (const other of [`${text} `, twice, text.replace('{', '{"__proto__":1,'), text.slice(1)]) {
    expect(() => readMessage(other)).toThrow(/not canonical|does not have: __proto__|not JSON/)
  }
  expect(() => readMessage(text.replace('"sequence":1,', '"sequence":1001,'))).toThrow('at most 1,000 messages')
  expect(() => readMessage(`"${'x'.repeat(maxMessageBytes)}"`)).toThrow('262144 bytes')
})

test('what fails while a signature is checked is no fault of the transcript', async () => {
  const { messages } = await transcript(['TaskProposal poster'])
  const verifySignature = () => Promise.reject(new Error('no answer from the chain'))
  await expect(foldTranscript(messages, { ...options, verifySignature })).rejects.toThrow(/^no answer from the chain$/)
})
