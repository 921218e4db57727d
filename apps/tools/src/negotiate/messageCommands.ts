import { disputePhases } from '@svc/protocol'
import { cancellableStates } from '@svc/protocol/internal/negotiation'
import { changeTerms } from '@svc/protocol/internal/terms'
import {
  formatMessageLine,
  getNegotiationTurn,
  messageTypes,
  type SignedMessage,
  type Transport,
} from '@svc/protocol/negotiation'
import { listParticipants } from '@svc/work'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { TransportError } from '../transport/transport.ts'
import type { Answer, Command } from './command.ts'
import type { Context } from './context.ts'
import { describeMessage, messageToJson } from './describe.ts'
import { UsageError } from './describeExit.ts'
import { acceptOffer, makeCounterOffer, proposeCancel, proposeTerms, type Sender, writePayload } from './messages.ts'
import {
  parseChoiceArgument,
  parseDigestArgument,
  parseIntegerArgument,
  readJsonFile,
  requireArgument,
} from './parseArguments.ts'
import { readProposedTerms } from './termsFile.ts'
import type { Transcript } from './transcriptStore.ts'

/** The default validity of a signature: one day. */
const aDay = '86400'
const validFor = ['--valid <seconds>', 'how long the signature is valid, at most 30 days (default: one day)'] as const
const validRange = [60, 2_592_000] as const

/** Message types that have their own command. */
const typesWithCommand: ReadonlySet<string> = new Set([
  'TaskProposal',
  'TaskCounterOffer',
  'TaskAcceptance',
  'MutualCancel',
])

/** Builds, signs and sends a TaskProposal. */
export const proposeCommand: Command = {
  name: 'propose',
  args: '<terms.json>',
  summary: 'Start a negotiation: sign and send a TaskProposal from a draft or a terms document.',
  signs: true,
  carries: true,
  run: (context, file) =>
    signAndSend(context, async (sender) => {
      const place = { deployments: await context.deployments(), me: sender.account.address, now: sender.now }
      return proposeTerms(sender, readProposedTerms(await readJsonFile(requireArgument(file)), place))
    }),
}

/** The commands that sign a message, write it to the transcript and send it. */
export const messageCommands: readonly Command[] = [
  proposeCommand,
  {
    name: 'counter',
    args: '<id> <changes.json>',
    summary: 'Make a counter offer (TaskCounterOffer). The file contains only the changes.',
    signs: true,
    carries: true,
    options: [['--reason <text>', 'the reason for the change']],
    run: (context, id, file) =>
      signAndSend(context, async (sender) => {
        const changes = await readJsonFile(requireArgument(file))
        const change = (standing: Parameters<typeof changeTerms>[0]) => changeTerms(standing, changes, sender.now)
        return makeCounterOffer(sender, requireArgument(id), change, context.options.reason)
      }),
  },
  {
    name: 'accept',
    args: '<id>',
    summary: 'Accept the current offer (TaskAcceptance) with a signature that the contract accepts.',
    signs: true,
    carries: true,
    options: [['--digest <0x…>', 'the settlement digest of the offer (required)'], validFor],
    run: (context, id) =>
      signAndSend(context, (sender) => {
        const { digest, valid = aDay } = context.options
        if (digest === undefined)
          throw new UsageError('The digest of the offer is missing. Pass --digest 0x… as printed by `show`.')
        return acceptOffer(
          sender,
          requireArgument(id),
          parseDigestArgument(digest),
          parseIntegerArgument(valid, '--valid', validRange),
        )
      }),
  },
  {
    name: 'cancel',
    args: '<id>',
    summary: 'Offer to cancel the task with a share for the worker (MutualCancel). Both parties must offer the same.',
    signs: true,
    carries: true,
    options: [
      ['--task <id>', 'the task: v2:<market>:<number> (required)'],
      ['--worker-bps <share>', "the worker's share of the escrow in basis points, 0 to 10000 (required)"],
      ['--state <state>', `the task's state: ${cancellableStates.join(', ')} (required)`],
      ['--review-end <time>', 'end of the review in unix seconds, if a delivery is in review'],
      ['--dispute-phase <phase>', "the dispute's phase, if the task ever had one"],
      validFor,
    ],
    run: (context, id) =>
      signAndSend(context, (sender) => {
        const { task, workerBps, state, reviewEnd = '0', disputePhase = 'NONE', valid = aDay } = context.options
        return proposeCancel(sender, requireArgument(id), {
          taskId: requireArgument(task, '--task'),
          workerBps: parseIntegerArgument(requireArgument(workerBps, '--worker-bps'), '--worker-bps', [0, 10_000]),
          state: parseChoiceArgument(cancellableStates, requireArgument(state, '--state'), '--state'),
          reviewEnd: BigInt(parseIntegerArgument(reviewEnd, '--review-end', [0, Number.MAX_SAFE_INTEGER])),
          disputePhase: parseChoiceArgument(disputePhases, disputePhase, '--dispute-phase'),
          validSeconds: parseIntegerArgument(valid, '--valid', validRange),
        })
      }),
  },
  {
    name: 'say',
    args: '<id> <type> [payload.json]',
    summary: `Send another message: ${messageTypes.filter((type) => !typesWithCommand.has(type)).join(', ')}. Hashes, digests and the current milestone are filled in.`,
    signs: true,
    carries: true,
    options: [['--task <id>', 'the task that was created from the agreement: v2:<market>:<number>']],
    run: (context, id, type, file) =>
      signAndSend(context, async (sender) => {
        const messageType = parseChoiceArgument(messageTypes, requireArgument(type), 'The type')
        if (typesWithCommand.has(messageType)) throw new UsageError(`${messageType} has its own command. See --help.`)
        const json = file === undefined ? {} : await readJsonFile(file)
        if (typeof json !== 'object' || json === null || Array.isArray(json))
          throw new UsageError(`${file} does not contain a JSON object.`)
        return writePayload(sender, requireArgument(id), {
          type: messageType,
          json: { ...json },
          taskId: context.options.task,
        })
      }),
  },
]

/** Sends messages of a transcript to the recipients. */
export async function sendMessages(
  transport: Transport,
  recipients: readonly Address[],
  messages: readonly SignedMessage[],
) {
  for (const message of messages) {
    for (const to of recipients) await transport.send(to, formatMessageLine(message))
  }
}

/** Lists the recipients of a wallet's messages: the other party and the supervisors, who may veto. */
export function listRecipients({ state }: Transcript, me: Address): Address[] {
  return listParticipants(state).filter((each) => !isAddressEqual(each, me))
}

/** A supervisor that was just linked has seen nothing yet: it gets the whole transcript. */
function listForwarded({ messages }: Transcript): { to: Address; messages: readonly SignedMessage[] } | null {
  const last = messages.at(-1)?.envelope
  if (last?.type !== 'IdentityLink' || last.payload.relation !== 'supervisor') return null
  return { to: getAddress(last.payload.subject), messages: messages.slice(0, -1) }
}

/** Opens the transport first, so that nothing is written that cannot be sent. Then writes and sends the message. */
async function signAndSend(context: Context, write: (sender: Sender) => Promise<Transcript>): Promise<Answer> {
  const [account, store, { chainId }] = [context.account(), await context.store(), await context.deployments()]
  return context.withTransport(account.address, account, async (transport) => {
    const transcript = await write({ store, account, publicKey: transport.publicKey, now: context.now(), chainId })
    const last = transcript.messages.at(-1)
    if (!last) throw new Error('The written message is missing in the transcript.')
    const to = listRecipients(transcript, account.address)
    const { negotiationId, phase, terms, parties } = transcript.state
    const turn = getNegotiationTurn(transcript.state, transcript.messages)
    const forwarded = listForwarded(transcript)
    const missed: Address[] = []
    const deliver = async () => {
      const isParty = (each: Address) => Object.values(parties).some((party) => isAddressEqual(party, each))
      await sendMessages(transport, to.filter(isParty), [last])
      for (const supervisor of to.filter((each) => !isParty(each))) {
        const earlier = forwarded && isAddressEqual(forwarded.to, supervisor) ? forwarded.messages : []
        await sendMessages(transport, [supervisor], [...earlier, last]).catch((error: unknown) => {
          // A supervisor that cannot be reached must not keep the parties from talking.
          if (!(error instanceof TransportError)) throw error
          missed.push(supervisor)
        })
      }
    }
    await deliver().catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error
      const hint = `Message ${last.envelope.sequence} is in the transcript but was not sent. Try again: svc-negotiate send ${negotiationId}`
      throw new TransportError(`${error.message} ${hint}`, { cause: error })
    })
    return {
      json: {
        ...messageToJson(last),
        phase,
        settlementDigest: terms.settlementDigest,
        turn,
        sentTo: to.filter((each) => !missed.includes(each)),
        missed,
      },
      text: [
        `Sent to ${to.join(' and ')}:`,
        ...describeMessage(last),
        ...missed.map((supervisor) => `The supervisor ${supervisor} could not be reached.`),
        `${negotiationId} is ${phase}. The current offer is ${terms.settlementDigest}.${turn ? ` It is the ${turn}'s turn.` : ''}`,
      ].join('\n'),
    }
  })
}
