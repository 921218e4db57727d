import { Mail } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from '../../router.tsx'
import { text } from '../../text/post.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useMarket } from '../../useMarket.ts'
import { useStore } from '../../work/useStore.ts'
import { getDefaults } from './draft.ts'
import type { StepProps } from './step.ts'

// Few name a judge.
const JudgeWarning = lazy(async () => ({ default: (await import('./JudgeWarning.tsx')).JudgeWarning }))

const labels = text.audience
const policies = [
  ['ANYONE', labels.anyone, labels.anyoneHelp],
  ['PERMIT', labels.permit, labels.permitHelp],
] as const

/** Who may claim the task, and how long everything takes. */
export function AudienceStep({ draft, change, problems }: StepProps) {
  const market = useMarket()
  const defaults = getDefaults(market)
  const store = useStore(market)
  const numbers = [
    ['claimDays', labels.claimDays, undefined, defaults.claimDays],
    ['reviewHours', labels.reviewHours, labels.reviewHelp, defaults.reviewHours],
    ['revisions', labels.revisions, labels.revisionsHelp, defaults.revisions],
  ] as const
  const wallets = [
    ['arbitrator', labels.arbitrator, labels.arbitratorHelp],
    ['store', labels.store, labels.storeHelp],
  ] as const
  const hasWallets = !draft.usesStore || wallets.some(([name]) => draft[name] !== '')
  return (
    <>
      <fieldset className="options three">
        <legend className="visually-hidden">{labels.who}</legend>
        {policies.map(([policy, label, help]) => (
          <label key={policy} className="option">
            <input
              type="radio"
              name="claimPolicy"
              checked={draft.claimPolicy === policy}
              onChange={() => change({ claimPolicy: policy })}
            />
            <span className="stack tight">
              <strong>{label}</strong>
              <span className="small soft">{help}</span>
            </span>
          </label>
        ))}
        <Link className="option" href="/work?tab=offers">
          <Mail size={18} aria-hidden="true" />
          <span className="stack tight">
            <strong>{labels.invite}</strong>
            <span className="small soft">{labels.inviteHelp}</span>
          </span>
        </Link>
      </fieldset>
      <div className="three-fields">
        {numbers.map(([name, label, help, value]) => (
          <TextField
            key={name}
            label={label}
            help={[help, labels.defaultIs(value)].filter(Boolean).join(' ')}
            error={problems[name]}
            inputMode="decimal"
            placeholder={String(value)}
            value={draft[name]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </div>
      <details className="stack" open={hasWallets || undefined}>
        <summary>{labels.more}</summary>
        <div className="stack">
          {store && (
            <label className="option">
              <input
                type="checkbox"
                checked={draft.usesStore}
                onChange={({ target }) => change({ usesStore: target.checked })}
              />
              <span className="stack tight">
                <strong>{labels.usesStore}</strong>
                <span className="small soft">{labels.usesStoreHelp}</span>
              </span>
            </label>
          )}
          {wallets.map(([name, label, help]) => (
            <TextField
              key={name}
              label={label}
              help={help}
              error={problems[name]}
              autoComplete="off"
              spellCheck={false}
              placeholder="0x…"
              value={draft[name]}
              onChange={(value) => change({ [name]: value })}
            />
          ))}
          <Suspense>{draft.arbitrator !== '' && <JudgeWarning draft={draft} />}</Suspense>
        </div>
      </details>
    </>
  )
}
