import { actions } from '@svc/protocol/actions'
import { ActionForm } from '../actions/ActionForm.tsx'
import { actionOf } from '../actions/fields.ts'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { Link, usePlace } from '../router.tsx'

/** Any action of the table by its name, with what the link knows of its input. */
export function DoPage({ name }: { name: string }) {
  const market = useMarket()
  const { searchParams } = usePlace()
  const action = actionOf(name)
  if (!action) {
    return (
      <>
        <h1>What can be done here</h1>
        <ul>
          {actions.map((each) => (
            <li key={each.name}>
              <Link href={`/do/${each.name}`}>{each.summary}</Link>
            </li>
          ))}
        </ul>
      </>
    )
  }
  const given = Object.fromEntries([...searchParams].filter(([part]) => part in action.input.shape))
  const known = 'market' in action.input.shape ? { ...given, market } : given
  return (
    <>
      <h1>{name.replaceAll('-', ' ')}</h1>
      {'market' in action.input.shape && <MarketChoice />}
      <ActionForm key={`${name}${market}`} name={name} known={known} />
    </>
  )
}
