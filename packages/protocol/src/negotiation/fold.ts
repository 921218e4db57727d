import { type Address, getAddress } from 'viem'
import * as z from 'zod/mini'
import { parseTaskId } from '../tasks/taskId.ts'
import type { TermsDocument } from '../terms/terms.ts'
import { type ChainOptions, verifyLink, walkTranscript } from './chain.ts'
import type { Envelope, SignedMessage } from './envelope.ts'
import type { Kind, Situation } from './kind.ts'
import { assertAllowed } from './messageErrors.ts'
import { kinds } from './messages/index.ts'
import { findNextPhase, listAllowedMessages, type NegotiationRole } from './rules.ts'
import { verifyKeySignature } from './signatures.ts'
import type { ChainEnd, Negotiation, Party } from './state.ts'

/**
 * Folds a transcript into a negotiation and verifies the chain, every signature and every rule. Throws
 * {@link BrokenTranscriptError} with the position of the first invalid message and the reason.
 *
 * @example
 * ```ts
 * const { phase, terms } = await foldTranscript(messages, { chainId })
 * ```
 */
export function foldTranscript(messages: readonly unknown[], options: ChainOptions): Promise<Negotiation> {
  return walkTranscript<Negotiation>(messages, options.head, (state, message) => applyMessage(state, message, options))
}

/**
 * Applies one message to a negotiation. Pass null for the first message. Throws {@link MessageRefusedError} if the message is not
 * allowed.
 *
 * @example
 * ```ts
 * const after = await applyMessage(negotiation, message, { chainId })
 * ```
 */
export async function applyMessage(
  state: Negotiation | null,
  message: unknown,
  options: Omit<ChainOptions, 'head'>,
): Promise<Negotiation> {
  const end = await verifyLink(state, message, options)
  const { envelope } = message as SignedMessage
  const before = state ?? startNegotiation(envelope, end)
  const address = getAddress(envelope.sender.evmAddress)
  const { sender, party } = findRole(before, address)
  const noRule = `the ${sender} cannot send ${envelope.type} while the negotiation is ${before.phase}.`
  assertAllowed(listAllowedMessages(before.phase, sender).includes(envelope.type), noRule)
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
  const after = { ...before, ...end, ...changes, taskId: resolveTaskId(envelope, before) }
  const phase = findNextPhase(envelope.type, sender, before.phase, after)
  assertAllowed(phase !== undefined, noRule)
  return { ...after, phase }
}

/** The state before the proposal is applied: only its terms, not verified yet. */
function startNegotiation(envelope: Envelope, end: ChainEnd): Negotiation {
  assertAllowed(envelope.type === 'TaskProposal', `a negotiation starts with TaskProposal, not ${envelope.type}.`)
  const { terms } = z.decode(kinds.TaskProposal.payload, envelope.payload)
  return { ...end, ...initialState, terms, parties: requireParties(terms) }
}

const initialState = {
  phase: 'EMPTY',
  acceptances: {},
  taskId: null,
  milestone: 0,
  revisions: 0,
  cancels: {},
  links: [],
} as const

function requireParties({ poster, worker }: TermsDocument): Record<Party, Address> {
  assertAllowed(worker !== null, 'its terms name no worker. Only private tasks are negotiated.')
  return { poster, worker }
}

/** Finds whom a wallet speaks for. Throws {@link MessageRefusedError} for a stranger. */
export function findRole({ parties, links }: Negotiation, address: Address): { sender: NegotiationRole; party: Party } {
  if (address === parties.poster) return { sender: 'poster', party: 'poster' }
  if (address === parties.worker) return { sender: 'worker', party: 'worker' }
  const link = links.find(({ relation, subject }) => relation === 'supervisor' && subject === address)
  assertAllowed(link !== undefined, `${address} is neither a party nor a party's supervisor.`)
  return { sender: 'supervisor', party: link.party }
}

/** A message can name a task only after both accepted, and only one. */
function resolveTaskId(envelope: Envelope, { phase, terms, taskId }: Negotiation): string | null {
  const named = envelope.type === 'MutualCancel' ? envelope.payload.taskId : envelope.taskId
  if (envelope.taskId === undefined) return named ?? taskId
  assertAllowed(envelope.taskId === named, `it names two tasks: ${envelope.taskId} and ${named}.`)
  assertAllowed(
    !['EMPTY', 'OFFERED', 'HALF_ACCEPTED'].includes(phase),
    'it names a task, but not both parties have accepted yet.',
  )
  assertAllowed(parseTaskId(named).market === terms.market, `its task is not in the ${terms.market} market.`)
  return named
}
