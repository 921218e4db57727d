import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { buildTranscript, context, nextMessage, type Person, remembered } from '../../test/negotiation.ts'
import type { SignedMessage } from './envelope.ts'
import { applyMessage, foldTranscript } from './fold.ts'
import { MessageRefusedError } from './messageErrors.ts'
import { countKept } from './race.ts'

const options = { chainId: context.chainId, verifySignature: remembered() }

const fold = (messages: readonly SignedMessage[]) => foldTranscript(messages, options)
const write = async (messages: readonly SignedMessage[], by: Person, number: number) =>
  nextMessage(await fold(messages), 'TaskCounterOffer', by, number)

/** Takes a message that arrived, as both sides do. */
async function receive(messages: readonly SignedMessage[], arrived: SignedMessage): Promise<SignedMessage[]> {
  if (messages.some(({ hash }) => hash === arrived.hash)) return [...messages]
  const kept = messages.slice(0, await countKept(messages, arrived, options))
  await applyMessage(await fold(kept), arrived, options)
  return [...kept, arrived]
}

/** Whether each step is by the poster, and whether it writes; else it takes the next message that waits. */
const steps = fc.array(fc.record({ byPoster: fc.boolean(), writes: fc.boolean() }), { minLength: 2, maxLength: 12 })

test('two sides that write at any time end with the same transcript', async () => {
  let dropped = 0
  const property = fc.asyncProperty(steps, async (plan) => {
    const { messages } = await buildTranscript(['TaskProposal poster'])
    const sides = {
      poster: { messages, waiting: [] as SignedMessage[] },
      worker: { messages, waiting: [] as SignedMessage[] },
    }
    const take = async (side: (typeof sides)['poster']) => {
      const arrived = side.waiting.shift()
      if (!arrived) return
      const before = side.messages.length
      side.messages = await receive(side.messages, arrived).catch((error: unknown) => {
        if (!(error instanceof MessageRefusedError)) throw error
        return side.messages
      })
      if (side.messages.length <= before) dropped++
    }
    for (const [index, { byPoster, writes }] of plan.entries()) {
      const [name, other] = byPoster ? (['poster', 'worker'] as const) : (['worker', 'poster'] as const)
      if (writes) {
        const message = await write(sides[name].messages, name, index)
        sides[name].messages = [...sides[name].messages, message]
        sides[other].waiting.push(message)
      } else await take(sides[name])
    }
    while (sides.poster.waiting.length + sides.worker.waiting.length > 0) {
      await take(sides.poster)
      await take(sides.worker)
    }
    expect(sides.poster.messages.map(({ hash }) => hash)).toEqual(sides.worker.messages.map(({ hash }) => hash))
  })
  await fc.assert(property, { seed: 5, numRuns: runs(60) })
  expect(dropped, 'there were races').toBeGreaterThan(0)
})

test('the message of the party that did not write the one before stands', async () => {
  const { messages } = await buildTranscript(['TaskProposal poster'])
  const [poster, worker] = [await write(messages, 'poster', 1), await write(messages, 'worker', 2)]
  expect(await receive([...messages, poster], worker)).toEqual([...messages, worker])
  await expect(receive([...messages, worker], poster)).rejects.toThrow('another message 2 was written at the same time')
})

test('a second message of one author for the same place is refused', async () => {
  const { messages } = await buildTranscript(['TaskProposal poster'])
  const [first, second] = [await write(messages, 'worker', 1), await write(messages, 'worker', 2)]
  await expect(receive([...messages, first], second)).rejects.toThrow('has already sent another message 2')
})

test('whoever has answered a message cannot replace it', async () => {
  const { messages } = await buildTranscript(['TaskProposal poster'])
  const own = [...messages, await write(messages, 'poster', 1)]
  const answered = [...own, await write(own, 'worker', 2)]
  const rewritten = await write(messages, 'worker', 3)
  await expect(receive(answered, rewritten)).rejects.toThrow('has already answered another message 2')
})

test('a message that is not valid in its place replaces nothing', async () => {
  const { messages } = await buildTranscript(['TaskProposal poster'])
  const worker = await write(messages, 'worker', 2)
  const forged = { ...worker, signature: `0x${'11'.repeat(65)}` } as SignedMessage
  await expect(receive([...messages, await write(messages, 'poster', 1)], forged)).rejects.toThrow('not signed')
})
