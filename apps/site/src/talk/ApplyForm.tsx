import { parseAmount, parseDuration } from '@svc/protocol'
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
  const [price, setPrice] = useState('')
  const [days, setDays] = useState('')
  const { isBusy, problem, run } = useSending()
  const claims = typed
    .split('\n')
    .map(normalizeText)
    .filter((line) => line !== '')
    .slice(0, maxClaims)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const links = link.trim() === '' ? {} : { links: [link.trim()] }
    void run(() => {
      const wish = {
        ...(price.trim() !== '' && { amountTokWei: parseAmount(price, 'tok') }),
        ...(days.trim() !== '' && { durationSeconds: BigInt(parseDuration(`${days.trim()} days`)) }),
      }
      return talk.send(({ write }) => write(subject, 'Application', { claims, ...links, ...wish }))
    })
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
      <div className="row wrapping">
        <TextField label={labels.price} help={labels.asPosted} value={price} onChange={setPrice} />
        <TextField label={labels.days} help={labels.asPosted} value={days} onChange={setDays} />
      </div>
      <TextField label={labels.link} help={labels.linkHelp} type="url" value={link} onChange={setLink} />
      <div>
        <Button type="submit" look="primary" busy={isBusy} disabled={claims.length === 0}>
          {labels.button}
        </Button>
      </div>
    </form>
  )
}
