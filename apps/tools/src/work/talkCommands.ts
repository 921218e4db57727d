import { writeFile } from 'node:fs/promises'
import { formatTaskId, SvcError } from '@svc/protocol'
import { actions, encodeActionInput } from '@svc/protocol/actions'
import { normalizeText } from '@svc/protocol/internal/base'
import { formatAgreement } from '@svc/protocol/negotiation'
import { buildClaimInput, buildEndInput, type ThreadSubject } from '@svc/protocol/talk'
import type { Talk, TalkThread } from '@svc/work'
import type { Answer } from '../negotiate/command.ts'
import { type Options, readAccount } from '../negotiate/context.ts'
import { UsageError } from '../negotiate/describeExit.ts'
import { parseAddressArgument, parseIntegerArgument } from '../negotiate/parseArguments.ts'
import { randomNonce } from '../randomNonce.ts'
import type { Argument, CommandAbout, WorkCommand } from './command.ts'
import type { WorkIo } from './context.ts'
import { describeNegotiation, describeThread, getPartner, negotiationToJson, threadToJson } from './describeThread.ts'
import {
  buildSubject,
  computePermitDigest,
  listTaskThreads,
  openOwnTalk,
  openTaskTalk,
  readEndPlace,
  shareTask,
} from './openTalk.ts'
import type { WorkPlace } from './place.ts'

const toOption = ['--to <wallet>', 'whom you write to, if you are the poster (default: the worker)'] as const
const validOption = ['--valid <seconds>', 'how long the signature is valid, at most 30 days (default: %)'] as const
const validFor = (text: string) => [validOption[0], validOption[1].replace('%', text)] as const
const validRange = [60, 2_592_000] as const

/** Commands of two sides: questions, applications, choices, invitations and the end of a task by agreement. */
export const talkCommands: readonly WorkCommand[] = [
  command('ask', '<text>', 'Ask the poster a question about a task, or the other side if you are the poster.', {
    options: [toOption],
    run: (place, options, [text]) =>
      write(place, options, (talk, subject) =>
        talk.write(subject, 'Question', { text: toProse(text) }, shareTask(place, subject)),
      ),
  }),
  command('answer', '<text>', 'Answer the oldest open question of the other side.', {
    options: [toOption],
    run: (place, options, [text]) =>
      write(place, options, async (talk, subject) => {
        await talk.mailbox.sync()
        const { status, me } = await talk.readThread(subject)
        const asked = status.open.find(({ side, type }) => side === me && ['Question', 'AccessRequest'].includes(type))
        if (!asked) throw new SvcError('NOTHING_ASKED', 'The other side has no open question.')
        const payload = { text: toProse(text), answers: asked.hash }
        return talk.write(subject, 'Answer', payload, shareTask(place, subject))
      }),
  }),
  command('apply', '<claims...>', 'Apply for a task that needs a permit: say what makes you able to do it.', {
    options: [['--link <url>', 'a link to earlier work']],
    run: (place, options, [claims]) =>
      write(place, {}, (talk, subject) => {
        const payload = { claims: toList(claims).map(toProse), ...(options.link && { links: [options.link] }) }
        return talk.write(subject, 'Application', payload)
      }),
  }),
  command('invite', '<wallet> <text>', 'Invite a wallet to your task.', {
    run: (place, _, [wallet, text]) =>
      write(place, { to: String(wallet) }, (talk, subject) =>
        talk.write(subject, 'Invitation', { text: toProse(text) }),
      ),
  }),
  command('decline', '[reason]', 'Decline what the other side asked for: an application, an invitation, an end.', {
    options: [toOption],
    run: (place, options, [reason]) =>
      write(place, options, (talk, subject) =>
        talk.write(subject, 'Decline', reason ? { reason: toProse(reason) } : {}, shareTask(place, subject)),
      ),
  }),
  listCommand('applicants', 'List who applied for your task, and what they say.', {
    field: 'applicants',
    isListed: ({ status }) => status.application !== null,
    empty: 'Nobody has applied yet.',
  }),
  command(
    'choose',
    '<wallet>',
    'Choose an applicant: sign a permit for them, and send it. They claim the task with it.',
    {
      options: [validFor('seven days')],
      run: (place, options, [wallet], io) =>
        write(place, { to: String(wallet) }, (talk, subject) =>
          talk.choose(subject, computePermitDigest(place, subject.other), signing(io, options, '604800')),
        ),
    },
  ),
  command('permit', '', 'Write the input of `claim-task` with the permit that the poster sent you.', {
    options: [['--out <file>', 'where to write it (default: claim.json)']],
    run: async (place, options) => {
      const thread = await readOwnThread(place)
      const input = buildClaimInput(thread.thread)
      if (!input) throw new SvcError('NO_PERMIT', 'The poster has not sent you a permit.')
      if (input.settlementDigest !== computePermitDigest(place, place.wallet)) {
        throw new SvcError('WRONG_PERMIT', 'The permit is for other terms than those of the task. Do not use it.')
      }
      return writeInput(
        place,
        'claim-task',
        encodeActionInput(actions['claim-task'], input),
        options.out ?? 'claim.json',
      )
    },
  }),
  command(
    'propose-end',
    '',
    'Offer to end the task with a share for the worker. The other side accepts the same offer.',
    {
      options: [
        ['--worker-bps <share>', "the worker's share of the escrow in basis points, 0 to 10000 (required)"],
        validFor('one day'),
      ],
      run: (place, options, _, io) => {
        const share = options['worker-bps']
        if (share === undefined) throw new UsageError('--worker-bps is missing.')
        const workerBps = parseIntegerArgument(share, '--worker-bps', [0, 10_000])
        return write(place, {}, (talk, subject) =>
          talk.proposeEnd(subject, workerBps, readEndPlace(place), signing(io, options, '86400')),
        )
      },
    },
  ),
  command('accept-end', '', "Accept the other side's offer to end the task, and write the input of `mutual-cancel`.", {
    options: [['--out <file>', 'where to write it (default: end.json)'], validFor('one day')],
    run: async (place, options, _, io) => {
      const talk = openTaskTalk(place)
      await talk.mailbox.sync()
      const subject = buildSubject(place)
      const { status, me } = await talk.readThread(subject)
      const offer = status.ends[me === 'poster' ? 'other' : 'poster']
      if (!offer) throw new SvcError('NO_OFFER', 'The other side has not offered to end the task.')
      const isAgreed = status.isEndAgreed
      const { thread } = isAgreed
        ? await talk.readThread(subject)
        : await talk.proposeEnd(subject, Number(offer.workerBps), readEndPlace(place), signing(io, options, '86400'))
      const input = buildEndInput(thread)
      if (!input) {
        throw new SvcError(
          'OFFER_OUTDATED',
          'The task has moved on since the other side signed. Your offer was sent instead.',
        )
      }
      return writeInput(
        place,
        'mutual-cancel',
        encodeActionInput(actions['mutual-cancel'], input),
        options.out ?? 'end.json',
      )
    },
  }),
  listCommand('messages', 'Show what was said about a task, and whose turn it is.', {
    field: 'threads',
    isListed: () => true,
    empty: 'No messages about this task.',
  }),
  walletCommand(
    'mail',
    '',
    'List every thread and negotiation of your mailbox, and whose turn it is.',
    async (talk, _, { again }) => {
      const { unreadable } = await talk.mailbox.sync({ again: again !== undefined })
      const [threads, negotiations] = [await talk.listThreads(), await talk.listNegotiations()]
      const { wallet } = talk.mailbox
      return {
        json: {
          threads: threads.map(threadToJson),
          negotiations: negotiations.map((each) => negotiationToJson(each, wallet)),
          unreadable,
        },
        text:
          [
            ...threads.flatMap(describeThread),
            ...negotiations.map((each) => describeNegotiation(each, wallet)),
            ...(unreadable > 0 ? [`${unreadable} new messages could not be opened.`] : []),
          ].join('\n') || 'Your mailbox is empty.',
      }
    },
    [['--again', 'read the whole mailbox again, if something is missing']],
  ),
  walletCommand(
    'agreement',
    '<id> <file>',
    'Write the agreement of a negotiation in your mailbox: svc-verify proves it to anyone, offline.',
    async (talk, [id, file]) => {
      await talk.mailbox.sync()
      const { messages, state } = await talk.readNegotiation(String(id))
      const { chainId, verifySignature } = talk.mailbox.checks
      const text = await formatAgreement(messages, { chainId, verifySignature })
      await writeFile(String(file), text, { mode: 0o600, flag: 'wx' })
      const { settlementDigest } = state.terms
      return {
        json: { file, settlementDigest, messages: messages.length },
        text: `${file} proves ${settlementDigest} with ${messages.length} messages.`,
      }
    },
  ),
  blockCommand('block', 'Refuse messages of a wallet.'),
  walletCommand(
    'allow',
    '<wallet>',
    'Let a wallet write to you without the limits for strangers, for example an agent that you supervise.',
    async (talk, [wallet]) => {
      const allowed = parseAddressArgument(String(wallet), 'wallet')
      await talk.mailbox.allow(allowed)
      return { json: { allowed }, text: `${allowed} may write to you.` }
    },
  ),
  blockCommand('unblock', 'Accept messages of a wallet again.'),
]

function command(
  name: string,
  args: string,
  summary: string,
  { options = [], run }: Pick<CommandAbout<'task', WorkPlace>, 'options' | 'run'>,
): WorkCommand {
  return { about: 'task', name, args, summary, options, run }
}

interface ThreadList {
  /** Where the answer has them. */
  field: string
  isListed: (thread: TalkThread) => boolean
  /** What is said if there are none. */
  empty: string
}

/** A command that lists threads of a task. */
function listCommand(name: string, summary: string, { field, isListed, empty }: ThreadList): WorkCommand {
  return command(name, '', summary, {
    run: async (place) => {
      const talk = openTaskTalk(place)
      await talk.mailbox.sync()
      const found = (await listTaskThreads(talk, place.taskId)).filter(isListed)
      return {
        json: { taskId: formatTaskId(place.taskId), [field]: found.map(threadToJson) },
        text: found.flatMap(describeThread).join('\n') || empty,
      }
    },
  })
}

/** A command that changes which wallets are blocked, and lists them. */
function blockCommand(name: 'block' | 'unblock', summary: string): WorkCommand {
  return walletCommand(name, '<wallet>', summary, async (talk, [wallet]) => {
    const blocked = await talk.mailbox[name](parseAddressArgument(String(wallet), 'wallet'))
    return { json: { blocked }, text: blocked.join('\n') || 'Nobody is blocked.' }
  })
}

function walletCommand(
  name: string,
  args: string,
  summary: string,
  run: (talk: Talk, args: readonly Argument[], options: Options) => Promise<Answer>,
  options: WorkCommand['options'] = [],
): WorkCommand {
  return {
    about: 'wallet',
    name,
    args,
    summary,
    options,
    run: async (wallet, given, args) => run(await openOwnTalk(wallet), args, given),
  }
}

async function write(
  place: WorkPlace,
  options: Options,
  send: (talk: Talk, subject: ThreadSubject) => Promise<TalkThread>,
): Promise<Answer> {
  const other = options.to === undefined ? undefined : parseAddressArgument(options.to, '--to')
  const found = await send(openTaskTalk(place), buildSubject(place, other))
  return { json: { sentTo: getPartner(found), ...threadToJson(found) }, text: describeThread(found).join('\n') }
}

async function readOwnThread(place: WorkPlace): Promise<TalkThread> {
  const talk = openTaskTalk(place)
  await talk.mailbox.sync()
  return talk.readThread(buildSubject(place))
}

/** The input of an action goes to a file: it is long, and svc-prepare reads it. */
async function writeInput(place: WorkPlace, action: string, input: object, file: string): Promise<Answer> {
  await writeFile(file, `${JSON.stringify(input)}\n`, { mode: 0o600 })
  const next = `svc-prepare ${action} --input ${file} --from ${place.wallet}`
  return { json: { file, input, next }, text: `Wrote ${file}. Run:\n  ${next}` }
}

/** The key of the wallet is read only by commands that sign for the chain. */
function signing({ environment }: WorkIo, { valid }: Options, otherwise: string) {
  const account = readAccount(environment.PRIVATE_KEY)
  return {
    signTypedData: (typed: Parameters<typeof account.signTypedData>[0]) => account.signTypedData(typed),
    nonce: randomNonce(),
    validSeconds: parseIntegerArgument(valid ?? otherwise, '--valid', validRange),
  }
}

const toProse = (text: Argument) => normalizeText(String(text ?? ''))
const toList = (argument: Argument) => (Array.isArray(argument) ? argument.map(String) : [String(argument)])
