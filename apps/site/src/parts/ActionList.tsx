import { findAction } from '@svc/protocol/actions'
import { useState } from 'react'
import { ActionForm } from '../actions/ActionForm.tsx'
import { useMarket } from './MarketChoice.tsx'

/** A list of actions, each with its form. */
export function ActionList({
  names,
  start = {},
}: {
  names: readonly string[]
  start?: Readonly<Record<string, string>>
}) {
  const market = useMarket()
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <ul className="steps-list">
      {names.map((name) => (
        <li key={name}>
          <button
            type="button"
            aria-expanded={chosen === name}
            onClick={() => setChosen(chosen === name ? null : name)}
          >
            {findAction(name)?.verb}
          </button>
          {chosen === name && <ActionForm key={market} name={name} known={{ market }} start={start} />}
        </li>
      ))}
    </ul>
  )
}
