import { writeFile } from 'node:fs/promises'
import { toTaskTerms } from '@svc/protocol'
import { actions, encodeActionInput } from '@svc/protocol/actions'
import { formatAgreement, verifyAgreement } from '@svc/protocol/negotiation'
import { type Address, isAddressEqual } from 'viem'
import { exitCodes } from '../exitCodes.ts'
import type { Command } from './command.ts'
import {
  describeMessage,
  describeTranscript,
  messageToJson,
  summarizeNegotiation,
  transcriptToJson,
} from './describe.ts'
import { UsageError } from './describeExit.ts'
import { listRecipients, messageCommands, sendMessages } from './messageCommands.ts'
import {
  parseAddressArgument,
  parseDigestArgument,
  parseIntegerArgument,
  readTextFile,
  requireArgument,
} from './parseArguments.ts'
import { toSingleLine } from './plainText.ts'
import { receiveMessages } from './receiveMessages.ts'
import { UnknownNegotiationError } from './transcriptStore.ts'

const digestOption = ['--digest <0x…>', 'the settlement digest of the task on chain'] as const
const meOption = ['--me <address>', 'your wallet (required)'] as const

/** All commands of `svc-negotiate`, in the order of the help. */
export const negotiateCommands: readonly Command[] = [
  ...messageCommands,
  {
    name: 'receive',
    summary:
      'Receive messages and add them to the transcripts. A message that breaks a rule is rejected and not stored.',
    carries: true,
    options: [
      meOption,
      ['--only <address>', 'accept messages only from this wallet'],
      ['--supervise <address>', 'the party that you supervise: also receive its negotiations'],
      ['--count <n>', 'how many messages to wait for (default: 1)'],
      ['--timeout <seconds>', 'how long to wait; 0 receives only what has arrived (default: 30)'],
    ],
    async run(context) {
      const { me: wallet, only: other, supervise, count = '1', timeout = '30' } = context.options
      const me = parseAddressArgument(wallet, '--me')
      const only = other === undefined ? undefined : parseAddressArgument(other, '--only')
      const supervises = supervise === undefined ? undefined : parseAddressArgument(supervise, '--supervise')
      const seconds = parseIntegerArgument(timeout, '--timeout', [0, 86_400])
      const bounds = {
        count: parseIntegerArgument(count, '--count', [1, 1_000]),
        signal: AbortSignal.timeout(seconds * 1_000),
      }
      const store = await context.store()
      const received = await context.withTransport(me, null, (transport) =>
        receiveMessages({ store, transport, me, only, supervises }, bounds),
      )
      const { accepted, dropped, known } = received
      const refused = received.refused.map(toSingleLine)
      // Without waiting, one message is enough.
      const isEnough = accepted.length >= (seconds === 0 ? 1 : bounds.count)
      const lines = [
        ...accepted.flatMap((message) => [
          `Accepted in ${message.envelope.negotiationId}:`,
          ...describeMessage(message),
        ]),
        ...refused.map((reason) => `Rejected: ${reason}`),
        ...dropped.map(
          ({ envelope: { sequence, type } }) =>
            `Your message ${sequence}, ${type}, is dropped: the other party wrote at the same time, and theirs stands. A signature in it stays valid on chain.`,
        ),
        ...(known > 0 ? [`${known} already known.`] : []),
        ...(accepted.length > 0 && !isEnough ? [`${accepted.length} of ${bounds.count} arrived in ${seconds} s.`] : []),
      ]
      const late = refused.length > 0 ? exitCodes.refused.code : exitCodes.timedOut.code
      return {
        json: {
          accepted: accepted.map(messageToJson),
          dropped: dropped.map(messageToJson),
          known,
          untrustedRefused: refused,
        },
        text: lines.join('\n') || `Nothing arrived in ${seconds} s.`,
        exit: isEnough ? exitCodes.done.code : late,
      }
    },
  },
  {
    name: 'send',
    args: '<id>',
    summary: 'Send your own messages of a transcript again. A recipient that has them ignores them.',
    carries: true,
    options: [meOption, ['--from <sequence>', 'the first message to send (default: 1)']],
    async run(context, id) {
      const me = parseAddressArgument(context.options.me, '--me')
      const from = parseIntegerArgument(context.options.from ?? '1', '--from', [1, 1_000])
      const transcript = await (await context.store()).read(requireArgument(id))
      const mine = transcript.messages.filter(
        ({ envelope: { sender, sequence } }) => sequence >= from && isAddressEqual(sender.evmAddress as Address, me),
      )
      const to = listRecipients(transcript, me)
      await context.withTransport(me, null, (transport) => sendMessages(transport, to, mine))
      return {
        json: { sent: mine.map(messageToJson), sentTo: to },
        text: `${mine.length} sent to ${to.join(' and ')}.`,
      }
    },
  },
  {
    name: 'join',
    summary: 'Register your wallet with the transport so that others can send you messages. XMTP requires it once.',
    signs: true,
    carries: true,
    async run(context) {
      const account = context.account()
      const publicKey = await context.withTransport(account.address, account, async (transport) => transport.publicKey)
      return { json: { address: account.address, publicKey }, text: `${account.address} is registered.` }
    },
  },
  {
    name: 'list',
    summary: 'List the negotiations.',
    async run(context) {
      const store = await context.store()
      const rows: { json: unknown; text: string }[] = []
      for (const negotiationId of await store.list()) {
        try {
          const { state } = await store.read(negotiationId)
          const { phase, length, parties, terms } = state
          const json = { negotiationId, phase, length, parties, untrustedTitle: toSingleLine(terms.title) }
          rows.push({ json, text: summarizeNegotiation(state) })
        } catch (error) {
          // A file whose first line is incomplete contains nothing yet.
          if (error instanceof UnknownNegotiationError) continue
          const broken = toSingleLine((error as Error).message)
          rows.push({ json: { negotiationId, broken }, text: `${negotiationId}  BROKEN  ${broken}` })
        }
      }
      return {
        json: { negotiations: rows.map(({ json }) => json) },
        text: rows.map(({ text }) => text).join('\n') || 'No negotiations.',
      }
    },
  },
  {
    name: 'show',
    args: '<id>',
    summary: 'Show the current offer, who accepted it, all messages, and what each party can send next.',
    async run(context, id) {
      const transcript = await (await context.store()).read(requireArgument(id))
      return { json: transcriptToJson(transcript), text: describeTranscript(transcript) }
    },
  },
  {
    name: 'task',
    args: '<id>',
    summary: 'Print the input of `create-task` for an agreement. Anyone who has it can create the task on chain.',
    async run(context, id) {
      const { messages } = await (await context.store()).read(requireArgument(id))
      const verifySignature = await context.verifySignature()
      const text = await formatAgreement(messages, { chainId: (await context.deployments()).chainId, verifySignature })
      const { terms, worker, acceptances } = await verifyAgreement(text, { verifySignature })
      const input = encodeActionInput(actions['create-task'], {
        market: terms.market,
        terms: toTaskTerms(terms),
        worker,
        posterAcceptance: acceptances.poster,
        workerAcceptance: acceptances.worker,
      })
      return { json: input, text: JSON.stringify(input, null, 2) }
    },
  },
  {
    name: 'export',
    args: '<id> <file>',
    summary: 'Write the agreement file, which proves the agreement to anyone (see `verify` and `svc-verify`).',
    async run(context, id, file) {
      const { messages, state } = await (await context.store()).read(requireArgument(id))
      const verifySignature = await context.verifySignature()
      const text = await formatAgreement(messages, { chainId: (await context.deployments()).chainId, verifySignature })
      await writeFile(requireArgument(file), text, { mode: 0o600, flag: 'wx' }).catch(
        (error: NodeJS.ErrnoException) => {
          throw new UsageError(`Cannot write ${file}: ${error.code}.`)
        },
      )
      const { settlementDigest } = state.terms
      return {
        json: { file, settlementDigest, messages: messages.length },
        text: `${file} proves ${settlementDigest} with ${messages.length} messages.`,
      }
    },
  },
  {
    name: 'verify',
    args: '<file>',
    summary: 'Verify an agreement file: every message, signature and rule.',
    options: [digestOption],
    async run(context, file) {
      const given = context.options.digest
      const digest = given === undefined ? undefined : parseDigestArgument(given)
      const verifySignature = await context.verifySignature()
      const { settlementDigest, poster, worker, phase, length, head } = await verifyAgreement(
        await readTextFile(requireArgument(file)),
        { digest, verifySignature },
      )
      const checked = digest ? 'It matches the digest you gave.' : 'Compare it with the digest on the chain: --digest.'
      return {
        json: { settlementDigest, poster, worker, phase, length, head, digestGiven: digest !== undefined },
        text: `${poster} and ${worker} agreed on ${settlementDigest}. ${checked}\n${length} messages, the last one is ${head}. The negotiation is ${phase}.`,
      }
    },
  },
]
