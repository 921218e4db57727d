import { actionList, findAction, listInputFields } from '@svc/protocol/actions'
import { ActionForm } from '../actions/ActionForm.tsx'
import type { PageProps } from '../pageProps.ts'
import { NotFound } from '../parts/NotFound.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { Link, useLocation } from '../router.tsx'
import { actionGroups, actionsText as labels } from '../text/actions.ts'
import { useMarket } from '../useMarket.ts'
import '../style/catalogue.css'

/** Every action, or the form of one of them. Query parameters prefill its inputs. */
export function ActionsPage({ params: { action: name = '' } }: PageProps) {
  if (name === '') return <Catalogue />
  return <ActionPage name={name} />
}

function Catalogue() {
  const listed = new Set(Object.values(actionGroups).flat())
  // Swaps are offered where there is TOK to buy or to sell, not as a form.
  const others = actionList.filter(({ name, swap }) => !listed.has(name) && !swap).map(({ name }) => name)
  const groups = [...Object.entries(actionGroups), ['other', others] as const] as [
    keyof typeof labels.groups,
    readonly string[],
  ][]
  return (
    <>
      <PageHead title={labels.title} description={labels.description} hasMarket={false} />
      <div className="catalogue">
        {groups.map(
          ([group, names]) =>
            names.length > 0 && (
              <section key={group} className="panel">
                <h2>{labels.groups[group]}</h2>
                <ul className="card rows">
                  {names.map((name) => (
                    <li key={name}>
                      <Link className="row-link" href={`/do/${name}`}>
                        {findAction(name)?.title}
                      </Link>
                      <p className="small soft">{findAction(name)?.explain}</p>
                    </li>
                  ))}
                </ul>
              </section>
            ),
        )}
      </div>
    </>
  )
}

function ActionPage({ name }: { name: string }) {
  const market = useMarket()
  const { searchParams } = useLocation()
  const action = findAction(name)
  if (!action) return <NotFound />
  const given = Object.fromEntries([...searchParams].filter(([part]) => part in action.input.shape))
  const hasMarket = 'market' in action.input.shape
  const known = hasMarket ? { ...given, market } : given
  const optional = listInputFields(action).flatMap(({ name: part, isOptional }) => (isOptional ? [part] : []))
  return (
    <>
      <p className="small">
        <Link href="/do">{labels.back}</Link>
      </p>
      <PageHead title={action.title} hasMarket={hasMarket} />
      <div className="card pad action-page">
        <ActionForm key={`${name}${market}`} name={name} known={known} offered={optional} />
      </div>
    </>
  )
}
