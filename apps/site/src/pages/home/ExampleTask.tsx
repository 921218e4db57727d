import type { TaskJson } from '@svc/client'
import { formatDuration, type Market } from '@svc/protocol'
import { useApi } from '../../api.ts'
import { type ListedTask, nameTask } from '../../parts/TaskList.tsx'
import { Link } from '../../router.tsx'
import { text } from '../../text/common.ts'
import { spellDuration } from '../../text/duration.ts'
import { homeText } from '../../text/home.ts'
import { shortenAddress } from '../../ui/Address.tsx'
import { Amount, formatShort, formatUsd } from '../../ui/Amount.tsx'
import { useNow } from '../../ui/Time.tsx'
import { type Price, usePrice } from '../../usePrice.ts'
import { firstPageInput } from './lists.ts'

const labels = homeText.example

interface Step {
  name: string
  detail: string
  at: 'done' | 'now' | 'next'
}

/** A real task of the market as its five steps, so that a stranger sees how one goes. Renders an empty card until it is known. */
export function ExampleTask({ market }: { market: Market }) {
  const { body } = useApi('listRecentTasks', firstPageInput(market))
  const task = body && chooseExample(body.tasks)
  const price = usePrice()
  const now = useNow()
  if (body && !task) return null
  return (
    <figure className="card raised example" aria-label={labels.label}>
      {task ? (
        <>
          <p className="example-head">
            <Link href={`/tasks/${task.id}`} dir="auto">
              {nameTask(task)}
            </Link>
            <b>
              <Amount of={task.totalAmountTokWei} />
            </b>
          </p>
          <ol className="example-steps">
            {listExampleSteps(task, now, price).map(({ name, detail, at }) => (
              <li key={name} className={at} aria-current={at === 'now' ? 'step' : undefined}>
                <span>{name}</span>
                <small>{detail}</small>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <div className="example-steps loading" role="status" aria-label={text.loading}>
          {[0, 1, 2, 3, 4].map((each) => (
            <span key={each} className="skeleton" />
          ))}
        </div>
      )}
      <figcaption className="tiny faint">{labels.label}</figcaption>
    </figure>
  )
}

/** What tells most, in this order: work in review, work in progress, a paid task, an open one. */
function chooseExample(tasks: readonly ListedTask[]): ListedTask | undefined {
  const open = tasks.filter(({ scope }) => scope === 'OPEN')
  return (
    open.find(({ phase }) => phase === 'IN_REVIEW') ??
    open.find(({ phase }) => phase === 'WORKING') ??
    open.find(({ state }) => state === 'COMPLETED') ??
    open.find(({ phase }) => phase === 'OPEN_FOR_CLAIM')
  )
}

function listExampleSteps(task: TaskJson, now: number, price: Price | null): readonly Step[] {
  const { phase, worker, milestones, currentMilestone, reviewWindowSeconds, reviewEnd, deadline } = task
  const total = BigInt(task.totalAmountTokWei)
  const held = BigInt(task.fundedTokWei) - BigInt(task.releasedTokWei) - BigInt(task.refundedTokWei)
  const isFunded = BigInt(task.fundedTokWei) >= total
  const at = task.state === 'COMPLETED' ? 5 : phase === 'IN_REVIEW' ? 3 : phase === 'WORKING' ? 2 : worker ? 1 : 0
  const place = (index: number) => (index < at ? 'done' : index === at ? 'now' : 'next')
  const left = (to: number | null) => (to !== null && to > now ? labels.left(formatDuration(to - now)) : '')
  const part = milestones.length > 1 ? labels.milestone(currentMilestone + 1, milestones.length) : ''
  return [
    {
      name: isFunded ? labels.postedAndFunded : labels.posted,
      detail: held > 0n ? labels.inEscrow(price ? formatUsd(held, price) : formatShort(held, 'tok')) : '',
      at: at === 0 ? 'done' : place(0),
    },
    { name: worker ? labels.claimed(shortenAddress(worker)) : labels.unclaimed, detail: '', at: place(1) },
    {
      name: at > 2 ? labels.delivered : labels.working,
      detail: at === 2 ? left(deadline) : at > 2 ? labels.onChain : part,
      at: place(2),
    },
    {
      name: labels.review,
      detail: at === 3 ? left(reviewEnd) : at < 3 ? labels.within(spellDuration(reviewWindowSeconds)) : '',
      at: place(3),
    },
    { name: labels.paid, detail: price ? formatUsd(total, price) : formatShort(total, 'tok'), at: place(4) },
  ]
}
