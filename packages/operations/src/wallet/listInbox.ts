import { taskStates } from '@svc/protocol'
import { market as marketName } from '@svc/protocol/internal/base'
import { inboxRoles } from '@svc/protocol/internal/steps'
import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { addressText, amountText, momentOrNull, taskIdText } from '../json/scalars.ts'
import { defineRead } from '../operation.ts'
import { address, market } from '../params.ts'

const entryJson = z.object({
  taskId: taskIdText.describe('Task id.'),
  title: z.nullable(z.string()).describe('Title of the task. Untrusted; null for a private task.'),
  role: z
    .enum(inboxRoles)
    .describe(
      'Part of the wallet in the task. A candidate is an arbitrator that can accept the case; court is the final court.',
    ),
  state: z.enum(taskStates).describe('State of the task.'),
  disputePhase: z.nullable(z.string()).describe('Phase of the dispute; null if there is none now.'),
  amountTokWei: amountText.describe('Amount of the current milestone, in TOK wei.'),
  actions: z
    .array(
      z.object({
        action: z.string().describe('Name of the action.'),
        verb: z.string().describe('Label for a button.'),
        until: momentOrNull.describe('Until when it is possible, in unix seconds; null if there is no limit.'),
      }),
    )
    .describe('Everything the wallet can do with the task now, in the order of the action table.'),
  urgent: momentOrNull.describe('The earliest deadline of what waits, in unix seconds; null if there is none.'),
  duty: z
    .boolean()
    .describe(
      'True if missing a deadline costs this wallet something, or if it is the judge or the final court of the case. False if it is only an option.',
    ),
})

export const listInbox = defineRead('listInbox', {
  summary: 'List the tasks on which something waits for a wallet, the earliest deadline first.',
  description:
    'In every role: poster, worker, judge, arbitrator that can accept a case, and final court. Listed are tasks with an action that time limits, such as a delivery, a review, a ruling or an appeal, or that time made possible, such as the payment of a lapsed review or the end of an expired posting. A task that the wallet can only cancel or leave is not listed, and neither is money that it can withdraw. Like `pendingActions`, the list does not check whether the wallet has the deposit and the fee. Only the newest 100 tasks of each role are examined.',
  tag: 'wallet',
  chainCost: 34,
  input: z.object({ address, market }),
  output: z.object({
    address: addressText.describe('Wallet of the inbox.'),
    market: marketName.check(z.describe('Market of the inbox.')),
    entries: z
      .array(entryJson)
      .describe('The earliest deadline first. Entries without a deadline come last, the newest task first.'),
    truncated: z.boolean().describe('True if a role has more than 100 tasks; the older ones were not examined.'),
    meta: metaJson,
  }),
  errors: ['INVALID_ADDRESS'],
})
