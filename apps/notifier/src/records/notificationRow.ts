import { formatTaskId, markets } from '@svc/protocol'
import type { OutgoingMessage } from '../channels/channel.ts'

/** A row of `notify.notification`, as far as it is shown or sent. */
export interface NotificationRow {
  id: string
  kind: string
  urgency: string
  market: number | null
  task: string | null
  title: string
  text: string
  url: string
  deadline: string | null
  created_at: string
  corrects: string | null
}

/** Its columns, for a statement that names the table `n`. */
export const notificationColumns =
  'n.id, n.kind, n.urgency, n.market, n.task, n.title, n.text, n.url, n.deadline, n.created_at, n.corrects'

/** What every reader of a notification gets, in the inbox and on every channel. */
export type StoredContent = Omit<OutgoingMessage, 'wallet' | 'data'>

export function toContent(row: NotificationRow): StoredContent {
  const { id, kind, title, text, url, task, deadline } = row
  const market = row.market === null ? null : (markets[row.market] ?? 'standard')
  return {
    id,
    kind,
    market,
    taskId: task === null || market === null ? null : formatTaskId({ market, number: BigInt(task) }),
    title,
    text,
    url,
    deadline: deadline === null ? null : Number(deadline),
    createdAt: Number(row.created_at),
  }
}
