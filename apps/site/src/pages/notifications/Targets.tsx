import { Outcome, useTask } from '../../notify/Outcome.tsx'
import { type SubscriptionRow, useSubscriptions } from '../../notify/useNotifier.ts'
import { notificationsText as words } from '../../text/notifications.ts'
import { Button } from '../../ui/Button.tsx'

interface TargetsProps {
  subscriptions: readonly SubscriptionRow[]
  /** All kinds of notifications. */
  kinds: readonly string[]
}

/** Where notifications go now, and which. */
export function Targets({ subscriptions, kinds }: TargetsProps) {
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

interface TargetProps {
  subscription: SubscriptionRow
  allKinds: readonly string[]
}

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
          {words.targets.when}
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
