import type { TaskDetailJson } from '@svc/client'
import { parseTaskId, sanitizeText } from '@svc/protocol'
import { normalizeText } from '@svc/protocol/internal/base'
import type { SignedThreadMessage, ThreadSubject } from '@svc/protocol/talk'
import type { TalkThread } from '@svc/work'
import { type FormEvent, Fragment, useState } from 'react'
import { type Hex, isHex } from 'viem'
import { talkText as labels } from '../text/talk.ts'
import { Address } from '../ui/Address.tsx'
import { formatShort } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { formatTimeSpan } from '../ui/formatMoment.ts'
import { Note } from '../ui/Note.tsx'
import { TextArea } from '../ui/TextField.tsx'
import { Time } from '../ui/Time.tsx'
import type { AnnouncedBundle } from '../work/engine.ts'
import { SentBundle } from '../work/show/TaskBundle.tsx'
import { DraftFiles } from '../work/write/WorkEditor.tsx'
import type { DraftFile } from '../work/write/workDraft.ts'
import { useReading, useUnread } from './unread.ts'
import { useSendFiles } from './useSendFiles.ts'
import { useSending } from './useSending.ts'
import { loadTalkEngine, type TaskTalk, toWritten } from './useTalk.ts'

/** The most characters of a first message. */
const maxText = 2_000

/** What two wallets said to each other, oldest first. All text is a stranger's and is shown as plain text. */
export function Messages({ of, task, you }: { of: TalkThread; task: TaskDetailJson; you: string }) {
  const {
    thread: { messages },
    waiting,
    misconduct,
  } = of
  const { findFirst } = useUnread()
  // The line stays where it was when the conversation was opened.
  const [firstNew] = useState(() => findFirst(toWritten(of)))
  useReading(toWritten(of))
  const lastOwn = messages.findLast(({ message }) => isFrom(message, you))
  // Every message names the last one of the other side that its author had seen.
  const isLastRead = messages.some(({ message }) => !isFrom(message, you) && message.seen === lastOwn?.hash)
  return (
    <>
      {misconduct.length > 0 && <Note tone="loss">{labels.misconduct}</Note>}
      <ul className="talk-messages">
        {messages.map((signed, index) => (
          <Fragment key={signed.hash}>
            {index === firstNew && (
              <li className="talk-new">
                <span>{labels.fresh}</span>
              </li>
            )}
            <Message of={signed} task={task} you={you} isRead={signed === lastOwn && isLastRead} />
          </Fragment>
        ))}
      </ul>
      {waiting.length > 0 && <p className="small soft">{labels.missing}</p>}
    </>
  )
}

const isFrom = ({ sender }: SignedThreadMessage['message'], you: string): boolean =>
  sender.toLowerCase() === you.toLowerCase()

interface MessageProps {
  of: SignedThreadMessage
  task: TaskDetailJson
  you: string
  isRead: boolean
}

function Message({ of: { message }, task, you, isRead }: MessageProps) {
  const isOwn = isFrom(message, you)
  return (
    <li className={isOwn ? 'talk-message own' : 'talk-message'}>
      <p className="row wrapping tiny soft">
        <Address of={message.sender} you={you} size={18} /> {describeKind(message)}{' '}
        <Time at={Math.floor(Date.parse(message.timestamp) / 1000)} />
        {isRead && <span>· {labels.read}</span>}
      </p>
      {message.type === 'Brief' && isHex(message.payload.hash) ? (
        <SentBundle task={task} reference={describeSent(message, message.payload.hash)} />
      ) : (
        <MessageBody of={message} />
      )}
    </li>
  )
}

/** What a message says of the files that it names. */
const describeSent = (
  { chainId, taskRegistry, taskId, sender }: SignedThreadMessage['message'],
  hash: Hex,
): AnnouncedBundle => ({
  kind: 'brief',
  chainId,
  registry: taskRegistry,
  taskId: parseTaskId(taskId),
  author: sender,
  hash,
})

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
  const [files, setFiles] = useState<readonly DraftFile[]>([])
  const { isBusy, problem, run } = useSending()
  const sendFiles = useSendFiles(task, talk, subject)
  const asked = thread?.status.open.find(
    ({ side, type }) => side === thread.me && (type === 'Question' || type === 'AccessRequest'),
  )
  const isAnswered = thread?.thread.messages.some(({ message }) => message.sender !== subject[thread.me]) ?? false
  const text = normalizeText(typed)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (text === '' && files.length === 0) return
    const isSent = await run(() =>
      sendFiles && files.length > 0
        ? sendFiles({ text, files })
        : talk.send(async ({ write }) => {
            const { compareSides } = await loadTalkEngine()
            return asked
              ? write(subject, 'Answer', { text, answers: asked.hash }, compareSides(task, subject))
              : write(subject, 'Question', { text }, compareSides(task, subject))
          }),
    )
    if (!isSent) return
    setTyped('')
    setFiles([])
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
      {sendFiles && <DraftFiles files={files} onFiles={setFiles} market={task.market} isBusy={isBusy} />}
      <div>
        <Button type="submit" busy={isBusy} disabled={text === '' && files.length === 0}>
          {files.length > 0 ? labels.compose.files : asked ? labels.compose.reply : labels.compose.ask}
        </Button>
      </div>
    </form>
  )
}
