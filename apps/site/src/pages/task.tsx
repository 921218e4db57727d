import { ApiError, type TaskDetailJson } from '@svc/client'
import { sanitizeText } from '@svc/protocol'
import { findAskedJudge } from '@svc/protocol/internal/records'
import type { TalkThread } from '@svc/work'
import { SearchX } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useApi } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { QueryView } from '../parts/QueryView.tsx'
import { navigate, setQuery, useLocation } from '../router.tsx'
import '../style/task.css'
import { UnreadCount } from '../talk/UnreadCount.tsx'
import { useUnread } from '../talk/unread.ts'
import { toWritten, useTalk } from '../talk/useTalk.ts'
import { useWorkSharing } from '../talk/useWorkSharing.ts'
import { buildTaskPath } from '../taskPath.ts'
import { text } from '../text/common.ts'
import { taskText } from '../text/task.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { type Tab, Tabs } from '../ui/Tabs.tsx'
import { formatRelative, useNow } from '../ui/Time.tsx'
import { usePageTitle } from '../usePageTitle.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { listReferences } from '../work/listReferences.ts'
import { placeBundles } from '../work/show/placeBundles.ts'
import { BriefTab } from './task/BriefTab.tsx'
import { listDeliveries } from './task/deliveries.ts'
import { formTabs } from './task/formTabs.ts'
import { MoneyCard } from './task/MoneyCard.tsx'
import { People } from './task/People.tsx'
import { StatusCard } from './task/StatusCard.tsx'
import { TaskHeader } from './task/TaskHeader.tsx'
import { TaskSkeleton } from './task/TaskSkeleton.tsx'
import { findViewer, isSameAddress, type Viewer } from './task/viewer.ts'

// Most visitors only read.
const TalkTab = lazy(async () => ({ default: (await import('./task/TalkTab.tsx')).TalkTab }))
const WorkTab = lazy(async () => ({ default: (await import('./task/WorkTab.tsx')).WorkTab }))
const DisputeTab = lazy(async () => ({ default: (await import('./task/DisputeTab.tsx')).DisputeTab }))
const ActivityTab = lazy(async () => ({ default: (await import('./task/ActivityTab.tsx')).ActivityTab }))
const StepForm = lazy(async () => ({ default: (await import('./task/StepForm.tsx')).StepForm }))

/** One task: what is to be done, where it stands, where the money is, and what the user's wallet can do. */
export function TaskPage({ params: { id = '' } }: PageProps) {
  const found = useApi('getTask', { id })
  const task = found.body?.task
  const title = task?.text ? sanitizeText(task.text.title) : undefined
  usePageTitle(task ? (title ?? text.privateTask) : taskText.formatTitle(id))
  useCanonicalPath(task && buildTaskPath(task.id, title))
  if (!found.body && found.error instanceof ApiError && found.error.status < 500 && found.error.status !== 429) {
    return <TaskNotFound error={found.error} />
  }
  return (
    <>
      {!found.body && <h1 className="visually-hidden">{taskText.formatTitle(id)}</h1>}
      <QueryView of={found} loading={<TaskSkeleton />}>
        {({ task, meta }) => <TaskView task={task} block={meta.block} />}
      </QueryView>
    </>
  )
}

// Signing and its schema are loaded only by those who are asked.
const AskName = lazy(async () => ({ default: (await import('../notify/AskName.tsx')).AskName }))

interface TaskViewProps {
  task: TaskDetailJson
  block: { number: number; timestamp: number }
}

function TaskView({ task, block }: TaskViewProps) {
  const { address } = useWallet()
  const viewer = findViewer(task, address)
  // A form that is opened again begins again.
  const [opened, setOpened] = useState(0)
  const openForm = (action: string) => {
    setOpened(Date.now())
    setQuery({ tab: formTabs[action] ?? null, do: action })
    // The form is drawn when the step is known; until then its tab is in view.
    const form = document.querySelector('.step-form') ?? document.querySelector('[role="tablist"]')
    form?.scrollIntoView()
  }
  return (
    <article className="task-page">
      <TaskHeader task={task} viewer={viewer} />
      <div className="task-rail">
        <StatusCard task={task} viewer={viewer} wallet={address} onForm={openForm} />
        <MoneyCard task={task}>
          <p className="code tiny">{task.id}</p>
          <People task={task} you={address} />
          <AsOf block={block} />
        </MoneyCard>
      </div>
      <div className="task-body">
        {viewer === 'worker' && address && (
          <Suspense>
            <AskName wallet={address} />
          </Suspense>
        )}
        <TaskTabs task={task} viewer={viewer} you={address} opened={opened} />
      </div>
    </article>
  )
}

/** The tabs. The chosen one is in the URL. */
function TaskTabs({
  task,
  viewer,
  you,
  opened,
}: {
  task: TaskDetailJson
  viewer: Viewer
  you: `0x${string}` | undefined
  opened: number
}) {
  const { dispute } = task
  const { threads } = useTalk(task)
  const { countAll } = useUnread()
  const unread = countAll((threads ?? []).map(toWritten))
  // Decided once for a wallet: what arrives later shows its number, and does not take the page away from somebody who reads.
  const [news, setNews] = useState<{ of: typeof you; isThere: boolean } | null>(null)
  if (threads && news?.of !== you) setNews({ of: you, isThere: unread > 0 || isApplying(task, threads) })
  const first = findFirstTab(task, viewer, you) ?? (news?.isThere ? 'talk' : 'brief')
  const chosen = useLocation().searchParams.get('tab') ?? first
  const waiting = useWorkSharing(task)
  const bundles = placeBundles(task.timeline, listReferences(task))
  const deliveries = listDeliveries(task, bundles)
  const labels = taskText.tabs
  const tabs: Tab[] = [
    { id: 'brief', label: labels.brief, content: () => <BriefTab task={task} /> },
    {
      id: 'work',
      label: (
        <>
          {labels.work} {deliveries.length > 0 && <span className="faint">{deliveries.length}</span>}
        </>
      ),
      content: () => (
        <div className="stack loose">
          <StepForm key={opened} task={task} wallet={you} tab="work" />
          <WorkTab task={task} deliveries={deliveries} isReviewer={viewer === 'poster'} waiting={waiting} />
        </div>
      ),
    },
    {
      id: 'talk',
      label: (
        <>
          {labels.talk} <UnreadCount of={unread} />
        </>
      ),
      content: () => <TalkTab task={task} />,
    },
    { id: 'activity', label: labels.activity, content: () => <ActivityTab task={task} you={you} /> },
    ...(dispute
      ? [
          {
            id: 'dispute',
            label: labels.dispute,
            content: () => (
              <DisputeTab task={task} dispute={dispute} bundles={bundles} deliveries={deliveries} you={you}>
                <StepForm key={opened} task={task} wallet={you} tab="dispute" />
              </DisputeTab>
            ),
          },
        ]
      : []),
  ]
  return (
    <Suspense fallback={<Skeleton lines={4} />}>
      <Tabs tabs={tabs} chosen={chosen} onChoose={(tab) => setQuery({ tab: tab === first ? null : tab })} />
    </Suspense>
  )
}

/** Whether somebody applied and is not chosen yet: for the poster, and for whoever applied. */
const isApplying = ({ phase }: TaskDetailJson, threads: readonly TalkThread[]): boolean =>
  phase === 'OPEN_FOR_CLAIM' && threads.some(({ status }) => status.application !== null)

/** The tab with the news of the chain: the case for those in it, the work for whoever has to look at it. */
function findFirstTab(
  { phase, dispute, revisions }: TaskDetailJson,
  viewer: Viewer,
  you: string | undefined,
): 'work' | 'dispute' | null {
  const isInCase = viewer !== 'visitor' || isSameAddress(findAskedJudge(dispute), you)
  if (phase === 'IN_DISPUTE' && isInCase) return 'dispute'
  if (viewer === 'judge' && dispute) return 'dispute'
  if (viewer === 'poster' && phase === 'IN_REVIEW') return 'work'
  return viewer === 'worker' && phase === 'WORKING' && revisions > 0 ? 'work' : null
}

/** The block that the page shows, and how old it is. */
function AsOf({ block }: { block: TaskViewProps['block'] }) {
  const now = useNow()
  const age = Math.max(0, now - block.timestamp)
  const ago = age < 60 ? taskText.secondsAgo(age) : formatRelative(block.timestamp, now)
  return <p className="tiny faint as-of">{taskText.asOf(block.number, ago)}</p>
}

/** Shows the task's own address in the address bar, whichever link led here. */
function useCanonicalPath(path: string | undefined): void {
  useEffect(() => {
    if (path && location.pathname !== path) navigate(`${path}${location.search}`, { replace: true })
  }, [path])
}

function TaskNotFound({ error }: { error: ApiError }) {
  usePageTitle(taskText.notFound.title)
  return (
    <section className="empty-state task-missing">
      <SearchX size={36} aria-hidden="true" />
      <h1>{taskText.notFound.title}</h1>
      <p>{error.code === 'TASK_NOT_FOUND' ? taskText.notFound.description : (error.hint ?? error.message)}</p>
      <ButtonLink href="/tasks" look="primary">
        {taskText.notFound.explore}
      </ButtonLink>
    </section>
  )
}
