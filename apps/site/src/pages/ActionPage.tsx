import { actionList, findAction } from '@svc/protocol/actions'
import { ActionForm } from '../actions/ActionForm.tsx'
import { MarketChoice, useMarket } from '../parts/MarketChoice.tsx'
import { Link, useLocation } from '../router.tsx'

/** The form of any action by name. Query parameters prefill its inputs. */
export function ActionPage({ name }: { name: string }) {
  const market = useMarket()
  const { searchParams } = useLocation()
  const action = findAction(name)
  if (!action) {
    return (
      <>
        <h1>What can be done here</h1>
        <ul>
          {actionList.map((each) => (
            <li key={each.name}>
              <Link href={`/do/${each.name}`}>{each.title}</Link>: {each.explain}
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
      <h1>{action.title}</h1>
      <p>{action.explain}</p>
      {'market' in action.input.shape && <MarketChoice />}
      <ActionForm key={`${name}${market}`} name={name} known={known} />
    </>
  )
}
