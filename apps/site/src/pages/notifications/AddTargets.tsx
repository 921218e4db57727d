import { type FormEvent, useState } from 'react'
import { Outcome, useTask } from '../../notify/Outcome.tsx'
import { canPush, subscribeBrowser } from '../../notify/subscribeBrowser.ts'
import { useSubscriptions } from '../../notify/useNotifier.ts'
import { notificationsText as words } from '../../text/notifications.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Section } from './Section.tsx'

/** A form for an e-mail address. It counts once its owner has opened the link in the first e-mail. */
export function AddEmail({ isSetUp }: { isSetUp: boolean }) {
  const { change } = useSubscriptions()
  const [address, setAddress] = useState('')
  const { says, problem, isBusy, run } = useTask()
  const add = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const { status } = await change((notifier) => notifier.addEmail({ address }))
      setAddress('')
      return status === 'active' ? words.email.known : words.email.sent
    })
  }
  return (
    <Section title={words.email.title} says={isSetUp ? null : words.notSetUp}>
      {isSetUp && (
        <form className="target-form" onSubmit={add}>
          <TextField
            label={words.email.label}
            help={words.email.help}
            type="email"
            autoComplete="email"
            required
            maxLength={254}
            value={address}
            onChange={setAddress}
          />
          <Button type="submit" busy={isBusy}>
            {words.email.button}
          </Button>
        </form>
      )}
      <Outcome says={says} problem={problem} />
    </Section>
  )
}

/** A button for push messages to this browser. */
export function AddBrowser({ pushKey }: { pushKey: string | null }) {
  const { change } = useSubscriptions()
  const { says, problem, isBusy, run } = useTask()
  const add = () =>
    run(async () => {
      const subscription = await subscribeBrowser(pushKey ?? '')
      await change((notifier) => notifier.addPush(subscription))
      return words.push.done
    })
  const hint = pushKey === null ? words.notSetUp : canPush() ? words.push.says : words.push.unsupported
  return (
    <Section title={words.push.title} says={hint}>
      {pushKey !== null && canPush() && (
        <Button busy={isBusy} onClick={() => void add()}>
          {words.push.button}
        </Button>
      )}
      <Outcome says={says} problem={problem} />
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
    <Section title={words.webhook.title} says={isSetUp ? null : words.notSetUp}>
      {isSetUp && (
        <form className="target-form" onSubmit={add}>
          <TextField
            label={words.webhook.label}
            help={words.webhook.help}
            type="url"
            required
            maxLength={2_048}
            value={url}
            onChange={setUrl}
          />
          <Button type="submit" busy={isBusy}>
            {words.webhook.button}
          </Button>
        </form>
      )}
      <Outcome says={null} problem={problem} />
      {secret && (
        <Note tone="turn">
          <p>{words.webhook.secret}</p>
          <p className="code secret">{secret}</p>
        </Note>
      )}
    </Section>
  )
}
