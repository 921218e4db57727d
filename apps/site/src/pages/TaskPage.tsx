import type { TaskDetailJson } from '@svc/client'
import { claimPolicyLabels, computeSettlementDigest, formatDuration, parseTaskTerms } from '@svc/protocol'
import { useState } from 'react'
import { ActionForm } from '../actions/ActionForm.tsx'
import { useApi } from '../api.ts'
import { getSigningContext } from '../deployments.ts'
import { DisputeView } from '../parts/DisputeView.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { Amount, Countdown, StateLabel, Time, UntrustedText, Wallet } from '../parts/values.tsx'
import { useLiveUpdates } from '../useLiveUpdates.ts'
import { useWallet } from '../wallet/useWallet.ts'

/** One task: text, money, deadlines, history, next steps, and the actions of the user's wallet. */
export function TaskPage({ id }: { id: string }) {
  const { address } = useWallet()
  const found = useApi('getTask', { id })
  useLiveUpdates(id.split(':')[1] === 'micro' ? 'micro' : 'standard')
  return (
    <>
      {!found.body && <h1>Task {id}</h1>}
      <QueryView of={found}>
        {({ task, meta }) => (
          <article className="task">
            <header>
              <p className="code">{task.id}</p>
              <h1>{task.text ? <UntrustedText of={task.text.title} /> : 'A private task'}</h1>
              <p>
                <StateLabel of={task.state} /> · {phaseWords[task.phase]} ·{' '}
                {task.claimableUntil && (
                  <>
                    {claimPolicyLabels[task.claimPolicy]} (<Countdown to={task.claimableUntil} />) ·{' '}
                  </>
                )}
                posted by <Wallet of={task.poster} you={address} />
                {task.worker && (
                  <>
                    , worked on by <Wallet of={task.worker} you={address} />
                  </>
                )}
              </p>
            </header>
            <Money task={task} />
            <Next task={task} />
            {address && <Mine task={task} wallet={address} />}
            {task.dispute && <DisputeView dispute={task.dispute} />}
            <section>
              <h2>What is to be done</h2>
              {task.text ? (
                <blockquote>
                  <UntrustedText of={task.text.criteria} className="words prose" />
                </blockquote>
              ) : (
                <p>The parties agreed on the words among themselves; only their hash is on chain.</p>
              )}
              <p className="hint">These are the words of the poster. Nobody has checked them.</p>
            </section>
            <Milestones task={task} />
            <History task={task} />
            <p className="stamp">
              True at block {meta.block.number}, <Time at={meta.block.timestamp} />.
              {task.settlementDigest && (
                <>
                  {' '}
                  Settlement digest <span className="code">{task.settlementDigest}</span>
                </>
              )}
            </p>
          </article>
        )}
      </QueryView>
    </>
  )
}

const phaseWords: Readonly<Record<TaskDetailJson['phase'], string>> = {
  OPEN_FOR_CLAIM: 'waits for a worker',
  CLAIM_CLOSED: 'cannot be claimed now',
  AWAITING_FUNDS: 'waits for the poster to pay in',
  READY_TO_START: 'paid in, waits for the start',
  WORKING: 'the worker works',
  IN_REVIEW: 'delivered, the poster reviews',
  REVIEW_LAPSED: 'not answered in time: anyone may have the worker paid',
  OVERDUE: 'the deadline is over',
  IN_DISPUTE: 'before arbitrators',
  SETTLED: 'over',
}

function Money({ task }: { task: TaskDetailJson }) {
  const held = BigInt(task.fundedTokWei) - BigInt(task.releasedTokWei) - BigInt(task.refundedTokWei)
  return (
    <dl className="money">
      <div>
        <dt>Pays in all</dt>
        <dd>
          <Amount of={task.totalAmountTokWei} />
        </dd>
      </div>
      <div>
        <dt>In escrow</dt>
        <dd>
          <Amount of={held} />
        </dd>
      </div>
      <div>
        <dt>Paid to the worker</dt>
        <dd>
          <Amount of={task.releasedTokWei} />
        </dd>
      </div>
      <div>
        <dt>Given back</dt>
        <dd>
          <Amount of={task.refundedTokWei} />
        </dd>
      </div>
    </dl>
  )
}

/** The next steps, and who must take them. */
function Next({ task }: { task: TaskDetailJson }) {
  if (task.pendingActions.length === 0) return null
  return (
    <section>
      <h2>What can happen next</h2>
      <ul className="pending">
        {task.pendingActions.map(({ action, by, until }) => (
          <li key={`${action} ${by}`}>
            {by === 'anyone' ? 'Anyone' : `The ${by}`}: {action.replaceAll('-', ' ')}
            {until && (
              <>
                {' '}
                (<Countdown to={until} />)
              </>
            )}
          </li>
        ))}
        {task.deadlines.vet && (
          <li>
            The worker: start work, after <Time at={task.deadlines.vet} />, when the poster has had time to look
          </li>
        )}
      </ul>
    </section>
  )
}

type Step = NonNullable<ReturnType<typeof useApi<'listSteps'>>['body']>['steps'][number]

/** The actions that the contracts allow the user's wallet now. */
function Mine({ task, wallet }: { task: TaskDetailJson; wallet: `0x${string}` }) {
  const found = useApi('listSteps', { id: task.id, address: wallet })
  // Separate from the list: an action that was taken is no longer offered, but its progress is still shown.
  const [chosen, setChosen] = useState<Step | null>(null)
  return (
    <section className="mine">
      <h2>What you can do</h2>
      <QueryView of={found}>
        {({ steps }) =>
          steps.length === 0 ? (
            <p className="empty">Nothing now: it is not your turn, or your deposit or balance does not reach.</p>
          ) : (
            <ul className="steps-list">
              {steps.map((step) => (
                <li key={step.action}>
                  <button
                    type="button"
                    aria-expanded={chosen?.action === step.action}
                    onClick={() => setChosen(chosen?.action === step.action ? null : step)}
                  >
                    {step.verb}
                  </button>
                  {step.until && <Countdown to={step.until} />}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {chosen && (
        <div className="chosen">
          <h3>{chosen.title}</h3>
          <p>{chosen.explain}</p>
          <ActionForm
            key={chosen.action}
            name={chosen.action}
            known={
              chosen.action === 'claim-task'
                ? { ...chosen.derived, settlementDigest: digestFor(task, wallet) }
                : chosen.derived
            }
            required={chosen.required}
          />
          <button type="button" onClick={() => setChosen(null)}>
            Close
          </button>
        </div>
      )}
    </section>
  )
}

/** Computes the digest of the terms on this page with the user as worker, so that the user claims exactly what they saw. */
function digestFor(task: TaskDetailJson, worker: `0x${string}`): string {
  return computeSettlementDigest(getSigningContext(task.market), parseTaskTerms(task.terms), worker)
}

function Milestones({ task }: { task: TaskDetailJson }) {
  return (
    <section>
      <h2>Milestones</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">What</th>
            <th scope="col">Pays</th>
            <th scope="col">Time</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {task.milestones.map(({ amountTokWei, durationSeconds, state }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is identified by its number
            <tr key={index} aria-current={index === task.currentMilestone ? 'step' : undefined}>
              <td data-label="#">{index + 1}</td>
              <td data-label="What">
                <UntrustedText of={task.text?.milestones[index] ?? `Milestone ${index + 1}`} />
              </td>
              <td data-label="Pays">
                <Amount of={amountTokWei} />
              </td>
              <td data-label="Time">
                {formatDuration(durationSeconds)}
                {index === task.currentMilestone && task.deadlines.milestone && (
                  <>
                    {' '}
                    · <Countdown to={task.deadlines.milestone} />
                  </>
                )}
                {index === task.currentMilestone && task.deadlines.review && (
                  <>
                    {' '}
                    · review: <Countdown to={task.deadlines.review} />, then silence pays the worker
                  </>
                )}
              </td>
              <td data-label="State">
                <StateLabel of={state} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function History({ task }: { task: TaskDetailJson }) {
  return (
    <section>
      <h2>What happened</h2>
      <ol className="history">
        {task.timeline.map(({ event, contract, timestamp, transactionHash, logIndex }) => (
          <li key={`${transactionHash}${logIndex}`}>
            <Time at={timestamp} /> {event.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()}{' '}
            <a href={`https://basescan.org/tx/${transactionHash}`} rel="noreferrer noopener" className="code">
              {transactionHash.slice(0, 10)}…
            </a>{' '}
            <span className="hint">{contract}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
