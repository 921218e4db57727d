import type { TaskDetailJson } from '@svc/client'
import type { TalkThread } from '@svc/work'
import { AddressLink } from '../parts/AddressLink.tsx'
import { talkText as labels } from '../text/talk.ts'
import { Worth } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { formatTimeSpan } from '../ui/formatMoment.ts'
import { Note } from '../ui/Note.tsx'
import { getFirstName, useName } from '../usePerson.ts'
import { Claims } from './ThreadView.tsx'
import { useSending } from './useSending.ts'
import { loadTalkEngine, type TaskTalk } from './useTalk.ts'

interface ApplicantsProps {
  task: TaskDetailJson
  talk: TaskTalk
  threads: readonly TalkThread[]
  onOpen: (wallet: string) => void
}

/** Those who applied, side by side with their records. The poster chooses one. */
export function Applicants({ task, talk, threads, onOpen }: ApplicantsProps) {
  const applied = threads.filter(({ status }) => status.application !== null)
  if (applied.length === 0) return null
  return (
    <section className="stack">
      <h2 className="section-title">{labels.applicants(applied.length)}</h2>
      <ul className="applicants">
        {applied.map((thread, index) => (
          <Applicant
            key={thread.thread.subject.other}
            task={task}
            talk={talk}
            of={thread}
            isFirst={index === 0}
            onOpen={onOpen}
          />
        ))}
      </ul>
      <p className="small soft">{labels.applicantsSays}</p>
    </section>
  )
}

interface ApplicantProps extends Pick<ApplicantsProps, 'task' | 'talk' | 'onOpen'> {
  of: TalkThread
  /** Only one of many buttons stands out. */
  isFirst: boolean
}

function Applicant({ task, talk, of: { thread, status }, isFirst, onOpen }: ApplicantProps) {
  const { subject } = thread
  const name = useName(subject.other)
  const { isBusy, problem, run } = useSending()
  const application = status.application?.message
  const choose = () =>
    run(() =>
      talk.send(async ({ choose, mailbox }, provider) => {
        const { computeChosenDigest, createWalletSigning } = await loadTalkEngine()
        const digest = computeChosenDigest(task, subject.other)
        return choose(subject, digest, createWalletSigning(provider, mailbox.wallet))
      }),
    )
  const decline = () => run(() => talk.send(({ write }) => write(subject, 'Decline', {})))
  return (
    <li className="card pad">
      <div className="row between wrapping">
        <AddressLink of={subject.other} market={task.market} isTall />
        {application?.type === 'Application' && <Wishes of={application.payload} task={task} />}
      </div>
      {application?.type === 'Application' && (
        <Claims of={{ claims: application.payload.claims, links: application.payload.links }} />
      )}
      <Note tone="loss">{problem}</Note>
      {status.permit ? (
        <p className="small">{labels.chose}</p>
      ) : (
        <p className="row wrapping">
          <Button
            look={isFirst ? 'primary' : 'plain'}
            size="small"
            busy={isBusy}
            title={labels.chooseSays}
            onClick={() => void choose()}
          >
            {labels.choose(name && getFirstName(name))}
          </Button>
          <Button size="small" look="quiet" onClick={() => onOpen(subject.other)}>
            {labels.answer}
          </Button>
          <Button size="small" look="quiet" disabled={isBusy} onClick={() => void decline()}>
            {labels.decline}
          </Button>
        </p>
      )}
    </li>
  )
}

/** What the applicant asks for: their own price and time, or those of the task. */
function Wishes({
  of: { amountTokWei, durationSeconds },
  task,
}: {
  of: { amountTokWei?: string | undefined; durationSeconds?: number | undefined }
  task: TaskDetailJson
}) {
  return (
    <p className="applicant-asks">
      <strong>
        <Worth of={amountTokWei ?? task.totalAmountTokWei} />
      </strong>
      <span className="tiny soft">
        {durationSeconds === undefined
          ? amountTokWei === undefined && labels.asPosted
          : labels.inTime(formatTimeSpan(durationSeconds))}
      </span>
    </p>
  )
}
