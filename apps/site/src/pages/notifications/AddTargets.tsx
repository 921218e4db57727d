import { type FormEvent, useState } from 'react'
import { Outcome, useTask } from '../../notify/Outcome.tsx'
import { canPush, subscribeBrowser } from '../../notify/subscribeBrowser.ts'
import { useSubscriptions } from '../../notify/useNotifier.ts'
import { notificationsText as labels } from '../../text/notifications.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Section } from './Section.tsx'

/** A form for an e-mail address. It counts once its owner has opened the link in the first e-mail. */
export function AddEmail({ isSetUp }: { isSetUp: boolean }) {
  const { change } = useSubscriptions()
  const [address, setAddress] = useState('')
  const { message, problem, isBusy, run } = useTask()
  const add = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const { status } = await change((notifier) => notifier.addEmail({ address }))
      setAddress('')
      return status === 'active' ? labels.email.known : labels.email.sent
    })
  }
  return (
    <Section title={labels.email.title} description={isSetUp ? null : labels.notSetUp}>
      {isSetUp && (
        <form className="target-form" onSubmit={add}>
          <TextField
            label={labels.email.label}
            help={labels.email.help}
            type="email"
            autoComplete="email"
            required
            maxLength={254}
            value={address}
            onChange={setAddress}
          />
          <Button type="submit" busy={isBusy}>
            {labels.email.button}
          </Button>
        </form>
      )}
      <Outcome message={message} problem={problem} />
    </Section>
  )
}

/** A button for push messages to this browser. */
export function AddBrowser({ pushKey }: { pushKey: string | null }) {
  const { change } = useSubscriptions()
  const { message, problem, isBusy, run } = useTask()
  const add = () =>
    run(async () => {
      const subscription = await subscribeBrowser(pushKey ?? '')
      await change((notifier) => notifier.addPush(subscription))
      return labels.push.done
    })
  const hint = pushKey === null ? labels.notSetUp : canPush() ? labels.push.description : labels.push.unsupported
  return (
    <Section title={labels.push.title} description={hint}>
      {pushKey !== null && canPush() && (
        <Button busy={isBusy} onClick={() => void add()}>
          {labels.push.button}
        </Button>
      )}
      <Outcome message={message} problem={problem} />
    </Section>
  )
}

/** A form for a webhook. Its secret is shown once. */
export function AddWebhook({ isSetUp }: { isSetUp: boolean }) {
  const { change } = useSubscriptions()
  const [url, setUrl] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const { problem, isBusy, run } = useTask()
  const add = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const added = await change((notifier) => notifier.addWebhook({ url }))
      setSecret(added.secret)
      setUrl('')
      return null
    })
  }
  return (
    <Section title={labels.webhook.title} description={isSetUp ? null : labels.notSetUp}>
      {isSetUp && (
        <form className="target-form" onSubmit={add}>
          <TextField
            label={labels.webhook.label}
            help={labels.webhook.help}
            type="url"
            required
            maxLength={2_048}
            value={url}
            onChange={setUrl}
          />
          <Button type="submit" busy={isBusy}>
            {labels.webhook.button}
          </Button>
        </form>
      )}
      <Outcome message={null} problem={problem} />
      {secret && (
        <Note tone="turn">
          <p>{labels.webhook.secret}</p>
          <p className="code secret">{secret}</p>
        </Note>
      )}
    </Section>
  )
}
