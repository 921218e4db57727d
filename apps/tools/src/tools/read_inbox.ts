import { z } from 'zod'
import { address, buildMeta, meta, toTimeFields } from '../fields.ts'
import { defineTool } from '../tool.ts'
import { cleanUntrusted, cleanUntrustedLine } from '../untrusted.ts'
import { openNotifier } from '../work/notifier.ts'
import { withWorkErrors } from '../work/toolWork.ts'

/** How many an answer contains: an agent pays for every token. */
const pageSize = 20

/** Reads the notifications of a wallet. The notifier is not verified, so its text stays in untrusted fields. */
export const readInbox = defineTool({
  name: 'svc_read_inbox',
  title: 'Read notifications',
  description: `What happened to a wallet's tasks, and deadlines: the newest ${pageSize}, or after since.`,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    address,
    // Some clients make a number of every text of digits.
    since: z.coerce
      .string()
      .regex(/^[0-9]{1,18}$/, 'not a cursor: expected digits')
      .optional()
      .describe('cursor of an earlier call.'),
    markRead: z.boolean().default(false).describe('Mark them as read.'),
  }),
  output: z.looseObject({
    notifications: z.array(z.looseObject({})).describe('kind, taskId, deadline and untrusted text of each.'),
    cursor: z.string().describe('Pass it as since.'),
    meta,
  }),
  run: ({ address, since, markRead }, { work, reader }) =>
    withWorkErrors(async () => {
      const block = await reader.head()
      const notifier = await openNotifier(work.openWallet(address))
      const { body } = await notifier.listNotifications({ limit: pageSize, ...(since !== undefined && { since }) })
      const notifications = body.notifications.slice(0, pageSize)
      if (markRead && notifications.length > 0) {
        await notifier.acknowledgeNotifications({ ids: notifications.map(({ id }) => id) })
      }
      return {
        notifications: notifications.map(({ id, kind, urgency, taskId, deadline, createdAt, ...rest }) => ({
          id: cleanUntrustedLine(id, 80),
          kind: cleanUntrustedLine(kind, 60),
          urgency,
          taskId: taskId === null ? null : cleanUntrustedLine(taskId, 60),
          ...toTimeFields('deadline', deadline),
          ...toTimeFields('createdAt', createdAt),
          acknowledged: rest.acknowledged,
          isCorrected: rest.isCorrected,
          untrustedTitle: cleanUntrustedLine(rest.title, 200),
          untrustedText: cleanUntrusted(rest.text, 1_000),
        })),
        cursor: /^[0-9]{1,18}$/.test(body.cursor) ? body.cursor : (since ?? '0'),
        nextStep: 'Call svc_task_next_steps for a task that waits for the wallet: the chain decides, not this list.',
        meta: buildMeta(block),
      }
    }, 'notifier'),
})
