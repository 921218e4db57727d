import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { remembered, testParties } from '../../test/negotiation.ts'
import { sealThread, signTalkStatement, talkOptions, talkStart, threadSubject, writeThread } from '../../test/talk.ts'
import { formatMailLine, isThreadMessage, parseMailLine } from './mail.ts'
import { buildThreadMessage, foldThread, startThread, type Thread } from './thread.ts'
import { type ThreadSide, threadKinds, threadTypes } from './threadKinds.ts'
import { buildThreadTypedData, type SignedThreadMessage, sealThreadMessage } from './threadMessage.ts'
import { buildClaimInput, buildEndInput, getThreadStatus } from './threadStatus.ts'

const options = { ...talkOptions, verifySignature: remembered(), verifyDeviceSignature: remembered() }
const fold = (messages: readonly unknown[]) => foldThread(threadSubject, messages, options)

/** Writes a thread from steps like `Question other`. Each side has seen everything before. */
async function write(...steps: string[]): Promise<Thread> {
  let thread = startThread(threadSubject)
  for (const [index, step] of steps.entries()) {
    const [type, side] = step.split(' ') as [keyof typeof threadKinds, ThreadSide]
    const next = await writeThread(thread, side, type, index)
    thread = (await fold([...thread.messages, next])).thread
    expect(thread.messages, step).toHaveLength(index + 1)
  }
  return thread
}

const hashes = (messages: readonly SignedThreadMessage[]) => messages.map(({ hash }) => hash)

const steps = fc.array(
  fc.record({
    byPoster: fc.boolean(),
    type: fc.constantFrom(...threadTypes.filter((type) => type !== 'Answer')),
    /** How many messages of the other side the author has not seen yet. */
    behind: fc.nat(3),
  }),
  { minLength: 1, maxLength: 10 },
)

test('in any order, with duplicates, both sides come to the same thread', async () => {
  const property = fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (plan, draws) => {
    const all: SignedThreadMessage[] = []
    for (const [index, { byPoster, type, behind }] of plan.entries()) {
      const side = byPoster ? 'poster' : 'other'
      const { by } = threadKinds[type]
      if (by !== 'either' && by !== side) continue
      const theirs = all.filter(({ message }) => message.sender !== threadSubject[side])
      const own = all.filter(({ message }) => message.sender === threadSubject[side])
      // What an author has seen never shrinks.
      const least = theirs.findIndex(({ hash }) => hash === own.at(-1)?.message.seen) + 1
      const visible = theirs.slice(0, Math.max(least, theirs.length - behind))
      const { thread } = await fold([...own, ...visible])
      all.push(await writeThread(thread, side, type, index))
    }
    const expected = await fold(all)
    const shuffled = [...all, ...all.slice(0, 3)]
      .map((message) => ({ message, at: draws.next().value }))
      .sort((a, b) => a.at - b.at)
      .map(({ message }) => message)
    const found = await fold(shuffled)
    expect(hashes(found.thread.messages)).toEqual(hashes(expected.thread.messages))
    expect(found.thread.messages).toHaveLength(all.length)
    expect(getThreadStatus(found.thread)).toEqual(getThreadStatus(expected.thread))
    expect([found.waiting, found.refused, found.misconduct]).toEqual([[], [], []])
    // Without the first message of a side, nothing that follows it is shown.
    const [first] = found.thread.messages
    const without = await fold(shuffled.filter(({ hash }) => hash !== first?.hash))
    expect(hashes(without.thread.messages)).not.toContain(first?.hash)
    expect(without.thread.messages.length + without.waiting.length).toBe(all.length - 1)
  })
  await fc.assert(property, { seed: 7, numRuns: runs(25) })
})

test('two messages of one author for the same place are both refused, and prove it', async () => {
  const before = await write('Question other')
  const [first, second] = [
    await writeThread(before, 'poster', 'Answer', 1),
    await writeThread(before, 'poster', 'Answer', 2),
  ]
  for (const order of [
    [first, second],
    [second, first],
  ]) {
    const { thread, misconduct } = await fold([...before.messages, ...order])
    expect(hashes(thread.messages)).toEqual(hashes(before.messages))
    expect(misconduct).toMatchObject([{ author: 'poster', sequence: 1 }])
    expect(new Set(hashes(misconduct[0]?.messages ?? []))).toEqual(new Set(hashes([first, second])))
  }
})

test('a message that is not signed by its sender proves nothing about it', async () => {
  const before = await write('Question other')
  const honest = await writeThread(before, 'poster', 'Answer', 1)
  const rival = await writeThread(before, 'poster', 'Answer', 2)
  for (const forged of [
    { ...rival, signature: honest.signature },
    { ...rival, hash: honest.hash },
    { ...rival, message: { ...rival.message, sender: testParties.stranger.address } },
    { ...rival, message: { ...rival.message, payload: { text: 'Free', answers: rival.hash } } },
    { ...rival, statement: await signTalkStatement(testParties.stranger, testParties.stranger.address) },
    { ...rival, statement: await signTalkStatement(testParties.poster, testParties.stranger.address) },
    { ...rival, statement: await signTalkStatement(testParties.poster, testParties.poster.address, 'phish.example') },
  ]) {
    const { thread, misconduct, refused } = await fold([...before.messages, forged, honest])
    expect(hashes(thread.messages)).toEqual(hashes([...before.messages, honest]))
    expect([misconduct.length, refused.length]).toEqual([0, 1])
  }
})

test('a phished sign-in signs nothing for this market', async () => {
  const { poster, stranger } = testParties
  const message = buildThreadMessage(startThread(threadSubject), {
    side: 'poster',
    type: 'Question',
    payload: { text: 'Send me the files?' },
    timestamp: new Date(talkStart * 1_000),
  })
  const signature = await stranger.signTypedData(buildThreadTypedData(message))
  const phished = sealThreadMessage(
    message,
    signature,
    await signTalkStatement(poster, stranger.address, 'phish.example'),
  )
  expect((await fold([phished])).refused).toMatchObject([{ reason: expect.stringContaining('phish.example') }])
})

test('only its side writes a kind', async () => {
  for (const type of threadTypes) {
    const { by } = threadKinds[type]
    if (by === 'either') continue
    const wrong = by === 'poster' ? 'other' : 'poster'
    const { refused } = await fold([await writeThread(startThread(threadSubject), wrong, type, 1)])
    expect(refused, type).toMatchObject([{ reason: expect.stringContaining(`writes ${type}`) }])
  }
})

test('a permit and an end need the signature of the wallet itself', async () => {
  const before = startThread(threadSubject)
  for (const type of ['Permit', 'EndProposal'] as const) {
    const { message } = await writeThread(before, 'poster', type, 1)
    const payload = JSON.parse(JSON.stringify(message.payload).replace(/[0-9a-f]{4}1([bc])"/, '00001$1"'))
    const changed = await sealThread({ ...message, payload }, 'poster')
    expect((await fold([changed])).refused, type).toMatchObject([{ reason: expect.stringContaining('did not sign') }])
  }
})

test('from a question over an application to a permit, it says whose turn it is', async () => {
  const turns = []
  const plan = ['Question other', 'Answer poster', 'Application other', 'Permit poster']
  for (const count of plan.keys()) turns.push(getThreadStatus(await write(...plan.slice(0, count + 1))).turn)
  expect(turns).toEqual(['poster', null, 'poster', 'other'])
  const thread = await write(...plan)
  expect(buildClaimInput(thread)).toMatchObject({ taskId: { market: 'micro', number: 3n }, permit: { nonce: 3n } })
  expect(buildClaimInput(await write('Application other'))).toBeNull()
})

test('an end is agreed when both sides signed the same one', async () => {
  const half = await write('EndProposal poster')
  expect([getThreadStatus(half).turn, buildEndInput(half)]).toEqual(['other', null])
  const both = await write('EndProposal poster', 'EndProposal other')
  expect(getThreadStatus(both)).toMatchObject({ turn: null, isEndAgreed: true })
  expect(buildEndInput(both)).toMatchObject({ workerBps: 5_000n, posterSignature: { nonce: 0n } })
  expect(buildEndInput(await write('EndProposal poster', 'Decline other', 'EndProposal other'))).toBeNull()
})

test('a message has one form', async () => {
  const signed = await writeThread(startThread(threadSubject), 'other', 'Question', 1)
  const line = formatMailLine(signed)
  const parsed = parseMailLine(line)
  expect([isThreadMessage(parsed), parsed]).toEqual([true, signed])
  for (const other of [`${line} `, JSON.stringify({ ...signed, more: 1 }), JSON.stringify(signed)]) {
    expect(() => parseMailLine(other)).toThrow('was rejected')
  }
})
