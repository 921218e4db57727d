import { type Address, getAddress } from 'viem'
import * as z from 'zod/mini'
import { parseTaskId } from '../taskId.ts'
import type { TermsDocument } from '../terms.ts'
import { type ChainEnd, type ChainOptions, checkLink, walk } from './chain.ts'
import type { Envelope, SignedMessage } from './envelope.ts'
import type { Kind, Situation } from './kind.ts'
import { kinds } from './messages/index.ts'
import { demand } from './refusal.ts'
import { allowedMessages, type NegotiationRole, nextPhase } from './rules.ts'
import { verifyKeySignature } from './signatures.ts'
import type { Negotiation, Party } from './state.ts'

/**
 * Reads a whole negotiation: the chain, every signature and every rule. Throws `BrokenTranscriptError` with the position and
 * the rule that was broken.
 */
export function foldTranscript(messages: readonly unknown[], options: ChainOptions): Promise<Negotiation> {
  return walk<Negotiation>(messages, options.head, (state, message) => applyMessage(state, message, options))
}

/** Adds one message to a negotiation, null before the first. Refuses it with `MessageRefusedError`. */
export async function applyMessage(
  state: Negotiation | null,
  message: unknown,
  options: Omit<ChainOptions, 'head'>,
): Promise<Negotiation> {
  const end = await checkLink(state, message, options)
  const { envelope } = message as SignedMessage
  const before = state ?? begin(envelope, end)
  const address = getAddress(envelope.sender.evmAddress)
  const { sender, party } = roleOf(before, address)
  const noRule = `no rule lets a ${sender} send ${envelope.type} when the negotiation is ${before.phase}.`
  demand(allowedMessages(before.phase, sender).includes(envelope.type), noRule)
  const kind: Kind<unknown> = kinds[envelope.type]
  const { verifySignature = verifyKeySignature, chainId } = options
  const situation: Situation = {
    state: before,
    party,
    sender: address,
    chainId,
    sentAt: Math.floor(Date.parse(envelope.timestamp) / 1000),
    isSigned: (hash, signature) => verifySignature({ address, hash, signature }),
  }
  const changes = await kind.apply(z.decode(kind.payload, envelope.payload), situation)
  const after = { ...before, ...end, ...changes, taskId: taskIdAfter(envelope, before) }
  const phase = nextPhase(envelope.type, sender, before.phase, after)
  demand(phase !== undefined, noRule)
  return { ...after, phase }
}

/** What there is when the proposal arrives: nothing but its terms, which have yet to be checked. */
function begin(envelope: Envelope, end: ChainEnd): Negotiation {
  demand(envelope.type === 'TaskProposal', `a negotiation begins with TaskProposal, not ${envelope.type}.`)
  const { terms } = z.decode(kinds.TaskProposal.payload, envelope.payload)
  return { ...end, ...nothingYet, terms, parties: partiesOf(terms) }
}

const nothingYet = {
  phase: 'EMPTY',
  acceptances: {},
  taskId: null,
  milestone: 0,
  revisions: 0,
  cancels: {},
  links: [],
} as const

function partiesOf({ poster, worker }: TermsDocument): Record<Party, Address> {
  demand(worker !== null, 'its terms name no worker: an open task is not negotiated.')
  return { poster, worker }
}

function roleOf({ parties, links }: Negotiation, address: Address): { sender: NegotiationRole; party: Party } {
  if (address === parties.poster) return { sender: 'poster', party: 'poster' }
  if (address === parties.worker) return { sender: 'worker', party: 'worker' }
  const link = links.find(({ relation, subject }) => relation === 'supervisor' && subject === address)
  demand(link !== undefined, `${address} is neither a party nor a party's supervisor.`)
  return { sender: 'supervisor', party: link.party }
}

/** A task exists only once both accepted; a message that names two is none. */
function taskIdAfter(envelope: Envelope, { phase, terms, taskId }: Negotiation): string | null {
  const named = envelope.type === 'MutualCancel' ? envelope.payload.taskId : envelope.taskId
  if (envelope.taskId === undefined) return named ?? taskId
  demand(envelope.taskId === named, `it names two tasks, ${envelope.taskId} and ${named}.`)
  demand(!['EMPTY', 'OFFERED', 'HALF_ACCEPTED'].includes(phase), 'it names a task before both accepted.')
  demand(parseTaskId(named).market === terms.market, `its task is not of the ${terms.market} market.`)
  return named
}
