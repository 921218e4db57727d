import type { TaskDetailJson } from '@svc/client'
import type { TalkThread } from '@svc/work'
import { AddressLink } from '../parts/AddressLink.tsx'
import { talkText as labels } from '../text/talk.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
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
      <p className="small soft">{labels.applicantsSays}</p>
      <ul className="applicants">
        {applied.map((thread) => (
          <Applicant key={thread.thread.subject.other} task={task} talk={talk} of={thread} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  )
}

interface ApplicantProps extends Pick<ApplicantsProps, 'task' | 'talk' | 'onOpen'> {
  of: TalkThread
}

function Applicant({ task, talk, of: { thread, status }, onOpen }: ApplicantProps) {
  const { subject } = thread
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
      <AddressLink of={subject.other} market={task.market} />
      {application?.type === 'Application' && <Claims of={application.payload} />}
      <Note tone="loss">{problem}</Note>
      {status.permit ? (
        <p className="small">{labels.chose}</p>
      ) : (
        <p className="row wrapping">
          <Button look="primary" size="small" busy={isBusy} title={labels.chooseSays} onClick={() => void choose()}>
            {labels.choose}
          </Button>
          <Button size="small" disabled={isBusy} onClick={() => void decline()}>
            {labels.decline}
          </Button>
          <Button size="small" look="quiet" onClick={() => onOpen(subject.other)}>
            {labels.open}
          </Button>
        </p>
      )}
    </li>
  )
}
