import type { TaskJson } from '@svc/client'
import type { OutputJson } from '@svc/operations'
import { accessFee, formatAmount, formatDuration, type Market, sanitizeText } from '@svc/protocol'
import { Link } from '../router.tsx'
import '../style/taskList.css'
import { text } from '../text/common.ts'
import { exploreText as labels } from '../text/explore.ts'
import { profileText } from '../text/profile.ts'
import { Address } from '../ui/Address.tsx'
import { Amount, formatShort, Usd } from '../ui/Amount.tsx'
import { Time, useNow } from '../ui/Time.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import { StatePill } from './StatePill.tsx'
import { TagLink } from './TagLink.tsx'
import { type ShortRecord, useRecord } from './useRecord.ts'

/** A task with what its poster wrote, if the list was asked for texts. Untrusted text by strangers. */
export type ListedTask = OutputJson<'listOpenTasks'>['tasks'][number]

interface TaskListProps {
  tasks: readonly ListedTask[]
  market: Market
  /** Whether each row says where its task stands. A list of open tasks needs no such word. */
  withState?: boolean
  /** Whether each row says what an hour of its work time pays. */
  withRate?: boolean
  /** The level of the rows' headings. */
  level?: 'h2' | 'h3'
}

/** A card with one row for each task: what it is, who posts it, what it pays and until when. */
export function TaskList({ tasks, market, withState = false, withRate = false, level = 'h2' }: TaskListProps) {
  const { address } = useWallet()
  return (
    <ul className="card task-list">
      {tasks.map((task) => (
        <TaskRow
          key={task.id}
          task={task}
          market={market}
          you={address}
          withState={withState}
          withRate={withRate}
          level={level}
        />
      ))}
    </ul>
  )
}

interface TaskRowProps {
  task: ListedTask
  market: Market
  you: string | undefined
  withState: boolean
  withRate: boolean
  level: 'h2' | 'h3'
}

function TaskRow({ task, market, you, withState, withRate, level: Heading }: TaskRowProps) {
  const record = useRecord(task.poster, market)
  const seconds = task.milestones.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  return (
    <li className="task-row">
      <div className="task-what">
        <Heading className="task-title" dir="auto">
          <Link href={`/tasks/${task.id}`}>{nameTask(task)}</Link>
        </Heading>
        {task.excerpt && (
          <p className="task-excerpt soft" dir="auto">
            {sanitizeText(task.excerpt)}
          </p>
        )}
        <div className="task-tags">
          <Address of={task.poster} you={you} size={20} />
          <Record of={record} />
          {withState ? <StatePill of={task} /> : <PolicyPill of={task} />}
          {task.milestones.length > 1 && <span className="tag">{labels.milestones(task.milestones.length)}</span>}
          <FundingTag of={task} />
          {task.tags?.map((tag) => (
            <TagLink key={tag} tag={tag} market={task.market} />
          ))}
        </div>
      </div>
      <div className="task-pay">
        <p className="task-amount">
          <Amount of={task.totalAmountTokWei} />
        </p>
        <Net of={BigInt(task.totalAmountTokWei)} isOffer={task.claimableUntil !== null} />
        <p className="tiny faint">
          {withRate && seconds > 0
            ? labels.perHour(formatShort(computeRate(BigInt(task.totalAmountTokWei), BigInt(seconds)), 'tok'))
            : labels.workTime(seconds)}
          {' · '}
          {task.claimableUntil === null ? (
            <>
              {labels.posted} <Time at={task.postedAt} />
            </>
          ) : (
            <Closing at={task.claimableUntil} />
          )}
        </p>
      </div>
    </li>
  )
}

/** The title of a task, or what stands for it. */
export const nameTask = ({ title, scope, id }: ListedTask): string =>
  sanitizeText(title ?? '') || (scope === 'PRIVATE' ? text.privateTask : labels.untitled(id))

/** The pay of an hour in TOK wei. Beside ten TOK, decimals say nothing. */
function computeRate(total: bigint, seconds: bigint): bigint {
  const rate = (total * 3_600n) / seconds
  return rate < 10n ** 19n ? rate : rate - (rate % 10n ** 18n)
}

/** What a poster is known for, in a few words. */
function Record({ of }: { of: ShortRecord | undefined }) {
  if (!of) return <span className="skeleton task-record" />
  return (
    <span className="task-record small soft" title={profileText.shortRecordSays}>
      {profileText.shortRecord(of)}
    </span>
  )
}

/** What the pay is worth and, while it can be claimed, what is left of it after the fee to claim. */
function Net({ of, isOffer }: { of: bigint; isOffer: boolean }) {
  const net = of - accessFee
  if (!isOffer) {
    return (
      <p className="small soft">
        <Usd of={of} lead="≈ " />
      </p>
    )
  }
  return (
    <p className="small soft" title={labels.keepExplained(formatAmount(accessFee, 'tok'))}>
      <Usd of={of} lead="≈ " />
      <span className="task-keep">{net > 0n ? labels.keep(formatShort(net, 'tok')) : labels.keepNothing}</span>
    </p>
  )
}

/** When claims close. Amber in the last hour. */
function Closing({ at }: { at: number }) {
  const left = at - useNow()
  if (left <= 0) return labels.closed
  return left < 3_600 ? (
    <span className="task-closing">{labels.closesIn(formatDuration(left))}</span>
  ) : (
    // Far from the end, one unit says enough.
    labels.openFor(formatDuration(left < 86_400 ? left - (left % 3_600) : left - (left % 86_400)))
  )
}

const PolicyPill = ({ of: { claimPolicy } }: { of: TaskJson }) =>
  claimPolicy === 'PERMIT' ? <span className="pill">{labels.policy.PERMIT}</span> : null

function FundingTag({ of: { state, fundedTokWei, totalAmountTokWei } }: { of: TaskJson }) {
  if (state !== 'POSTED' || BigInt(fundedTokWei) >= BigInt(totalAmountTokWei)) return null
  return <span className="tag">{BigInt(fundedTokWei) > 0n ? labels.partFunded : labels.unfunded}</span>
}

/** Rows where tasks will be, as high as those. */
export function TaskListLoading({ rows = 6 }: { rows?: number }) {
  return (
    <div className="card task-list loading" role="status" aria-label={text.loading}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={index} className="task-row">
          <div className="task-what">
            <span className="skeleton skeleton-1" />
            <span className="skeleton skeleton-0" />
            <span className="skeleton skeleton-2" />
          </div>
          <div className="task-pay">
            <span className="skeleton" />
            <span className="skeleton" />
          </div>
        </div>
      ))}
    </div>
  )
}
