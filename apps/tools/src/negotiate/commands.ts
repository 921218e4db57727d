import { writeFile } from 'node:fs/promises'
import { termsOf } from '@svc/protocol'
import { actions, writeInput } from '@svc/protocol/actions'
import { verifyAgreement, writeAgreement } from '@svc/protocol/negotiation'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { exits } from '../exits.ts'
import { UnknownNegotiationError } from './book.ts'
import type { Command } from './command.ts'
import { describe, describeBriefly, describeMessage, messageToJson, toJson } from './describe.ts'
import { UsageError } from './exitOf.ts'
import { addressOf, given, integerOf, readTextFile } from './given.ts'
import { inLine } from './plainWords.ts'
import { receive } from './receive.ts'
import { recipientsOf, sendAll, speakingCommands } from './speaking.ts'

const digestOption = ['--digest <0x…>', 'the settlement digest that the chain shows for the task'] as const
const meOption = ['--me <address>', 'your wallet (required)'] as const

/** Every command of `svc-negotiate`, in the order of its help. */
export const commands: readonly Command[] = [
  ...speakingCommands,
  {
    name: 'receive',
    summary: 'Take what arrives into the transcripts. What breaks a rule is refused and leaves no trace.',
    carries: true,
    options: [
      meOption,
      ['--only <address>', 'take messages of this wallet and refuse all others'],
      ['--count <n>', 'how many accepted messages to wait for (default: 1)'],
      ['--timeout <seconds>', 'how long to wait; 0 takes only what is there (default: 30)'],
    ],
    async run(context) {
      const { me: wallet, only: other, count = '1', timeout = '30' } = context.options
      const me = addressOf(wallet, '--me')
      const only = other === undefined ? undefined : addressOf(other, '--only')
      const seconds = integerOf(timeout, '--timeout', [0, 86_400])
      const bounds = { count: integerOf(count, '--count', [1, 1_000]), signal: AbortSignal.timeout(seconds * 1_000) }
      const book = await context.book()
      const received = await context.withTransport(me, null, (transport) =>
        receive({ book, transport, me, only }, bounds),
      )
      const { accepted, known } = received
      const refused = received.refused.map(inLine)
      // Who does not wait asks for what is there, however little.
      const isEnough = accepted.length >= (seconds === 0 ? 1 : bounds.count)
      const lines = [
        ...accepted.flatMap((message) => [
          `Accepted in ${message.envelope.negotiationId}:`,
          ...describeMessage(message),
        ]),
        ...refused.map((reason) => `Refused: ${reason}`),
        ...(known > 0 ? [`${known} known already.`] : []),
        ...(accepted.length > 0 && !isEnough ? [`${accepted.length} of ${bounds.count} arrived in ${seconds} s.`] : []),
      ]
      const late = refused.length > 0 ? exits.refused.code : exits.timedOut.code
      return {
        json: { accepted: accepted.map(messageToJson), known, untrustedRefused: refused },
        text: lines.join('\n') || `Nothing arrived in ${seconds} s.`,
        exit: isEnough ? exits.done.code : late,
      }
    },
  },
  {
    name: 'send',
    args: '<id>',
    summary: 'Send your own messages of a transcript again; who has them already leaves them.',
    carries: true,
    options: [meOption, ['--from <sequence>', 'the first message to send (default: 1)']],
    async run(context, id) {
      const me = addressOf(context.options.me, '--me')
      const from = integerOf(context.options.from ?? '1', '--from', [1, 1_000])
      const transcript = await (await context.book()).read(given(id))
      const mine = transcript.messages.filter(
        ({ envelope: { sender, sequence } }) => sequence >= from && isAddressEqual(sender.evmAddress as Address, me),
      )
      const to = recipientsOf(transcript, me)
      await context.withTransport(me, null, (transport) => sendAll(transport, to, mine))
      return {
        json: { sent: mine.map(messageToJson), sentTo: to },
        text: `${mine.length} sent to ${to.join(' and ')}.`,
      }
    },
  },
  {
    name: 'withdraw',
    args: '<id>',
    summary:
      'Take back your last message when both wrote at once; by custom the worker does. Signatures in it stay good on chain.',
    options: [meOption],
    async run(context, id) {
      const transcript = await (await context.book()).withdraw(given(id), addressOf(context.options.me, '--me'))
      const { negotiationId, length, phase } = transcript.state
      return { json: toJson(transcript), text: `${negotiationId} has ${length} messages again and is ${phase}.` }
    },
  },
  {
    name: 'join',
    summary: 'Make your wallet known to the transport, so that others can write to you: XMTP needs it once.',
    signs: true,
    carries: true,
    async run(context) {
      const account = context.account()
      const publicKey = await context.withTransport(account.address, account, async (transport) => transport.publicKey)
      return { json: { address: account.address, publicKey }, text: `${account.address} can be reached.` }
    },
  },
  {
    name: 'list',
    summary: 'List the negotiations.',
    async run(context) {
      const book = await context.book()
      const rows: { json: unknown; text: string }[] = []
      for (const negotiationId of await book.list()) {
        try {
          const { state } = await book.read(negotiationId)
          const { phase, length, parties, terms } = state
          const json = { negotiationId, phase, length, parties, untrustedTitle: inLine(terms.title) }
          rows.push({ json, text: describeBriefly(state) })
        } catch (error) {
          // A file whose first line was cut off holds nothing yet.
          if (error instanceof UnknownNegotiationError) continue
          const broken = inLine((error as Error).message)
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
    summary: 'Show what stands, who accepted it, every message, and what each party may say next.',
    async run(context, id) {
      const transcript = await (await context.book()).read(given(id))
      return { json: toJson(transcript), text: describe(transcript) }
    },
  },
  {
    name: 'task',
    args: '<id>',
    summary: 'Print the input of `create-task` for an agreement: whoever has it can put the task on chain.',
    async run(context, id) {
      const { messages } = await (await context.book()).read(given(id))
      const verifySignature = await context.verifySignature()
      const text = await writeAgreement(messages, { chainId: (await context.deployments()).chainId, verifySignature })
      const { terms, worker, acceptances } = await verifyAgreement(text, { verifySignature })
      const createTask = actions.find(({ name }) => name === 'create-task')
      if (!createTask) throw new Error('The action create-task is gone.')
      const input = writeInput(createTask, {
        market: terms.market,
        terms: termsOf(terms),
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
    summary: 'Write the agreement file, which proves the agreement to anyone (see `verify`, `svc-verify`).',
    async run(context, id, file) {
      const { messages, state } = await (await context.book()).read(given(id))
      const verifySignature = await context.verifySignature()
      const text = await writeAgreement(messages, { chainId: (await context.deployments()).chainId, verifySignature })
      await writeFile(given(file), text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw new UsageError(`${file} cannot be written: ${error.code}.`)
      })
      const { settlementDigest } = state.terms
      return {
        json: { file, settlementDigest, messages: messages.length },
        text: `${file} proves ${settlementDigest} by ${messages.length} messages.`,
      }
    },
  },
  {
    name: 'verify',
    args: '<file>',
    summary: 'Check an agreement file by itself: every message, seal and rule.',
    options: [digestOption],
    async run(context, file) {
      const digest = context.options.digest as Hex | undefined
      const verifySignature = await context.verifySignature()
      const { settlementDigest, poster, worker, phase, length, head } = await verifyAgreement(
        await readTextFile(given(file)),
        { digest, verifySignature },
      )
      const checked = digest ? 'It is the digest you gave.' : 'Compare it with what the chain shows: --digest.'
      return {
        json: { settlementDigest, poster, worker, phase, length, head, digestGiven: digest !== undefined },
        text: `${poster} and ${worker} agreed on ${settlementDigest}. ${checked}\n${length} messages, the last is ${head}; ${phase}.`,
      }
    },
  },
]
