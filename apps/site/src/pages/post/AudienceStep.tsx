import { text } from '../../text/post.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useMarket } from '../../useMarket.ts'
import { useStore } from '../../work/useStore.ts'
import { getDefaults } from './draft.ts'
import type { StepProps } from './step.ts'

const words = text.audience
const policies = [
  ['ANYONE', words.anyone, words.anyoneHelp],
  ['PERMIT', words.permit, words.permitHelp],
] as const

/** Who may claim the task, and how long everything takes. */
export function AudienceStep({ draft, change, problems }: StepProps) {
  const market = useMarket()
  const defaults = getDefaults(market)
  const store = useStore(market)
  const numbers = [
    ['claimDays', words.claimDays, undefined, defaults.claimDays],
    ['reviewHours', words.reviewHours, words.reviewHelp, defaults.reviewHours],
    ['revisions', words.revisions, words.revisionsHelp, defaults.revisions],
  ] as const
  const wallets = [
    ['arbitrator', words.arbitrator, words.arbitratorHelp],
    ['store', words.store, words.storeHelp],
  ] as const
  const hasWallets = !draft.usesStore || wallets.some(([name]) => draft[name] !== '')
  return (
    <>
      <fieldset className="options">
        <legend className="visually-hidden">{words.who}</legend>
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
      </fieldset>
      <div className="three-fields">
        {numbers.map(([name, label, help, value]) => (
          <TextField
            key={name}
            label={label}
            help={[help, words.defaultIs(value)].filter(Boolean).join(' ')}
            error={problems[name]}
            inputMode="decimal"
            placeholder={String(value)}
            value={draft[name]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </div>
      <details className="stack" open={hasWallets || undefined}>
        <summary>{words.more}</summary>
        <div className="stack">
          {store && (
            <label className="option">
              <input
                type="checkbox"
                checked={draft.usesStore}
                onChange={({ target }) => change({ usesStore: target.checked })}
              />
              <span className="stack tight">
                <strong>{words.usesStore}</strong>
                <span className="small soft">{words.usesStoreHelp}</span>
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
        </div>
      </details>
    </>
  )
}
