import { mailLimits } from '@svc/protocol/internal/talk'
import * as z from 'zod'
import { addressText, count, hashText, moment } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { address, taskId } from '../params.ts'
import { bundleHash } from './bundles.ts'
import { sessionHeader } from './sessions.ts'

const maxSealedText = Math.ceil(mailLimits.sealedBytes / 3) * 4

export const postMail = defineCall('postMail', {
  summary: 'Send a sealed message to a wallet.',
  description: `The message was signed and encrypted before: the store forwards it and cannot read it. The sender keeps a copy in its own mailbox. Posting the same id again adds nothing. A wallet may write to whom it shares \`task\` with as poster and worker, to whoever has written to it, and, with a deposit above the pause threshold that was there for 24 hours, to ${mailLimits.newContacts} other wallets a day: one message of ${mailLimits.firstContactBytes} bytes until it is answered, and ${mailLimits.applications} applications for each open task. At most ${mailLimits.items} messages a day. With a deposit since less than that, a wallet writes to posters of open tasks: one question and one application for each task, in places of their own that it loses with the deposit.`,
  tag: 'mail',
  input: z.object({
    to: address,
    id: bundleHash.describe('Hash (keccak256) of the signed message: `hashMailLine`.'),
    task: taskId.optional().describe('A task that both share as poster and worker.'),
    applies: taskId.optional().describe('The open task of the recipient for which this is an application.'),
    asks: taskId.optional().describe('The open task of the recipient that this question is about.'),
    sealed: z
      .string()
      .max(maxSealedText)
      .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64')
      .min(4)
      .describe('The message, encrypted with age for the recipient and the sender, in base64.'),
  }),
  headers: sessionHeader,
  maxBody: maxSealedText + 2_048,
  output: z.object({
    number: count.describe("Number of the copy in the sender's mailbox."),
    isNew: z.boolean().describe('False if it had been posted before.'),
  }),
  chainCost: 6,
  errors: [
    'SESSION_REQUIRED',
    'INVALID_ADDRESS',
    'MAIL_DEPOSIT_REQUIRED',
    'MAIL_BLOCKED',
    'MAIL_UNANSWERED',
    'MAIL_TOO_LARGE',
    'MAIL_LIMIT_REACHED',
    'WORK_QUOTA_REACHED',
    'TASK_NOT_FOUND',
    'CHAIN_UNREACHABLE',
    'DATABASE_UNREACHABLE',
  ],
})

const mailJson = z
  .object({
    number: count.describe('Number in this mailbox.'),
    from: addressText.describe('Wallet whose session posted it. The signature inside proves the author.'),
    id: hashText.describe('Hash of the signed message, as the sender named it.'),
    postedAt: moment.describe('When it was posted, in unix seconds.'),
    sealed: z.string().describe('The message, encrypted with age, in base64.'),
  })
  .describe('A sealed message.')

export const listMail = defineCall('listMail', {
  summary: "List the sealed messages of the session's mailbox, oldest first.",
  description:
    'Own messages are among them. If the cursor names a message that the mailbox does not have, for example because the store was restored from a backup, the list starts over and `restarted` is true.',
  tag: 'mail',
  input: z.object({
    after: z
      .string()
      .regex(/^\d{1,15}\.[0-9a-f]{64}$/, 'after must be a cursor of this list')
      .optional()
      .describe('`cursor` of the previous answer; omit it to start at the beginning.'),
  }),
  headers: sessionHeader,
  output: z.object({
    items: z.array(mailJson).describe(`At most ${mailLimits.page}.`),
    cursor: z.nullable(z.string()).describe('For the next request; null while the mailbox is empty.'),
    hasMore: z.boolean().describe('True if there are more now.'),
    restarted: z.boolean().describe('True if the cursor was unknown and the list starts over.'),
  }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

const blockedOutput = z.object({
  blocked: z.array(addressText).describe(`Wallets whose messages are refused; at most ${mailLimits.blocks}.`),
})
const blockErrors = [
  'SESSION_REQUIRED',
  'INVALID_ADDRESS',
  'MAIL_LIMIT_REACHED',
  'WORK_QUOTA_REACHED',
  'DATABASE_UNREACHABLE',
] as const

export const listBlocked = defineCall('listBlocked', {
  summary: 'List the wallets that may not write to the session.',
  description: 'Nobody else sees this list.',
  tag: 'mail',
  input: z.object({}),
  headers: sessionHeader,
  output: blockedOutput,
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const blockSender = defineCall('blockSender', {
  summary: 'Refuse messages of a wallet.',
  description: 'What it sent before stays. The wallet learns it when it writes again.',
  tag: 'mail',
  input: z.object({ wallet: address }),
  headers: sessionHeader,
  output: blockedOutput,
  errors: blockErrors,
})

export const allowSender = defineCall('allowSender', {
  summary: 'Let a wallet write without the limits for strangers.',
  description:
    'As if the session had answered it: for a supervisor, whose agents write to it first. A blocked wallet stays blocked.',
  tag: 'mail',
  input: z.object({ wallet: address }),
  headers: sessionHeader,
  output: z.object({ wallet: addressText.describe('Wallet that may write.') }),
  errors: blockErrors,
})

export const unblockSender = defineCall('unblockSender', {
  summary: 'Accept messages of a wallet again.',
  description: 'Takes a wallet off the list. Messages that were refused meanwhile are not sent again.',
  tag: 'mail',
  input: z.object({ wallet: address }),
  headers: sessionHeader,
  output: blockedOutput,
  errors: blockErrors,
})
