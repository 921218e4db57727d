import { useState } from 'react'
import { ActionForm } from '../actions/ActionForm.tsx'
import { actionOf } from '../actions/fields.ts'
import { useMarket } from './MarketChoice.tsx'

/** Actions of a wallet's own business, each with its form. */
export function Deeds({ names, start = {} }: { names: readonly string[]; start?: Readonly<Record<string, string>> }) {
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
            {actionOf(name)?.summary}
          </button>
          {chosen === name && <ActionForm key={market} name={name} known={{ market }} start={start} />}
        </li>
      ))}
    </ul>
  )
}
