import type { OutputJson } from '@svc/operations'
import { sanitizeText } from '@svc/protocol'
import { text } from '../text/common.ts'
import { describeInboxLine, inboxText } from '../text/inbox.ts'
import { Worth } from '../ui/Amount.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Face } from '../ui/Face.tsx'
import { TimeLeft, useNow } from '../ui/Time.tsx'
import '../style/inbox.css'

/** Something that waits for the user. */
export type InboxEntry = OutputJson<'listInbox'>['entries'][number]

interface InboxListProps {
  entries: readonly InboxEntry[]
  /** Who is on the other side of a task, where that is known. */
  findOther?: (taskId: string) => string | undefined
}

/** Entries of the inbox: what to do, for which task and person, what happens otherwise, and the way there. */
export function InboxList({ entries, findOther }: InboxListProps) {
  return (
    <ul className="card rows inbox">
      {entries.map((entry) => (
        <Entry key={`${entry.taskId} ${entry.role}`} entry={entry} other={findOther?.(entry.taskId)} />
      ))}
    </ul>
  )
}

function Entry({ entry, other }: { entry: InboxEntry; other: string | undefined }) {
  const { taskId, role, title, amountTokWei, urgent, duty } = entry
  const isParty = role === 'poster' || role === 'worker'
  const { todo, otherwise, button } = describeInboxLine(entry)
  return (
    <li className={duty ? 'due' : undefined}>
      {other && <Face of={other} size={44} />}
      <div className="inbox-what">
        <h3>{todo}</h3>
        <p className="soft">
          <bdi>{title === null ? text.privateTask : sanitizeText(title)}</bdi> · <Worth of={amountTokWei} />
          {!isParty && ` · ${inboxText.roles[role]}`}
        </p>
        {otherwise && <p className="small faint">{otherwise}</p>}
      </div>
      <div className="inbox-end">
        <Due at={urgent} isDuty={duty} />
        <ButtonLink href={`/tasks/${taskId}${isParty ? '' : '?tab=dispute'}`} look={duty ? 'primary' : 'plain'}>
          {button}
        </ButtonLink>
      </div>
    </li>
  )
}

function Due({ at, isDuty }: { at: number | null; isDuty: boolean }) {
  const now = useNow()
  if (at === null) return <p className="small soft">{inboxText.anytime}</p>
  return (
    <p className={isDuty ? 'small inbox-clock' : 'small soft'}>
      <TimeLeft to={at} over={inboxText.over} /> {at > now && inboxText.left}
    </p>
  )
}
