import type { TaskJson } from '@svc/client'
import type { OutputJson } from '@svc/operations'
import { formatDuration, type Market, sanitizeText } from '@svc/protocol'
import { Link } from '../router.tsx'
import '../style/taskList.css'
import { text } from '../text/common.ts'
import { exploreText as labels } from '../text/explore.ts'
import { recordTitle, summarizeRecord } from '../text/record.ts'
import { Address } from '../ui/Address.tsx'
import { Amount, formatShort, Worth } from '../ui/Amount.tsx'
import { Time, useNow } from '../ui/Time.tsx'
import { usePrice } from '../usePrice.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { CategoryTile } from './Category.tsx'
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

/** One row for each task: what it is, who posts it, what it pays and until when. */
export function TaskList({ tasks, market, withState = false, withRate = false, level = 'h2' }: TaskListProps) {
  return (
    <ul className="task-list">
      {tasks.map((task) => (
        <TaskRow key={task.id} task={task} market={market} withState={withState} withRate={withRate} level={level} />
      ))}
    </ul>
  )
}

interface TaskRowProps extends Required<Omit<TaskListProps, 'tasks'>> {
  task: ListedTask
}

function TaskRow({ task, market, withState, withRate, level: Heading }: TaskRowProps) {
  const seconds = sumSeconds(task)
  const total = BigInt(task.totalAmountTokWei)
  return (
    <li className="task-row">
      <CategoryTile tags={task.tags} title={task.title} size={48} />
      <div className="task-what">
        <Heading className="task-title" dir="auto">
          <Link href={`/tasks/${task.id}`}>{nameTask(task)}</Link>
        </Heading>
        {task.excerpt && (
          <p className="task-excerpt soft" dir="auto">
            {readExcerpt(task.excerpt)}
          </p>
        )}
        <div className="task-tags">
          <Poster of={task} market={market} />
          {withState && <StatePill of={task} />}
          <Unusual of={task} />
          {task.tags?.slice(0, shownTags).map((tag) => (
            <TagLink key={tag} tag={tag} market={task.market} />
          ))}
        </div>
      </div>
      <div className="task-pay">
        <Pay of={total} />
        <p className="tiny faint">
          {withRate && seconds > 0
            ? labels.perHour(formatShort(computeRate(total, BigInt(seconds)), 'tok'))
            : labels.workTime(seconds)}
          {task.claimableUntil === null && (
            <>
              {' · '}
              {labels.posted} <Time at={task.postedAt} />
            </>
          )}
        </p>
      </div>
    </li>
  )
}

/** The two tasks that come first, as cards. */
export function TaskCards({ tasks }: { tasks: readonly { task: ListedTask; alike: number }[] }) {
  return (
    <ul className="task-cards">
      {tasks.map(({ task, alike }) => (
        <li key={task.id} className="card task-card">
          <div className="row between">
            <CategoryTile tags={task.tags} title={task.title} size={44} />
            <span className="row">
              {alike > 0 && <span className="pill good">{labels.fits(alike)}</span>}
              <Unusual of={task} />
            </span>
          </div>
          <h2 className="task-title" dir="auto">
            <Link href={`/tasks/${task.id}`}>{nameTask(task)}</Link>
          </h2>
          <p className="task-excerpt soft" dir="auto">
            {readExcerpt(task.excerpt ?? '')}
          </p>
          <div className="row between task-card-foot">
            <div className="task-pay">
              <Pay of={BigInt(task.totalAmountTokWei)} />
              <p className="tiny faint">{labels.workTime(sumSeconds(task))}</p>
            </div>
            <Address of={task.poster} size={24} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The rest, a line each. */
export function ThinTasks({ tasks }: Pick<TaskListProps, 'tasks'>) {
  return (
    <ul className="task-list thin">
      {tasks.map((task) => (
        <li key={task.id} className="task-row">
          <CategoryTile tags={task.tags} title={task.title} size={32} />
          <div className="task-what">
            <h3 className="task-title" dir="auto">
              <Link href={`/tasks/${task.id}`}>{nameTask(task)}</Link>
            </h3>
            <div className="task-tags">
              <Address of={task.poster} size={18} />
              <Unusual of={task} />
            </div>
          </div>
          <div className="task-pay">
            <p className="task-amount">
              <Worth of={task.totalAmountTokWei} />
            </p>
            <p className="tiny faint">{labels.workTime(sumSeconds(task))}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

const shownTags = 2
const sumSeconds = ({ milestones }: ListedTask) =>
  milestones.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)

function Poster({ of: { poster }, market }: { of: ListedTask; market: Market }) {
  const { address } = useWallet()
  const record = useRecord(poster, market)
  return (
    <>
      <Address of={poster} you={address} size={20} />
      <Record of={record} />
    </>
  )
}

/** Dollars first; TOK below, small. Without a price, TOK takes the large place. */
function Pay({ of }: { of: bigint }) {
  const price = usePrice()
  return (
    <>
      <p className="task-amount">
        <Worth of={of} />
      </p>
      {price && (
        <p className="tiny faint">
          <Amount of={of} />
        </p>
      )}
    </>
  )
}

/** What differs from other tasks: chosen by the poster, not locked yet, about to close. */
function Unusual({ of }: { of: ListedTask }) {
  return (
    <>
      <PolicyPill of={of} />
      <FundingTag of={of} />
      {of.claimableUntil !== null && <Closing at={of.claimableUntil} />}
    </>
  )
}

/** The title of a task, or what stands for it. */
export const nameTask = ({ title, scope, id }: ListedTask): string =>
  sanitizeText(title ?? '') || (scope === 'PRIVATE' ? text.privateTask : labels.untitled(id))

/** The first words of a text without the marks of Markdown. A stranger's text. */
export const readExcerpt = (excerpt: string): string =>
  sanitizeText(excerpt)
    .replaceAll(/(^|\s)(?:#{1,6}|[-*+>]|\d+[.)]) +/g, '$1')
    .replaceAll(/\*\*|`/g, '')

/** The pay of an hour in TOK wei. Beside ten TOK, decimals say nothing. */
function computeRate(total: bigint, seconds: bigint): bigint {
  const rate = (total * 3_600n) / seconds
  return rate < 10n ** 19n ? rate : rate - (rate % 10n ** 18n)
}

/** What a poster is known for, in a few words. */
function Record({ of }: { of: ShortRecord | undefined }) {
  if (!of) return <span className="skeleton task-record" />
  return (
    <span className="task-record small soft" title={recordTitle}>
      {summarizeRecord(of)}
    </span>
  )
}

/** When claims close, within a day. Amber in the last hour. */
function Closing({ at }: { at: number }) {
  const left = at - useNow()
  if (left <= 0) return <span className="pill">{labels.closed}</span>
  if (left >= 86_400) return null
  const time = formatDuration(left < 3_600 ? left : left - (left % 3_600))
  return <span className={left < 3_600 ? 'pill turn' : 'pill'}>{labels.closesIn(time)}</span>
}

const PolicyPill = ({ of: { claimPolicy } }: { of: TaskJson }) =>
  claimPolicy === 'PERMIT' ? <span className="pill">{labels.policy.PERMIT}</span> : null

function FundingTag({ of: { state, fundedTokWei, totalAmountTokWei } }: { of: TaskJson }) {
  if (state !== 'POSTED' || BigInt(fundedTokWei) >= BigInt(totalAmountTokWei)) return null
  return <span className="pill">{BigInt(fundedTokWei) > 0n ? labels.partFunded : labels.unfunded}</span>
}

/** Rows where tasks will be, as high as those. */
export function TaskListLoading({ rows = 6 }: { rows?: number }) {
  return (
    <div className="task-list loading" role="status" aria-label={text.loading}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={index} className="task-row">
          <span className="skeleton tile" />
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
