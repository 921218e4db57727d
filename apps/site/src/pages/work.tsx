import type { OutputJson } from '@svc/operations'
import { lazy, type ReactNode, Suspense } from 'react'
import { PendingTransactions } from '../actions/PendingTransactions.tsx'
import { type ApiQuery, useApi } from '../api.ts'
import { InboxList } from '../parts/InboxList.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { RequireWallet } from '../parts/RequireWallet.tsx'
import { WorkRows } from '../parts/WorkRows.tsx'
import { setQuery, useLocation } from '../router.tsx'
import { workText as labels } from '../text/work.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Skeleton, SkeletonList } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useMarket } from '../useMarket.ts'

const pageSize = 25

// Terms and signatures are large.
const OffersTab = lazy(async () => ({ default: (await import('./work/OffersTab.tsx')).OffersTab }))

/** The user's tasks in every state: as poster, as worker and as judge. */
export function WorkPage() {
  return (
    <>
      <PageHead title={labels.title} description={labels.description} />
      <RequireWallet description={labels.connect}>{(address) => <Work address={address} />}</RequireWallet>
    </>
  )
}

function Work({ address }: { address: string }) {
  const market = useMarket()
  const { searchParams } = useLocation()
  return (
    <div className="stack loose">
      <PendingTransactions market={market} />
      <Tabs
        chosen={searchParams.get('tab') ?? 'posting'}
        onChoose={(tab) => setQuery({ tab: tab === 'posting' ? null : tab, cursor: null, offer: null })}
        tabs={[
          { id: 'posting', label: labels.tabs.posting, content: () => <Posting address={address} /> },
          { id: 'working', label: labels.tabs.working, content: () => <Working address={address} /> },
          { id: 'judging', label: labels.tabs.judging, content: () => <Judging address={address} /> },
          {
            id: 'offers',
            label: labels.tabs.offers,
            content: () => (
              <Suspense fallback={<Skeleton lines={4} />}>
                <OffersTab />
              </Suspense>
            ),
          },
        ]}
      />
    </div>
  )
}

function Posting({ address }: { address: string }) {
  const found = useApi('listTasksByPoster', { address, ...usePage() })
  return (
    <TaskPage
      of={found}
      address={address}
      empty={labels.emptyPosting}
      action={
        <ButtonLink look="primary" href="/post">
          {labels.post}
        </ButtonLink>
      }
    />
  )
}

function Working({ address }: { address: string }) {
  const found = useApi('listTasksByWorker', { address, ...usePage() })
  return (
    <TaskPage
      of={found}
      address={address}
      empty={labels.emptyWorking}
      action={
        <ButtonLink look="primary" href="/tasks">
          {labels.explore}
        </ButtonLink>
      }
    />
  )
}

function Judging({ address }: { address: string }) {
  const found = useApi('listInbox', { address, market: useMarket() })
  return (
    <QueryView of={found} loading={<SkeletonList rows={2} />}>
      {({ entries }) => {
        const cases = entries.filter(({ role }) => role !== 'poster' && role !== 'worker')
        return cases.length === 0 ? (
          <div className="card">
            <Empty action={<ButtonLink href="/judge">{labels.becomeJudge}</ButtonLink>}>{labels.emptyJudging}</Empty>
          </div>
        ) : (
          <InboxList entries={cases} />
        )
      }}
    </QueryView>
  )
}

/** The part of the list that the URL asks for. */
function usePage() {
  const cursor = useLocation().searchParams.get('cursor')
  return { market: useMarket(), limit: pageSize, texts: 'true', ...(cursor && { cursor }) } as const
}

interface TaskPageProps {
  of: ApiQuery<OutputJson<'listTasksByPoster'>>
  address: string
  empty: string
  action: ReactNode
}

function TaskPage({ of, address, empty, action }: TaskPageProps) {
  const isFirst = !useLocation().searchParams.has('cursor')
  return (
    <QueryView of={of} loading={<SkeletonList rows={4} />}>
      {({ tasks, meta: { nextCursor } }) => (
        <>
          {tasks.length === 0 ? (
            <div className="card">
              <Empty action={isFirst ? action : undefined}>{isFirst ? empty : labels.emptyOlder}</Empty>
            </div>
          ) : (
            <WorkRows tasks={tasks} from={address} />
          )}
          <p className="pager">
            {!isFirst && <Button onClick={() => setQuery({ cursor: null })}>{labels.newest}</Button>}
            {nextCursor && <Button onClick={() => setQuery({ cursor: nextCursor })}>{labels.older}</Button>}
          </p>
        </>
      )}
    </QueryView>
  )
}
