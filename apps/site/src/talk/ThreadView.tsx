import type { TaskDetailJson } from '@svc/client'
import { sanitizeText } from '@svc/protocol'
import { normalizeText } from '@svc/protocol/internal/base'
import type { SignedThreadMessage, ThreadSubject } from '@svc/protocol/talk'
import type { TalkThread } from '@svc/work'
import { type FormEvent, useState } from 'react'
import { talkText as labels } from '../text/talk.ts'
import { Address } from '../ui/Address.tsx'
import { formatShort } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { formatTimeSpan } from '../ui/formatMoment.ts'
import { Note } from '../ui/Note.tsx'
import { TextArea } from '../ui/TextField.tsx'
import { Time } from '../ui/Time.tsx'
import { useSending } from './useSending.ts'
import { loadTalkEngine, type TaskTalk } from './useTalk.ts'

/** The most characters of a first message. */
const maxText = 2_000

/** What two wallets said to each other, oldest first. All text is a stranger's and is shown as plain text. */
export function Messages({ of: { thread, waiting, misconduct }, you }: { of: TalkThread; you: string }) {
  return (
    <>
      {misconduct.length > 0 && <Note tone="loss">{labels.misconduct}</Note>}
      <ul className="talk-messages">
        {thread.messages.map((signed) => (
          <Message key={signed.hash} of={signed} you={you} />
        ))}
      </ul>
      {waiting.length > 0 && <p className="small soft">{labels.missing}</p>}
    </>
  )
}

function Message({ of: { message }, you }: { of: SignedThreadMessage; you: string }) {
  const isOwn = message.sender.toLowerCase() === you.toLowerCase()
  return (
    <li className={isOwn ? 'talk-message own' : 'talk-message'}>
      <p className="row wrapping tiny soft">
        <Address of={message.sender} you={you} size={18} /> {describeKind(message)}{' '}
        <Time at={Math.floor(Date.parse(message.timestamp) / 1000)} />
      </p>
      <MessageBody of={message} />
    </li>
  )
}

function describeKind(message: SignedThreadMessage['message']): string {
  return message.type === 'EndProposal'
    ? labels.end.offered(formatShare(BigInt(message.payload.workerBps)))
    : labels.kinds[message.type]
}

export const formatShare = (bps: bigint | number): string => `${Number(bps) / 100} %`

function MessageBody({ of: { type, payload } }: { of: SignedThreadMessage['message'] }) {
  switch (type) {
    case 'Application':
      return <Claims of={payload} />
    case 'Permit':
    case 'Brief':
    case 'EndProposal':
      return null
    case 'Decline':
      return payload.reason === undefined ? null : <Text>{payload.reason}</Text>
    default:
      return <Text>{payload.text}</Text>
  }
}

const Text = ({ children }: { children: string }) => (
  <p className="talk-text" dir="auto">
    {sanitizeText(children)}
  </p>
)

/** What an applicant says about themselves. */
export function Claims({
  of: { claims, links = [], amountTokWei, durationSeconds },
}: {
  of: {
    claims: readonly string[]
    links?: readonly string[] | undefined
    amountTokWei?: string | undefined
    durationSeconds?: number | undefined
  }
}) {
  const price = amountTokWei === undefined ? null : formatShort(BigInt(amountTokWei), 'tok')
  const time = durationSeconds === undefined ? null : formatTimeSpan(durationSeconds)
  return (
    <>
      {(price ?? time) && <p className="small">{labels.apply.wishes(price, time)}</p>}
      <ul className="talk-claims">
        {claims.map((claim) => (
          <li key={claim} dir="auto">
            {sanitizeText(claim)}
          </li>
        ))}
      </ul>
      {links.length > 0 && (
        <ul className="stack tight small" aria-label={labels.links}>
          {links.map((url) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
                {sanitizeText(url)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface ComposerProps {
  task: TaskDetailJson
  talk: TaskTalk
  subject: ThreadSubject
  /** Undefined before the first message. */
  thread: TalkThread | undefined
}

/** Answers the oldest open question of the other side, or asks one. */
export function Composer({ task, talk, subject, thread }: ComposerProps) {
  const [typed, setTyped] = useState('')
  const { isBusy, problem, run } = useSending()
  const asked = thread?.status.open.find(
    ({ side, type }) => side === thread.me && (type === 'Question' || type === 'AccessRequest'),
  )
  const isAnswered = thread?.thread.messages.some(({ message }) => message.sender !== subject[thread.me]) ?? false
  const text = normalizeText(typed)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (text === '') return
    const isSent = await run(() =>
      talk.send(async ({ write }) => {
        const { compareSides } = await loadTalkEngine()
        return asked
          ? write(subject, 'Answer', { text, answers: asked.hash }, compareSides(task, subject))
          : write(subject, 'Question', { text }, compareSides(task, subject))
      }),
    )
    if (isSent) setTyped('')
  }
  return (
    <form className="stack tight" onSubmit={(event) => void send(event)}>
      <TextArea
        label={asked ? labels.compose.answer : labels.compose.question}
        help={isAnswered || asked ? undefined : labels.compose.limit}
        error={problem}
        rows={3}
        maxLength={maxText}
        value={typed}
        onChange={setTyped}
      />
      <div>
        <Button type="submit" busy={isBusy} disabled={text === ''}>
          {asked ? labels.compose.reply : labels.compose.ask}
        </Button>
      </div>
    </form>
  )
}
