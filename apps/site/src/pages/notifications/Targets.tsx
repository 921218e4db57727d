import { Outcome, useTask } from '../../notify/Outcome.tsx'
import { type SubscriptionRow, useSubscriptions } from '../../notify/useNotifier.ts'
import { notificationsText as labels } from '../../text/notifications.ts'
import { Button } from '../../ui/Button.tsx'

interface TargetsProps {
  subscriptions: readonly SubscriptionRow[]
  /** All kinds of notifications. */
  kinds: readonly string[]
}

/** Where notifications go now, and which. */
export function Targets({ subscriptions, kinds }: TargetsProps) {
  const { change } = useSubscriptions()
  const { message, problem, isBusy, run } = useTask()
  const removeAll = () =>
    run(async () => {
      await change((notifier) => notifier.removeSubscriptions({}))
      return labels.targets.removed
    })
  return (
    <section className="storage">
      <div className="stack tight">
        <h2>{labels.targets.title}</h2>
        <p className="small soft">{labels.targets.description}</p>
      </div>
      {subscriptions.length === 0 && <p className="small">{labels.targets.empty}</p>}
      <ul>
        {subscriptions.map((each) => (
          <Target key={each.id} subscription={each} allKinds={kinds} />
        ))}
      </ul>
      {subscriptions.length > 0 && (
        <div>
          <Button size="small" look="danger" busy={isBusy} onClick={() => void removeAll()}>
            {labels.targets.removeAll}
          </Button>
        </div>
      )}
      <Outcome message={message} problem={problem} />
    </section>
  )
}

const tones = { active: 'pill good', unverified: 'pill turn', gone: 'pill loss' } as const

interface TargetProps {
  subscription: SubscriptionRow
  allKinds: readonly string[]
}

function Target({ subscription, allKinds }: TargetProps) {
  const { id, channel, target, status, kinds, isSecond, problem: last } = subscription
  const { change } = useSubscriptions()
  const { message, problem, isBusy, run } = useTask()
  const test = () =>
    run(async () => {
      const { sent, problem } = await change((notifier) => notifier.testSubscription({ id }))
      if (!sent) throw new Error(problem ?? '')
      return labels.targets.tested
    })
  const remove = () => run(() => change((notifier) => notifier.removeSubscription({ id })).then(() => null))
  const choose = (choice: { kinds?: string[] | null; isSecond?: boolean }) =>
    run(() => change((notifier) => notifier.changeSubscription({ id, kinds, isSecond, ...choice })).then(() => null))
  return (
    <li className="target">
      <div className="stack tight">
        <span className="row wrapping">
          <strong>{labels.targets.channels[channel]}</strong>
          <span className="target-name">{target}</span>
          <span className={tones[status]}>{labels.targets.status[status]}</span>
        </span>
        <label className="small soft">
          {labels.targets.when}
          <select
            className="input"
            disabled={isBusy}
            value={isSecond ? 'second' : 'all'}
            onChange={(event) => void choose({ isSecond: event.target.value === 'second' })}
          >
            <option value="all">{labels.targets.all}</option>
            <option value="second">{labels.targets.second}</option>
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
          {labels.targets.test}
        </Button>
        <Button size="small" look="quiet" disabled={isBusy} onClick={() => void remove()}>
          {labels.targets.remove}
        </Button>
      </div>
      <Outcome message={message} problem={problem} />
    </li>
  )
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
      <summary>{labels.targets.kinds(chosen.size, allKinds.length)}</summary>
      <fieldset className="kinds" disabled={disabled}>
        <legend className="visually-hidden">{labels.targets.when}</legend>
        {allKinds.map((kind) => (
          <label key={kind}>
            <input type="checkbox" checked={chosen.has(kind)} onChange={() => toggle(kind)} />
            {labels.kinds[kind] ?? kind}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
