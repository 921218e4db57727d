import type { OutputJson } from '@svc/operations'
import { hashTaskText, type Market, parseTaskId } from '@svc/protocol'
import { buildCourtBatch } from '@svc/protocol/internal/steps'
import { useState } from 'react'
import { useApi } from '../api.ts'
import { chainId, findAddress } from '../deployments.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { useTaskTitle } from '../parts/useTaskTitle.ts'
import { describeCourtCase, describeCourtKind, describeCourtWork, courtDeskText as labels } from '../text/courtDesk.ts'
import { spellDuration } from '../text/duration.ts'
import { Address } from '../ui/Address.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { formatEth } from '../ui/formatEth.ts'
import { Note } from '../ui/Note.tsx'
import { TextArea } from '../ui/TextField.tsx'
import { TimeLeft, useNow } from '../ui/Time.tsx'
import { useMarket } from '../useMarket.ts'
import { saveFile } from '../work/show/saveFile.ts'
import '../style/inbox.css'

type CourtAnswer = OutputJson<'getCourt'>

/** What the people of a court decided about a case, not signed yet. */
interface Draft {
  forWorker: boolean
  reasons: string
}

/** The desk of the final court: who it is, what waits for it, and how it decides. */
export function CourtPage() {
  const market = useMarket()
  const found = useApi('getCourt', { market })
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft | undefined>>>({})
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
                      <CaseRow
                        key={each.taskId}
                        of={each}
                        draft={drafts[each.taskId]}
                        change={
                          court.kind === 'safe'
                            ? (draft) => setDrafts((known) => ({ ...known, [each.taskId]: draft }))
                            : null
                        }
                      />
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
            {court.kind === 'safe' && cases.length > 0 && (
              <Batch market={market} court={court} cases={cases} drafts={drafts} />
            )}
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

interface CaseRowProps {
  of: CourtAnswer['cases'][number]
  draft: Draft | undefined
  /** Null if this court does not decide by a batch. */
  change: ((draft: Draft | undefined) => void) | null
}

function CaseRow({ of, draft, change }: CaseRowProps) {
  const { taskId, gapTokWei, courtEnd, offerBps, askBps } = of
  const title = useTaskTitle(taskId)
  return (
    <li className="due">
      <div className="stack tight">
        <h3 dir="auto">{title}</h3>
        <p className="small">{describeCourtCase(of)}</p>
        {change && (
          <Field label={<span className="visually-hidden">{labels.choice(title)}</span>}>
            {(control) => (
              <select
                {...control}
                value={draft ? String(draft.forWorker) : ''}
                onChange={({ target }) =>
                  change(
                    target.value === ''
                      ? undefined
                      : { forWorker: target.value === 'true', reasons: draft?.reasons ?? '' },
                  )
                }
              >
                <option value="">{labels.undecided}</option>
                <option value="false">{labels.forSide('poster', offerBps)}</option>
                <option value="true">{labels.forSide('worker', askBps)}</option>
              </select>
            )}
          </Field>
        )}
        {change && draft && (
          <TextArea
            label={labels.reasons(title)}
            help={labels.reasonsHelp}
            rows={3}
            value={draft.reasons}
            onChange={(reasons) => change({ ...draft, reasons })}
          />
        )}
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

interface BatchProps extends Pick<CourtAnswer, 'court' | 'cases'> {
  market: Market
  drafts: Readonly<Record<string, Draft | undefined>>
}

/** Saves the decisions as a file for the transaction builder of the Safe. Its addresses are those of this build. */
function Batch({ market, court, cases, drafts }: BatchProps) {
  const now = useNow()
  const [problem, setProblem] = useState<string | null>(null)
  const decisions = cases.flatMap((each) => {
    const draft = drafts[each.taskId]
    if (!draft || draft.reasons.trim() === '') return []
    const { taskId, case: round, offerBps, askBps } = each
    const { number } = parseTaskId(taskId)
    return [{ number, round, offerBps, askBps, forWorker: draft.forWorker, reasonHash: hashTaskText(draft.reasons) }]
  })
  const save = () => {
    try {
      const safe = findAddress(market, 'finalCourt')
      const arbitration = findAddress(market, 'arbitration')
      if (!safe || !arbitration || safe !== court.address) throw new Error(labels.otherCourt)
      const known = cases.map(({ taskId, case: round, ...rest }) => ({
        ...rest,
        number: parseTaskId(taskId).number,
        round,
      }))
      const about = { chainId, market, arbitration, court: { kind: 'safe', address: safe }, now }
      const batch = buildCourtBatch({ ...about, cases: known, decisions })
      saveFile(`decisions-${market}.json`, new TextEncoder().encode(JSON.stringify(batch, null, 2)))
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <section className="card pad panel">
      <h2>{labels.batch}</h2>
      <p>{labels.batchHelp}</p>
      <Note tone="loss">{problem}</Note>
      <p>
        <Button look="primary" disabled={decisions.length === 0} onClick={save}>
          {labels.save(decisions.length)}
        </Button>
      </p>
    </section>
  )
}
