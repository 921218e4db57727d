import { normalizeText } from '@svc/protocol/internal/base'
import type { ThreadSubject } from '@svc/protocol/talk'
import { type FormEvent, useState } from 'react'
import { talkText } from '../text/talk.ts'
import { Button } from '../ui/Button.tsx'
import { TextArea, TextField } from '../ui/TextField.tsx'
import { useSending } from './useSending.ts'
import type { TaskTalk } from './useTalk.ts'

const labels = talkText.apply
const maxClaims = 16
const maxText = 2_000

/** Applies for a task whose poster chooses. */
export function ApplyForm({ talk, subject }: { talk: TaskTalk; subject: ThreadSubject }) {
  const [typed, setTyped] = useState('')
  const [link, setLink] = useState('')
  const { isBusy, problem, run } = useSending()
  const claims = typed
    .split('\n')
    .map(normalizeText)
    .filter((line) => line !== '')
    .slice(0, maxClaims)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const links = link.trim() === '' ? {} : { links: [link.trim()] }
    void run(() => talk.send(({ write }) => write(subject, 'Application', { claims, ...links })))
  }
  return (
    <form className="card pad stack" onSubmit={send}>
      <h3>{labels.title}</h3>
      <p className="small soft">{labels.description}</p>
      <TextArea
        label={labels.claims}
        help={labels.claimsHelp}
        error={problem}
        rows={4}
        maxLength={maxText}
        value={typed}
        onChange={setTyped}
      />
      <TextField label={labels.link} help={labels.linkHelp} type="url" value={link} onChange={setLink} />
      <div>
        <Button type="submit" look="primary" busy={isBusy} disabled={claims.length === 0}>
          {labels.button}
        </Button>
      </div>
    </form>
  )
}
