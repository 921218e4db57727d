import type { TaskDetailJson } from '@svc/client'
import { normalizeText } from '@svc/protocol/internal/base'
import type { ThreadSubject } from '@svc/protocol/talk'
import type { TalkThread } from '@svc/work'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { getAddress, isAddress } from 'viem'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { chainId, contracts } from '../../deployments.ts'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { setQuery, useLocation } from '../../router.tsx'
import { Applicants } from '../../talk/Applicants.tsx'
import { ApplyForm } from '../../talk/ApplyForm.tsx'
import { EndTogether } from '../../talk/EndTogether.tsx'
import { TalkPlaceholder } from '../../talk/TalkPlaceholder.tsx'
import { Composer, Messages } from '../../talk/ThreadView.tsx'
import { UnreadCount } from '../../talk/UnreadCount.tsx'
import { useUnread } from '../../talk/unread.ts'
import { useSending } from '../../talk/useSending.ts'
import { loadTalkEngine, type TaskTalk, toWritten, useTalk } from '../../talk/useTalk.ts'
import { talkText as labels } from '../../text/talk.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Note } from '../../ui/Note.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { Connect } from '../../wallet/Connect.tsx'
import { ActionDialog } from './ActionDialog.tsx'
import { isSameAddress } from './viewer.ts'
import '../../style/page.css'
import '../../style/talk.css'

/** Questions, applications and offers to end the task, between the poster and one other wallet each. */
export function TalkTab({ task }: { task: TaskDetailJson }) {
  const talk = useTalk(task, true)
  const { store, wallet, needsSignIn, threads, waiting } = talk
  // Here, so that it stays open when the task moves on and what opened it is gone.
  const [opened, setOpened] = useState<OpenedAction | null>(null)
  const onAct = (action: Omit<OpenedAction, 'openedAt'>) => setOpened({ ...action, openedAt: Date.now() })
  if (!wallet) {
    return (
      <div className="stack">
        <p className="soft">{labels.connect}</p>
        <div>
          <Connect />
        </div>
      </div>
    )
  }
  if (!store || needsSignIn !== false || !threads) return <TalkPlaceholder {...talk} />
  const isPoster = wallet.toLowerCase() === task.poster.toLowerCase()
  return (
    <div className="stack loose">
      {isPoster ? (
        <PosterTalk task={task} talk={talk} threads={threads} you={wallet} onAct={onAct} />
      ) : (
        <OwnTalk task={task} talk={talk} thread={threads[0]} you={wallet} onAct={onAct} />
      )}
      {waiting.length > 0 && <Note>{labels.waiting}</Note>}
      <p className="tiny faint">{labels.privacy}</p>
      {opened && <ActionDialog key={opened.openedAt} opened={opened} task={task} onClose={() => setOpened(null)} />}
    </div>
  )
}

interface SideProps {
  task: TaskDetailJson
  talk: TaskTalk
  you: string
  onAct: (action: Omit<OpenedAction, 'openedAt'>) => void
}

const buildSubject = (task: TaskDetailJson, other: string): ThreadSubject => ({
  chainId,
  taskRegistry: getAddress(contracts[task.market].taskRegistry),
  taskId: task.id,
  poster: getAddress(task.poster),
  other: getAddress(other),
})

/** The poster talks with many: applicants first, then every conversation. The open one is in the URL. */
function PosterTalk({ task, talk, threads, you, onAct }: SideProps & { threads: readonly TalkThread[] }) {
  const given = useLocation().searchParams.get('with') ?? task.worker
  const chosen = given !== undefined && isAddress(given, { strict: false }) ? getAddress(given) : undefined
  const thread = threads.find(({ thread: { subject } }) => subject.other === chosen)
  const open = (wallet: string) => setQuery({ with: wallet })
  const { count } = useUnread()
  const isOpen = task.worker === undefined
  const subject = chosen && buildSubject(task, chosen)
  return (
    <>
      {isOpen && <Applicants task={task} talk={talk} threads={threads} onOpen={open} />}
      {threads.length === 0 && !subject && <Empty>{labels.empty.poster}</Empty>}
      <div className={subject ? 'talk-split' : undefined}>
        {threads.length > 0 && (
          <section className="stack talk-people">
            <h2 className="section-title">{labels.conversations}</h2>
            <ul className="card rows">
              {threads.map((each) => {
                const {
                  thread: { subject },
                  status,
                  me,
                } = each
                return (
                  <li key={subject.other}>
                    <div className="row between wrapping">
                      <AddressLink of={subject.other} market={task.market} />
                      <span className="row">
                        <UnreadCount of={count(toWritten(each))} />
                        {status.turn !== null && (
                          <span className={status.turn === me || status.turn === 'both' ? 'pill turn' : 'pill'}>
                            {status.turn === me || status.turn === 'both' ? labels.turn.you : labels.turn.them}
                          </span>
                        )}
                        {subject.other !== chosen && (
                          <Button size="small" onClick={() => open(subject.other)}>
                            {labels.open}
                          </Button>
                        )}
                      </span>
                    </div>
                  </li>
                )
              })}
            </ul>
          </section>
        )}
        {subject && (
          <section className="stack">
            <Room key={subject.other} task={task} talk={talk} subject={subject} thread={thread} you={you} />
            {canEnd(task, subject) && (
              <EndTogether task={task} talk={talk} subject={subject} thread={thread} onAct={onAct} />
            )}
          </section>
        )}
      </div>
      {isOpen && task.phase === 'OPEN_FOR_CLAIM' && <InviteForm task={task} talk={talk} onSent={open} />}
    </>
  )
}

/** Anyone else talks with the poster only. */
function OwnTalk({ task, talk, thread, you, onAct }: SideProps & { thread: TalkThread | undefined }) {
  const subject = buildSubject(task, you)
  const { application, permit } = thread?.status ?? {}
  const isAllowed = isSameAddress(task.allowedWorker, you)
  const isApplicable = task.phase === 'OPEN_FOR_CLAIM' && task.claimPolicy === 'PERMIT' && !isAllowed
  return (
    <>
      {isApplicable && permit && thread && <ClaimWithPermit task={task} thread={thread} onAct={onAct} />}
      {isApplicable && !permit && application && <Note>{labels.apply.sent}</Note>}
      {isApplicable && !permit && !application && <ApplyForm talk={talk} subject={subject} />}
      <Room task={task} talk={talk} subject={subject} thread={thread} you={you} />
      {canEnd(task, subject) && <EndTogether task={task} talk={talk} subject={subject} thread={thread} onAct={onAct} />}
    </>
  )
}

interface RoomProps extends Omit<SideProps, 'onAct'> {
  subject: ThreadSubject
  /** Undefined before the first message. */
  thread: TalkThread | undefined
}

/** One conversation: with whom, what was said, and where to write. */
function Room({ task, talk, subject, thread, you }: RoomProps) {
  const other = isSameAddress(subject.poster, you) ? subject.other : subject.poster
  return (
    <div className="card talk-room">
      <h2 className="row wrapping">
        <span className="visually-hidden">{labels.conversationWith}</span>
        <AddressLink of={other} market={task.market} isTall />
      </h2>
      {thread && <Messages of={thread} task={task} you={you} />}
      {!thread && you === subject.other && <p className="soft">{labels.empty.other}</p>}
      <Composer task={task} talk={talk} subject={subject} thread={thread} />
    </div>
  )
}

/** Whether these two are the parties of a task that is not over. */
const canEnd = ({ worker, phase }: TaskDetailJson, { other }: ThreadSubject): boolean =>
  worker?.toLowerCase() === other.toLowerCase() && phase !== 'SETTLED'

function ClaimWithPermit({ task, thread, onAct }: Pick<SideProps, 'task' | 'onAct'> & { thread: TalkThread }) {
  const { data: known } = useQuery({
    queryKey: [{ claim: task.id, at: thread.thread.messages.length }],
    queryFn: async () => (await loadTalkEngine()).findClaim(task, thread),
  })
  if (!known) return null
  return (
    <Note tone="good">
      <p>{labels.chosen}</p>
      <p>
        <Button look="primary" onClick={() => onAct({ name: 'claim-task', title: labels.claim, known })}>
          {labels.claim}
        </Button>
      </p>
    </Note>
  )
}

interface InviteFormProps {
  task: TaskDetailJson
  talk: TaskTalk
  onSent: (wallet: string) => void
}

function InviteForm({ task, talk, onSent }: InviteFormProps) {
  const [wallet, setWallet] = useState('')
  const [typed, setTyped] = useState('')
  const { isBusy, problem, run } = useSending()
  const isValid = isAddress(wallet.trim(), { strict: false })
  const message = normalizeText(typed)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!isValid || message === '') return
    const subject = buildSubject(task, wallet.trim())
    if (await run(() => talk.send(({ write }) => write(subject, 'Invitation', { text: message }))))
      onSent(subject.other)
  }
  return (
    <details className="card pad">
      <summary>{labels.invite.title}</summary>
      <form className="stack" onSubmit={(event) => void send(event)}>
        <TextField
          label={labels.invite.wallet}
          help={labels.invite.walletHelp}
          error={wallet !== '' && !isValid ? labels.invite.wrong : undefined}
          value={wallet}
          onChange={setWallet}
        />
        <TextArea
          label={labels.invite.text}
          error={problem}
          rows={3}
          maxLength={2_000}
          value={typed}
          onChange={setTyped}
        />
        <div>
          <Button type="submit" busy={isBusy} disabled={!isValid || message === ''}>
            {labels.invite.button}
          </Button>
        </div>
      </form>
    </details>
  )
}
