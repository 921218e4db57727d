import { messageTypes, type SignedMessage, writeMessage } from '@svc/protocol/negotiation'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { type Transport, TransportError } from '../transport/transport.ts'
import type { Transcript } from './book.ts'
import type { Answer, Command } from './command.ts'
import type { Context } from './context.ts'
import { describeMessage, messageToJson } from './describe.ts'
import { UsageError } from './exitOf.ts'
import { given, integerOf, oneOf, readJson } from './given.ts'
import { accept, cancel, counter, propose, type Speaker, sayAny } from './speak.ts'
import { changeTerms, readTerms } from './termsFile.ts'

/** How long a signature is good unless told: a day. */
const aDay = '86400'
const validFor = ['--valid <seconds>', 'how long the signature is good, at most 30 days (default: a day)'] as const
const validRange = [60, 2_592_000] as const

/** Kinds of messages with a command of their own. */
const own: ReadonlySet<string> = new Set(['TaskProposal', 'TaskCounterOffer', 'TaskAcceptance', 'MutualCancel'])

/** Begins a negotiation: build, sign and send one TaskProposal. */
export const proposeCommand: Command = {
  name: 'propose',
  args: '<terms.json>',
  summary: 'Begin a negotiation: sign and send a TaskProposal from a draft or a terms document.',
  signs: true,
  carries: true,
  run: (context, file) =>
    speak(context, async (speaker) => {
      const place = { deployments: await context.deployments(), me: speaker.account.address, now: speaker.now }
      return propose(speaker, readTerms(await readJson(given(file)), place))
    }),
}

/** The commands that sign a message, write it to the transcript and send it. */
export const speakingCommands: readonly Command[] = [
  proposeCommand,
  {
    name: 'counter',
    args: '<id> <changes.json>',
    summary: 'Answer with other terms (TaskCounterOffer); the file holds only what changes.',
    signs: true,
    carries: true,
    options: [['--reason <words>', 'why']],
    run: (context, id, file) =>
      speak(context, async (speaker) => {
        const changes = await readJson(given(file))
        const change = (standing: Parameters<typeof changeTerms>[0]) => changeTerms(standing, changes, speaker.now)
        return counter(speaker, given(id), change, context.options.reason)
      }),
  },
  {
    name: 'accept',
    args: '<id>',
    summary: 'Accept the offer that stands (TaskAcceptance), by a signature that the contract takes.',
    signs: true,
    carries: true,
    options: [['--digest <0x…>', 'the settlement digest of the offer you mean (required)'], validFor],
    run: (context, id) =>
      speak(context, (speaker) => {
        const { digest, valid = aDay } = context.options
        if (!/^0x[0-9a-fA-F]{64}$/.test(digest ?? ''))
          throw new UsageError('Name the offer: --digest 0x… as `show` prints it.')
        return accept(speaker, given(id), digest as Hex, integerOf(valid, '--valid', validRange))
      }),
  },
  {
    name: 'cancel',
    args: '<id>',
    summary: 'Offer to end the task with a share for the worker (MutualCancel); good when both offer the same.',
    signs: true,
    carries: true,
    options: [
      ['--task <id>', 'the task: v2:<market>:<number> (required)'],
      ['--worker-bps <share>', "the worker's share of what is held, 0 to 10000 (required)"],
      validFor,
    ],
    run: (context, id) =>
      speak(context, (speaker) => {
        const { task, workerBps, valid = aDay } = context.options
        return cancel(speaker, given(id), {
          taskId: given(task, '--task'),
          workerBps: integerOf(given(workerBps, '--worker-bps'), '--worker-bps', [0, 10_000]),
          validSeconds: integerOf(valid, '--valid', validRange),
        })
      }),
  },
  {
    name: 'say',
    args: '<id> <type> [payload.json]',
    summary: `Say anything else: ${messageTypes.filter((type) => !own.has(type)).join(', ')}. Hashes, digests and the milestone in work are filled in.`,
    signs: true,
    carries: true,
    options: [['--task <id>', 'the task that the agreement became: v2:<market>:<number>']],
    run: (context, id, type, file) =>
      speak(context, async (speaker) => {
        const said = oneOf(messageTypes, given(type), 'The type')
        if (own.has(said)) throw new UsageError(`${said} has a command of its own: see --help.`)
        const json = file === undefined ? {} : await readJson(file)
        if (typeof json !== 'object' || json === null || Array.isArray(json))
          throw new UsageError(`${file} is no object.`)
        return sayAny(speaker, given(id), {
          type: said,
          json: json as Record<string, unknown>,
          taskId: context.options.task,
        })
      }),
  },
]

/** Hands messages of a transcript to the other side. */
export async function sendAll(
  transport: Transport,
  recipients: readonly Address[],
  messages: readonly SignedMessage[],
) {
  for (const message of messages) {
    for (const to of recipients) await transport.send(to, writeMessage(message))
  }
}

/** Whom a wallet speaks to: the parties but itself. */
export function recipientsOf({ state }: Transcript, me: Address): Address[] {
  return Object.values(state.parties).filter((party) => !isAddressEqual(party, me))
}

/** Opens the transport first, so that nothing is written which could not be sent; then writes, then sends. */
async function speak(context: Context, write: (speaker: Speaker) => Promise<Transcript>): Promise<Answer> {
  const [account, book, { chainId }] = [context.account(), await context.book(), await context.deployments()]
  return context.withTransport(account.address, account, async (transport) => {
    const transcript = await write({ book, account, publicKey: transport.publicKey, now: context.now(), chainId })
    const last = transcript.messages.at(-1)
    if (!last) throw new Error('A message was written and is not there.')
    const to = recipientsOf(transcript, account.address)
    const { negotiationId, phase, terms } = transcript.state
    await sendAll(transport, to, [last]).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error
      const way = `Message ${last.envelope.sequence} is in the transcript but was not sent; try again: svc-negotiate send ${negotiationId}`
      throw new TransportError(`${error.message} ${way}`, { cause: error })
    })
    return {
      json: { ...messageToJson(last), phase, settlementDigest: terms.settlementDigest, sentTo: to },
      text: [
        `Sent to ${to.join(' and ')}:`,
        ...describeMessage(last),
        `${negotiationId} is ${phase}; ${terms.settlementDigest} stands.`,
      ].join('\n'),
    }
  })
}
