import type { TaskDetailJson } from '@svc/client'
import type { ThreadSubject } from '@svc/protocol/talk'
import type { TalkThread } from '@svc/work'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { OpenedAction } from '../actions/openedAction.ts'
import { talkText } from '../text/talk.ts'
import { formatShort } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Note } from '../ui/Note.tsx'
import { formatShare } from './ThreadView.tsx'
import { useSending } from './useSending.ts'
import { loadTalkEngine, type TaskTalk } from './useTalk.ts'

const labels = talkText.end

interface EndTogetherProps {
  task: TaskDetailJson
  talk: TaskTalk
  subject: ThreadSubject
  thread: TalkThread | undefined
  onAct: (action: Omit<OpenedAction, 'openedAt'>) => void
}

/** Ends a running task by agreement: one side offers a split, the other signs the same, and either sends both signatures. */
export function EndTogether({ task, talk, subject, thread, onAct }: EndTogetherProps) {
  const [percent, setPercent] = useState(50)
  const { isBusy, problem, run } = useSending()
  const { ends, isEndAgreed = false } = thread?.status ?? {}
  const me = thread?.me
  const mine = me && ends?.[me]
  const theirs = me && ends?.[me === 'poster' ? 'other' : 'poster']
  const ready = useQuery({
    queryKey: [
      { end: task.id, at: thread?.thread.messages.length, state: task.state, milestone: task.currentMilestone },
    ],
    enabled: isEndAgreed && thread !== undefined,
    queryFn: async () => (thread ? (await loadTalkEngine()).findEnd(task, thread) : null),
  })
  const escrow = BigInt(task.fundedTokWei) - BigInt(task.releasedTokWei) - BigInt(task.refundedTokWei)
  const sign = (workerBps: number) =>
    run(() =>
      talk.send(async ({ proposeEnd, mailbox }, provider) => {
        const { findEndPlace, createWalletSigning } = await loadTalkEngine()
        const place = findEndPlace(task)
        if (!place) throw new Error(labels.moved)
        return proposeEnd(subject, workerBps, place, createWalletSigning(provider, mailbox.wallet))
      }),
    )
  const decline = () => run(() => talk.send(({ write }) => write(subject, 'Decline', {}, { sharesTask: true })))
  if (isEndAgreed && mine) {
    const input = ready.data
    return (
      <section className="card pad stack">
        <h3>{labels.title}</h3>
        <p>{labels.agreed(formatShare(mine.workerBps))}</p>
        {input ? (
          <div>
            <Button look="primary" onClick={() => onAct({ name: 'mutual-cancel', title: labels.title, known: input })}>
              {labels.finish}
            </Button>
          </div>
        ) : (
          ready.data === null && <Note tone="turn">{labels.moved}</Note>
        )}
      </section>
    )
  }
  if (theirs) {
    return (
      <section className="card pad stack">
        <h3>{labels.title}</h3>
        <p>{labels.theirs(formatShare(theirs.workerBps))}</p>
        <Split escrow={escrow} bps={Number(theirs.workerBps)} />
        <Note tone="loss">{problem}</Note>
        <p className="row wrapping">
          <Button look="primary" busy={isBusy} onClick={() => void sign(Number(theirs.workerBps))}>
            {labels.accept}
          </Button>
          <Button disabled={isBusy} onClick={() => void decline()}>
            {talkText.decline}
          </Button>
        </p>
      </section>
    )
  }
  const propose = (event: FormEvent) => {
    event.preventDefault()
    void sign(percent * 100)
  }
  return (
    <details className="card pad" open={mine !== undefined}>
      <summary>{labels.title}</summary>
      <form className="stack" onSubmit={propose}>
        <p className="small soft">{labels.description}</p>
        {mine && <Note>{labels.yours(formatShare(mine.workerBps))}</Note>}
        <Field label={`${labels.share}: ${formatShare(percent * 100)}`} error={problem}>
          {(control) => (
            <span className="end-share">
              <input
                {...control}
                className=""
                type="range"
                min={0}
                max={100}
                value={percent}
                onChange={({ target }) => setPercent(Number(target.value))}
              />
            </span>
          )}
        </Field>
        <Split escrow={escrow} bps={percent * 100} />
        <div>
          <Button type="submit" busy={isBusy}>
            {labels.propose}
          </Button>
        </div>
      </form>
    </details>
  )
}

function Split({ escrow, bps }: { escrow: bigint; bps: number }) {
  const worker = (escrow * BigInt(bps)) / 10_000n
  return <p className="small soft">{labels.split(formatShort(worker, 'tok'), formatShort(escrow - worker, 'tok'))}</p>
}
