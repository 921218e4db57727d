import { type FormEvent, useState } from 'react'
import { Outcome, useTask } from '../../notify/Outcome.tsx'
import { SignInNotice } from '../../notify/SignInNotice.tsx'
import { useNotifier, useSubscriptions } from '../../notify/useNotifier.ts'
import { RequireWallet } from '../../parts/RequireWallet.tsx'
import { Link } from '../../router.tsx'
import { exploreText } from '../../text/explore.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import '../../style/notifications.css'

const labels = exploreText.save

interface SaveSearchProps {
  /** The query of the API. */
  query: string
  /** A name to start with. */
  name: string
}

/** Saves the search of the page, for a wallet that has signed in. */
export function SaveSearch(props: SaveSearchProps) {
  return <RequireWallet description={labels.connect}>{() => <SignedIn {...props} />}</RequireWallet>
}

function SignedIn(props: SaveSearchProps) {
  const { isReady, isKnown } = useNotifier()
  if (!isKnown) return <Skeleton lines={2} />
  // Another search starts with another name.
  return isReady ? <SaveForm key={props.query} {...props} /> : <SignInNotice />
}

function SaveForm({ query, name: first }: SaveSearchProps) {
  const { change } = useSubscriptions()
  const [name, setName] = useState(first)
  const { message, problem, isBusy, run } = useTask()
  const save = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      await change((notifier) => notifier.saveSearch({ name, search: query }))
      return labels.done
    })
  }
  return (
    <form className="target-form" onSubmit={save}>
      <TextField
        label={labels.name}
        help={labels.description}
        required
        maxLength={80}
        value={name}
        onChange={setName}
        dir="auto"
      />
      <Button type="submit" busy={isBusy}>
        {labels.button}
      </Button>
      <Outcome message={message} problem={problem} />
      {message && (
        <Link className="small" href="/settings/notifications">
          {labels.manage}
        </Link>
      )}
    </form>
  )
}
