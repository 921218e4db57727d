import { useState } from 'react'
import { Outcome, useTask } from '../notify/Outcome.tsx'
import { RequireSession } from '../notify/SignInNotice.tsx'
import { useNotifierUrl, useSubscriptions, useVerification } from '../notify/useNotifier.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { RequireWallet } from '../parts/RequireWallet.tsx'
import { setQuery, useLocation } from '../router.tsx'
import { notificationsText as labels } from '../text/notifications.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { AddBrowser, AddEmail, AddWebhook } from './notifications/AddTargets.tsx'
import { SavedSearches } from './notifications/SavedSearches.tsx'
import { Section } from './notifications/Section.tsx'
import { Targets } from './notifications/Targets.tsx'
import '../style/settings.css'
import '../style/notifications.css'

/** Where the notifications of the wallet go. */
export function NotificationsPage() {
  const baseUrl = useNotifierUrl()
  return (
    <>
      <PageHead title={labels.title} description={labels.description} hasMarket={false} />
      {baseUrl === undefined && <Skeleton lines={6} />}
      {baseUrl === null && <Note>{labels.none}</Note>}
      {baseUrl && (
        <>
          <Verification baseUrl={baseUrl} />
          <RequireWallet description={labels.connect}>{() => <Settings />}</RequireWallet>
        </>
      )}
    </>
  )
}

/** What the link in the first e-mail leads to. A visit alone does nothing: scanners of mail open every link. */
function Verification({ baseUrl }: { baseUrl: string }) {
  const token = useLocation().searchParams.get('verify')
  const confirm = useVerification(baseUrl)
  const { message, problem, isBusy, run } = useTask()
  if (!token && !message) return null
  const verify = () =>
    run(async () => {
      await confirm(token ?? '')
      setQuery({ verify: null }, { replace: true })
      return labels.verify.done
    })
  return (
    <section className="card pad stack verification">
      {message ? (
        <Note tone="good">{message}</Note>
      ) : (
        <>
          <h2>{labels.verify.title}</h2>
          <p className="small soft">{labels.verify.description}</p>
          <Note tone="loss">{problem}</Note>
          <div>
            <Button look="primary" busy={isBusy} onClick={() => void verify()}>
              {labels.verify.button}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

function Settings() {
  const { found } = useSubscriptions()
  return (
    <RequireSession lines={6}>
      {() => (
        <QueryView of={found}>
          {({ subscriptions, searches, channels, kinds, pushKey }) => (
            <div className="card settings">
              <Targets subscriptions={subscriptions} kinds={kinds} />
              <AddEmail isSetUp={channels.includes('email')} />
              <AddBrowser pushKey={pushKey} />
              <AddWebhook isSetUp={channels.includes('webhook')} />
              <SavedSearches searches={searches} />
              <Calendar />
            </div>
          )}
        </QueryView>
      )}
    </RequireSession>
  )
}

function Calendar() {
  const { change } = useSubscriptions()
  const [url, setUrl] = useState<string | null>(null)
  const { problem, isBusy, run } = useTask()
  const create = () =>
    run(async () => {
      setUrl((await change((notifier) => notifier.createCalendar({}))).url)
      return null
    })
  return (
    <Section title={labels.calendar.title} description={labels.calendar.description}>
      <Button busy={isBusy} onClick={() => void create()}>
        {labels.calendar.button}
      </Button>
      <Outcome message={null} problem={problem} />
      {url && (
        <Note tone="turn">
          <p>{labels.calendar.created}</p>
          <p className="code secret calendar">{url}</p>
        </Note>
      )}
    </Section>
  )
}
