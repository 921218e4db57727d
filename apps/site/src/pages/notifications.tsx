import { sanitizeText } from '@svc/protocol'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Outcome, useTask } from '../notify/Outcome.tsx'
import { SignInNotice } from '../notify/SignInNotice.tsx'
import { canPush, subscribeBrowser } from '../notify/subscribeBrowser.ts'
import {
  type SearchRow,
  type SubscriptionRow,
  useNotifier,
  useNotifierUrl,
  useSubscriptions,
  useVerification,
} from '../notify/useNotifier.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { RequireWallet } from '../parts/RequireWallet.tsx'
import { Link, setQuery as setUrlQuery, useLocation } from '../router.tsx'
import { notificationsText as words } from '../text/notifications.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useMarket } from '../useMarket.ts'
import '../style/settings.css'
import '../style/notifications.css'

/** Where the notifications of the wallet go. */
export function NotificationsPage() {
  const baseUrl = useNotifierUrl()
  return (
    <>
      <PageHead title={words.title} says={words.says} hasMarket={false} />
      {baseUrl === undefined && <Skeleton lines={6} />}
      {baseUrl === null && <Note>{words.none}</Note>}
      {baseUrl && (
        <>
          <Verification baseUrl={baseUrl} />
          <RequireWallet says={words.connect}>{() => <Settings />}</RequireWallet>
        </>
      )}
    </>
  )
}

/** What the link in the first e-mail leads to. A visit alone does nothing: scanners of mail open every link. */
function Verification({ baseUrl }: { baseUrl: string }) {
  const token = useLocation().searchParams.get('verify')
  const confirm = useVerification(baseUrl)
  const { says, problem, isBusy, run } = useTask()
  if (!token && !says) return null
  const verify = () =>
    run(async () => {
      await confirm(token ?? '')
      setUrlQuery({ verify: null }, { replace: true })
      return words.verify.done
    })
  return (
    <section className="card pad stack verification">
      {says ? (
        <Note tone="good">{says}</Note>
      ) : (
        <>
          <h2>{words.verify.title}</h2>
          <p className="small soft">{words.verify.says}</p>
          <Note tone="loss">{problem}</Note>
          <div>
            <Button look="primary" busy={isBusy} onClick={() => void verify()}>
              {words.verify.button}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

function Settings() {
  const { isReady, isKnown } = useNotifier()
  const { found } = useSubscriptions()
  if (!isKnown) return <Skeleton lines={6} />
  if (!isReady) {
    return (
      <div className="card pad">
        <SignInNotice />
      </div>
    )
  }
  return (
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
  )
}

function Targets({ subscriptions, kinds }: { subscriptions: readonly SubscriptionRow[]; kinds: readonly string[] }) {
  const { change } = useSubscriptions()
  const { says, problem, isBusy, run } = useTask()
  const removeAll = () =>
    run(async () => {
      await change((notifier) => notifier.removeSubscriptions({}))
      return words.targets.removed
    })
  return (
    <section className="storage">
      <div className="stack tight">
        <h2>{words.targets.title}</h2>
        <p className="small soft">{words.targets.says}</p>
      </div>
      {subscriptions.length === 0 && <p className="small">{words.targets.empty}</p>}
      <ul>
        {subscriptions.map((each) => (
          <Target key={each.id} subscription={each} allKinds={kinds} />
        ))}
      </ul>
      {subscriptions.length > 0 && (
        <div>
          <Button size="small" look="danger" busy={isBusy} onClick={() => void removeAll()}>
            {words.targets.removeAll}
          </Button>
        </div>
      )}
      <Outcome says={says} problem={problem} />
    </section>
  )
}

const tones = { active: 'pill good', unverified: 'pill turn', gone: 'pill loss' } as const

function Target({ subscription, allKinds }: TargetProps) {
  const { id, channel, target, status, kinds, isSecond, problem: last } = subscription
  const { change } = useSubscriptions()
  const { says, problem, isBusy, run } = useTask()
  const test = () =>
    run(async () => {
      const { sent, problem } = await change((notifier) => notifier.testSubscription({ id }))
      if (!sent) throw new Error(problem ?? '')
      return words.targets.tested
    })
  const remove = () => run(() => change((notifier) => notifier.removeSubscription({ id })).then(() => null))
  const choose = (choice: { kinds?: string[] | null; isSecond?: boolean }) =>
    run(() => change((notifier) => notifier.changeSubscription({ id, kinds, isSecond, ...choice })).then(() => null))
  return (
    <li className="target">
      <div className="stack tight">
        <span className="row wrapping">
          <strong>{words.targets.channels[channel]}</strong>
          <span className="target-name">{target}</span>
          <span className={tones[status]}>{words.targets.status[status]}</span>
        </span>
        <label className="small soft">
          {words.targets.when}{' '}
          <select
            className="input"
            disabled={isBusy}
            value={isSecond ? 'second' : 'all'}
            onChange={(event) => void choose({ isSecond: event.target.value === 'second' })}
          >
            <option value="all">{words.targets.all}</option>
            <option value="second">{words.targets.second}</option>
          </select>
        </label>
        <KindChoice
          kinds={kinds}
          allKinds={allKinds}
          disabled={isBusy}
          onChoose={(each) => void choose({ kinds: each })}
        />
        {last && <span className="small loss-text">{last}</span>}
      </div>
      <div className="row wrapping">
        <Button size="small" disabled={status !== 'active'} busy={isBusy} onClick={() => void test()}>
          {words.targets.test}
        </Button>
        <Button size="small" look="quiet" disabled={isBusy} onClick={() => void remove()}>
          {words.targets.remove}
        </Button>
      </div>
      <Outcome says={says} problem={problem} />
    </li>
  )
}

interface TargetProps {
  subscription: SubscriptionRow
  allKinds: readonly string[]
}

interface KindChoiceProps {
  /** Null for all. */
  kinds: readonly string[] | null
  allKinds: readonly string[]
  disabled: boolean
  onChoose: (kinds: string[] | null) => void
}

/** Which kinds of notifications a target gets. */
function KindChoice({ kinds, allKinds, disabled, onChoose }: KindChoiceProps) {
  const chosen = new Set(kinds ?? allKinds)
  const toggle = (kind: string) => {
    const next = allKinds.filter((each) => chosen.has(each) !== (each === kind))
    onChoose(next.length === allKinds.length ? null : next)
  }
  return (
    <details className="small soft">
      <summary>{words.targets.kinds(chosen.size, allKinds.length)}</summary>
      <fieldset className="kinds" disabled={disabled}>
        <legend className="visually-hidden">{words.targets.when}</legend>
        {allKinds.map((kind) => (
          <label key={kind}>
            <input type="checkbox" checked={chosen.has(kind)} onChange={() => toggle(kind)} />
            {words.kinds[kind] ?? kind}
          </label>
        ))}
      </fieldset>
    </details>
  )
}

/** Searches whose new tasks are notifications, and a form for a simple one. */
function SavedSearches({ searches }: { searches: readonly SearchRow[] }) {
  const { change } = useSubscriptions()
  const market = useMarket()
  const [name, setName] = useState('')
  const [query, setQuery] = useState('')
  const { says, problem, isBusy, run } = useTask()
  const save = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const search = new URLSearchParams({ market, q: query }).toString()
      await change((notifier) => notifier.saveSearch({ name, search }))
      setName('')
      setQuery('')
      return null
    })
  }
  const remove = (id: string) => run(() => change((notifier) => notifier.removeSearch({ id })).then(() => null))
  const texts = words.searches
  return (
    <Section title={texts.title} says={searches.length === 0 ? `${texts.says} ${texts.empty}` : texts.says}>
      <div className="stack">
        <ul className="searches">
          {searches.map(({ id, name, search }) => (
            <li key={id} className="row wrapping">
              <Link href={`/tasks?${search}`} dir="auto">
                {sanitizeText(name)}
              </Link>
              <Button
                size="small"
                look="quiet"
                disabled={isBusy}
                aria-label={texts.remove(sanitizeText(name))}
                onClick={() => void remove(id)}
              >
                {words.targets.remove}
              </Button>
            </li>
          ))}
        </ul>
        <form className="target-form searching" onSubmit={save}>
          <TextField label={texts.name} required maxLength={80} value={name} onChange={setName} />
          <TextField label={texts.words} help={texts.help} required maxLength={200} value={query} onChange={setQuery} />
          <Button type="submit" busy={isBusy}>
            {texts.button}
          </Button>
        </form>
        <Outcome says={says} problem={problem} />
      </div>
    </Section>
  )
}

function AddEmail({ isSetUp }: { isSetUp: boolean }) {
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

function AddBrowser({ pushKey }: { pushKey: string | null }) {
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

function AddWebhook({ isSetUp }: { isSetUp: boolean }) {
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
    <Section title={words.calendar.title} says={words.calendar.says}>
      <Button busy={isBusy} onClick={() => void create()}>
        {words.calendar.button}
      </Button>
      <Outcome says={null} problem={problem} />
      {url && (
        <Note tone="turn">
          <p>{words.calendar.created}</p>
          <p className="code secret calendar">{url}</p>
        </Note>
      )}
    </Section>
  )
}

const Section = ({ title, says, children }: { title: string; says: string | null; children: ReactNode }) => (
  <section>
    <div className="stack tight">
      <h2>{title}</h2>
      {says && <p className="small soft">{says}</p>}
    </div>
    {children}
  </section>
)
