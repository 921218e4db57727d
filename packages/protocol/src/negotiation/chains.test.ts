import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { context, nextMessage, type Person, remembered, sealAs, testParties } from '../../test/negotiation.ts'
import { type Envelope, hashEnvelope, type SignedMessage } from './envelope.ts'
import { applyMessage, foldTranscript } from './fold.ts'
import { type MessageType, messageTypes } from './messageTypes.ts'
import { listAllowedMessages } from './rules.ts'
import type { Negotiation } from './state.ts'

const { chainId } = context
const seed = 20_261_115
// Fewer do not contain every type of message.
const wanted = runs(200, 100)
// Some are drawn twice.
const numRuns = Math.ceil(wanted * 1.1)
// The real check, but a question that was asked before has the same answer.
const options = { chainId, verifySignature: remembered() }

test(`${wanted} random negotiations fold, and none with anything changed does (seed ${seed})`, async () => {
  const seen = new Map<MessageType, number>()
  const refused = new Map<string, number>()
  const heads = new Set<string>()
  const property = fc.asyncProperty(fc.array(fc.nat(9_999), { minLength: 3, maxLength: 8 }), async (choices) => {
    const { messages, states } = await randomNegotiation(choices)
    const { head } = await foldTranscript(messages, { ...options, head: messages.at(-1)?.hash })
    heads.add(head)
    expect(head).toBe(states.at(-1)?.head)
    for (const { envelope } of messages) seen.set(envelope.type, (seen.get(envelope.type) ?? 0) + 1)

    for await (const { damage, transcript, position } of damaged(messages, choices)) {
      const whole = transcript.length < position || damage in forgeries
      const refusal = whole
        ? foldTranscript(transcript, { ...options, head })
        : applyMessage(states[position - 2] ?? null, transcript[position - 1], options)
      const error = whole ? { name: 'BrokenTranscriptError', position } : { name: 'MessageRefusedError' }
      await expect(refusal, `${damage} at ${position}`).rejects.toMatchObject(error)
      refused.set(damage, (refused.get(damage) ?? 0) + 1)
    }
  })
  await fc.assert(property, { seed, numRuns })
  console.log(`${heads.size} different negotiations`, Object.fromEntries(seen), Object.fromEntries(refused))
  expect(heads.size).toBeGreaterThanOrEqual(wanted)
  expect([...seen.keys()].sort()).toEqual([...messageTypes].sort())
})

/** A negotiation that obeys the rules: each choice picks one of the messages that are allowed then. */
async function randomNegotiation(choices: readonly number[]) {
  const messages: SignedMessage[] = []
  const states: Negotiation[] = []
  for (const [index, choice] of choices.entries()) {
    const state = states.at(-1) ?? null
    const allowed = possible(state)
    const onward = allowed.filter(({ type, by }) => type === 'DeliveryNotice' || isFirstWord(state, type, by))
    const pool = choice % 2 && onward.length ? onward : allowed
    const picked = pool[Math.floor(choice / 2) % pool.length]
    if (!picked) break
    // Few differ at the beginning, nearly all at the end.
    const next = await step(state, picked.type, picked.by, index < choices.length - 1 ? choice % 4 : choice)
    states.push(next.state)
    messages.push(next.message)
  }
  return { messages, states }
}

const steps = new Map<string, Promise<{ message: SignedMessage; state: Negotiation }>>()

/** Negotiations that begin alike are made once as far as they are. */
function step(state: Negotiation | null, type: MessageType, by: Person, number: number) {
  const make = async () => {
    const message = await nextMessage(state, type, by, number)
    return { message, state: await applyMessage(state, message, options) }
  }
  const key = `${state?.head} ${type} ${by} ${number}`
  const made = steps.get(key) ?? make()
  steps.set(key, made)
  return made
}

function possible(state: Negotiation | null): { type: MessageType; by: Person }[] {
  if (!state) return (['poster', 'worker'] as const).map((by) => ({ type: 'TaskProposal', by }))
  const supervised = state.links.some(({ relation }) => relation === 'supervisor')
  const senders = ['poster', 'worker', ...(supervised ? (['supervisor'] as const) : [])] as const
  const unpaid = state.phase === 'DELIVERED' || state.milestone > 0
  const pointless = new Set<MessageType>([
    ...(state.revisions < state.terms.maxRevisions ? [] : (['RevisionRequest'] as const)),
    ...(unpaid ? [] : (['PaymentRequest'] as const)),
  ])
  return senders.flatMap((by) =>
    listAllowedMessages(state.phase, by)
      .filter((type) => !pointless.has(type))
      .map((type) => ({ type, by })),
  )
}

function isFirstWord(state: Negotiation | null, type: MessageType, by: Person): boolean {
  return type === 'TaskAcceptance' && !state?.acceptances[by as 'poster' | 'worker']
}

interface Damage {
  damage: string
  transcript: unknown[]
  /** Where it must be noticed. */
  position: number
}

/** The same negotiation with one thing wrong, in every way and at places that the choices pick. */
async function* damaged(messages: readonly SignedMessage[], choices: readonly number[]): AsyncGenerator<Damage> {
  const sum = choices.reduce((total, choice) => total + choice, 0)
  const index = sum % messages.length
  const message = messages[index] as SignedMessage
  const position = index + 1
  const replaced = (damage: string, by: unknown): Damage => ({
    damage,
    transcript: messages.with(index, by as never),
    position,
  })

  for (const nth of [0, 1, 2]) yield replaced('changed field', changedLeaf(message, sum + 7 * nth))
  yield replaced('unknown field', { ...message, envelope: { ...message.envelope, note: '' } })
  yield { damage: 'dropped', transcript: messages.toSpliced(index, 1), position }
  yield { damage: 're-sent', transcript: [...messages, message], position: messages.length + 1 }
  const other = (index + 1) % messages.length
  const swapped = messages.with(index, messages[other] as never).with(other, message)
  if (other !== index) yield { damage: 'reordered', transcript: swapped, position: Math.min(index, other) + 1 }

  // Each of these costs a signature or two: one a negotiation.
  const names = Object.keys(forgeries) as (keyof typeof forgeries)[]
  const damage = names[sum % names.length] as keyof typeof forgeries
  yield { damage, transcript: await forgeries[damage](messages, index, message), position }
}

type Forgery = (messages: readonly SignedMessage[], index: number, message: SignedMessage) => Promise<SignedMessage[]>

const forgeries = {
  'signed by another key': async (messages, index, { envelope }) =>
    messages.with(index, await sealAs(testParties.stranger, envelope)),
  'sent and signed by a stranger': async (messages, index, { envelope }) =>
    messages.with(index, await sealAs(testParties.stranger, byStranger(envelope))),
  'other sender': async (messages, index, { envelope, signature }) =>
    messages.with(index, hashedAgain(byStranger(envelope), signature)),
  'hashed again': async (messages, index, { envelope, signature }) =>
    messages.with(index, hashedAgain(later(envelope), signature)),
  'the rest hashed again': async (messages, index, { envelope, signature }) =>
    rechained(messages, index, hashedAgain(later(envelope), signature)),
  'changed signature': async (messages, index, message) =>
    messages.with(index, { ...message, signature: flip(message.signature, 2 + ((index * 37) % 128)) as Hex }),
} satisfies Record<string, Forgery>

const byStranger = (envelope: Envelope) =>
  ({ ...envelope, sender: { ...envelope.sender, evmAddress: testParties.stranger.address } }) as Envelope
const later = (envelope: Envelope) => ({ ...envelope, timestamp: '2027-02-03T04:05:06Z' }) as Envelope
const hashedAgain = (envelope: Envelope, signature: Hex) => ({ envelope, hash: hashEnvelope(envelope), signature })

/** The chain from a changed message on, with every hash made right and every signature left. */
function rechained(messages: readonly SignedMessage[], index: number, changed: SignedMessage): SignedMessage[] {
  const chain = [...messages.slice(0, index), changed]
  for (const message of messages.slice(index + 1)) {
    const envelope = { ...message.envelope, previousHash: chain.at(-1)?.hash as string } as Envelope
    chain.push({ ...message, envelope, hash: hashEnvelope(envelope) })
  }
  return chain
}

/** The message with one string, number or null in it changed; signatures have a case of their own. */
function changedLeaf({ signature, ...rest }: SignedMessage, choice: number): unknown {
  const changed = JSON.parse(JSON.stringify(rest))
  const paths = leafPaths(rest)
  const path = paths[choice % paths.length] as string[]
  const last = path.pop() as string
  const parent = path.reduce((value, key) => value[key], changed)
  const leaf = parent[last]
  parent[last] =
    typeof leaf === 'number' ? leaf + 1 : typeof leaf === 'string' ? flip(leaf, choice % (leaf.length || 1)) : 'x'
  return { ...changed, signature }
}

function leafPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...path, key]))
}

function flip(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === '3' ? '4' : '3'}${text.slice(at + 1)}`
}
