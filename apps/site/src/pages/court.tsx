import type { OutputJson } from '@svc/operations'
import { useApi } from '../api.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { describeCourtCase, describeCourtKind, describeCourtWork, courtDeskText as labels } from '../text/courtDesk.ts'
import { spellDuration } from '../text/duration.ts'
import { Address } from '../ui/Address.tsx'
import { Amount } from '../ui/Amount.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { formatEth } from '../ui/formatEth.ts'
import { TimeLeft } from '../ui/Time.tsx'
import { useMarket } from '../useMarket.ts'
import '../style/inbox.css'

type CourtAnswer = OutputJson<'getCourt'>

/** The desk of the final court: who it is, what waits for it, and how it decides. */
export function CourtPage() {
  const found = useApi('getCourt', { market: useMarket() })
  return (
    <>
      <PageHead title={labels.title} description={labels.description} />
      <QueryView of={found}>
        {({ court, cases, total }) => (
          <div className="stack loose">
            <Who court={court} />
            <section className="panel">
              <h2>{labels.cases}</h2>
              {cases.length === 0 ? (
                <p className="card pad soft">{labels.none}</p>
              ) : (
                <>
                  <p className="small soft">{labels.order}</p>
                  <ul className="card rows inbox">
                    {cases.map((each) => (
                      <CaseRow key={each.taskId} of={each} />
                    ))}
                  </ul>
                  {total > cases.length && <p className="small soft">{labels.more(total - cases.length)}</p>}
                </>
              )}
            </section>
            <section className="card pad panel">
              <h2>{labels.decide}</h2>
              <p>{describeCourtWork(court)}</p>
            </section>
          </div>
        )}
      </QueryView>
    </>
  )
}

function Who({ court }: { court: CourtAnswer['court'] }) {
  const { address, windowSeconds, signatures, policy, minBondWei, timeoutSeconds } = court
  return (
    <section className="card pad panel">
      <h2>{labels.who}</h2>
      <p>{describeCourtKind(court)}</p>
      <dl className="facts">
        <dt>{labels.address}</dt>
        <dd>
          <Address of={address} />
        </dd>
        <dt>{labels.time}</dt>
        <dd>{spellDuration(windowSeconds)}</dd>
        {signatures !== null && (
          <>
            <dt>{labels.signatures}</dt>
            <dd>{signatures}</dd>
          </>
        )}
        {minBondWei !== null && timeoutSeconds !== null && (
          <>
            <dt>{labels.bond}</dt>
            <dd>{formatEth(BigInt(minBondWei))}</dd>
            <dt>{labels.stands}</dt>
            <dd>{spellDuration(timeoutSeconds)}</dd>
          </>
        )}
        {policy !== null && (
          <>
            <dt>{labels.rules}</dt>
            <dd>
              <code>{policy}</code>
            </dd>
          </>
        )}
      </dl>
      <p className="small soft">{labels.costs}</p>
    </section>
  )
}

function CaseRow({ of }: { of: CourtAnswer['cases'][number] }) {
  const { taskId, gapTokWei, courtEnd } = of
  return (
    <li className="due">
      <div className="stack tight">
        <h3>{taskId}</h3>
        <p className="small">{describeCourtCase(of)}</p>
      </div>
      <div className="inbox-end">
        <p className="inbox-money">
          <Amount of={gapTokWei} usd /> {labels.moves}
        </p>
        <p className="small inbox-clock">
          <TimeLeft to={courtEnd} over={labels.over} /> {labels.left}
        </p>
        <ButtonLink href={`/tasks/${taskId}?tab=dispute`} look="plain">
          {labels.open}
        </ButtonLink>
      </div>
    </li>
  )
}
