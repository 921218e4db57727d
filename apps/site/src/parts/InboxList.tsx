import type { OutputJson } from '@svc/operations'
import { sanitizeText } from '@svc/protocol'
import { text } from '../text/common.ts'
import { describeInboxLine, inboxText } from '../text/inbox.ts'
import { Amount } from '../ui/Amount.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { TimeLeft, useNow } from '../ui/Time.tsx'
import '../style/inbox.css'

/** Something that waits for the user. */
export type InboxEntry = OutputJson<'listInbox'>['entries'][number]

/** Entries of the inbox, each with what to do, what happens otherwise, and the way there. */
export function InboxList({ entries }: { entries: readonly InboxEntry[] }) {
  return (
    <ul className="card rows inbox">
      {entries.map((entry) => (
        <Entry key={`${entry.taskId} ${entry.role}`} entry={entry} />
      ))}
    </ul>
  )
}

function Entry({ entry }: { entry: InboxEntry }) {
  const { taskId, role, title, amountTokWei, urgent, duty } = entry
  const isParty = role === 'poster' || role === 'worker'
  const { todo, otherwise, button } = describeInboxLine(entry)
  return (
    <li className={duty ? 'due' : undefined}>
      <div className="stack tight">
        <p className="row wrapping tiny faint">
          <span className={duty ? 'pill turn' : 'pill'}>{inboxText.roles[role]}</span>
          <span>{taskId}</span>
        </p>
        <h3 dir="auto">{title === null ? text.privateTask : sanitizeText(title)}</h3>
        <p>{todo}</p>
        {otherwise && <p className="small soft">{otherwise}</p>}
      </div>
      <div className="inbox-end">
        <p className="inbox-money">
          <Amount of={amountTokWei} usd />
        </p>
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
