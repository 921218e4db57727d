import type { TaskJson } from '@svc/client'
import { claimPolicyLabels } from '@svc/protocol'
import { useApi } from '../api.ts'
import { Link } from '../router.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import { Amount, Countdown, StateLabel, UntrustedText, Wallet } from './values.tsx'

/** A table of tasks, shown as cards on narrow screens. */
export function TaskTable({ tasks, empty }: { tasks: readonly TaskJson[]; empty: string }) {
  const { address } = useWallet()
  const titles = useTitles(tasks)
  if (tasks.length === 0) return <p className="empty">{empty}</p>
  return (
    <table className="tasks">
      <thead>
        <tr>
          <th scope="col">Task</th>
          <th scope="col">State</th>
          <th scope="col">Pays</th>
          <th scope="col">Funded</th>
          <th scope="col">Poster</th>
          <th scope="col">Worker</th>
          <th scope="col">Clock</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <tr key={task.id}>
            <th scope="row" data-label="Task">
              <Link href={`/task/${task.id}`}>
                <UntrustedText of={titles.get(task.id) ?? (task.scope === 'PRIVATE' ? 'A private task' : task.id)} />
              </Link>
              <span className="code hint">{task.id}</span>
            </th>
            <td data-label="State">
              <StateLabel of={task.state} />
            </td>
            <td data-label="Pays">
              <Amount of={task.totalAmountTokWei} />
            </td>
            <td data-label="Funded">
              <Amount of={task.fundedTokWei} />
            </td>
            <td data-label="Poster">
              <Wallet of={task.poster} you={address} />
            </td>
            <td data-label="Worker">{task.worker ? <Wallet of={task.worker} you={address} /> : '–'}</td>
            <td data-label="Clock">
              <Clock task={task} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The titles of tasks by id. They are untrusted text. */
function useTitles(tasks: readonly TaskJson[]): ReadonlyMap<string, string> {
  const ids = tasks.filter(({ scope }) => scope === 'OPEN').map(({ id }) => id)
  const { body } = useApi('listTitles', { ids: ids.slice(0, 50).join(',') }, ids.length > 0)
  return new Map(body?.titles.map(({ id, title }) => [id, title]))
}

/** The most important deadline of a task in its current state. */
function Clock({ task: { state, claimableUntil, claimPolicy, reviewEnd, deadline } }: { task: TaskJson }) {
  const to = state === 'ACTIVE' ? (reviewEnd ?? deadline) : claimableUntil
  return (
    <>
      {to ? <Countdown to={to} /> : '–'}
      {claimableUntil && <span className="hint">{claimPolicyLabels[claimPolicy]}</span>}
    </>
  )
}
