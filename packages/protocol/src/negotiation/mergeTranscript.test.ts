import fc from 'fast-check'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { buildTranscript, context, nextEnvelope, nextMessage, remembered, testParties } from '../../test/negotiation.ts'
import { signTalkStatement, talkOptions } from '../../test/talk.ts'
import type { SignedMessage } from './envelope.ts'
import { applyMessage } from './fold.ts'
import { mergeTranscript } from './mergeTranscript.ts'
import { buildEnvelopeTypedData, sealMessage } from './seal.ts'
import { getNegotiationTurn } from './turn.ts'

const options = { chainId: context.chainId, verifySignature: remembered() }
const merge = (messages: readonly SignedMessage[]) => mergeTranscript(messages, options)
const hashes = (messages: readonly SignedMessage[]) => messages.map(({ hash }) => hash)

/** Each step is by one side, which has seen everything, or all but the last message. */
const steps = fc.array(fc.record({ byPoster: fc.boolean(), isBehind: fc.boolean() }), { minLength: 1, maxLength: 7 })

test('in any order, with duplicates, everyone comes to the same transcript, and races are settled', async () => {
  let dropped = 0
  const property = fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (plan, draws) => {
    const { messages: first } = await buildTranscript(['TaskProposal poster'])
    const all = [...first]
    let known = { poster: [...first], worker: [...first] }
    for (const [index, { byPoster, isBehind }] of plan.entries()) {
      const [by, other] = byPoster ? (['poster', 'worker'] as const) : (['worker', 'poster'] as const)
      const { state } = await merge(known[by])
      const message = await nextMessage(state, 'TaskCounterOffer', by, index + 1)
      all.push(message)
      const own = [...known[by], message]
      // The other side gets everything that was written, now or with the next message.
      known = byPoster
        ? { poster: own, worker: isBehind ? known[other] : [...all] }
        : { worker: own, poster: isBehind ? known[other] : [...all] }
    }
    const expected = await merge(all)
    dropped += expected.dropped.length + expected.refused.length
    const shuffled = [...all, ...all.slice(0, 2)]
      .map((message) => ({ message, at: draws.next().value }))
      .sort((a, b) => a.at - b.at)
      .map(({ message }) => message)
    const found = await merge(shuffled)
    expect(hashes(found.messages)).toEqual(hashes(expected.messages))
    expect(found.state?.head).toBe(expected.state?.head)
  })
  await fc.assert(property, { seed: 3, numRuns: runs(12) })
  expect(dropped, 'there were races').toBeGreaterThan(0)
})

test('a device key signs for its wallet where the statement counts, and nowhere else', async () => {
  const device = privateKeyToAccount(toHex(31, { size: 32 }))
  const { messages, state } = await buildTranscript(['TaskProposal poster'])
  if (!state) throw new Error('There is no negotiation.')
  const envelope = await nextEnvelope(state, 'CapabilityProof', { claims: ['I write.'] }, 'worker')
  const signature = await device.signTypedData(buildEnvelopeTypedData(context.chainId, envelope))
  const statement = await signTalkStatement(testParties.worker, device.address)
  const message = sealMessage(envelope, signature, statement)
  const apply = (given: SignedMessage, domains?: readonly string[] | 'any') =>
    applyMessage(state, given, { ...options, domains })
  for (const domains of [talkOptions.domains, 'any'] as const) expect((await apply(message, domains)).length).toBe(2)
  await expect(apply(message)).rejects.toThrow('the domain of the market is not known')
  await expect(apply(message, ['other.example'])).rejects.toThrow('does not count')
  const { statement: _, ...bare } = message
  await expect(apply(bare, 'any')).rejects.toThrow('was not signed by its sender')
  const others = await signTalkStatement(testParties.stranger, device.address)
  await expect(apply({ ...message, statement: others }, 'any')).rejects.toThrow('does not count')
  expect((await merge([...messages, message])).messages).toHaveLength(1)
})

test('it says whose turn it is', async () => {
  const turnAfter = async (...plan: string[]) => {
    const { messages, state } = await buildTranscript(plan)
    return state && getNegotiationTurn(state, messages)
  }
  const offer = ['TaskProposal poster', 'TaskCounterOffer worker']
  expect(await turnAfter('TaskProposal poster')).toBe('worker')
  expect(await turnAfter(...offer)).toBe('poster')
  expect(await turnAfter(...offer, 'CapabilityProof worker')).toBe('poster')
  expect(await turnAfter(...offer, 'TaskAcceptance worker')).toBe('poster')
  expect(await turnAfter(...offer, 'TaskAcceptance worker', 'TaskAcceptance poster')).toBe('worker')
})
