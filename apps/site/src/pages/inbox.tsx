import { lazy, Suspense } from 'react'
import { PendingTransactions } from '../actions/PendingTransactions.tsx'
import { useApi } from '../api.ts'
import { useNotifications, useNotifierUrl } from '../notify/useNotifier.ts'
import { type InboxEntry, InboxList } from '../parts/InboxList.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { RequireWallet } from '../parts/RequireWallet.tsx'
import type { ListedTask } from '../parts/TaskList.tsx'
import { useLiveTasks } from '../parts/useLiveTasks.ts'
import { WorkRows } from '../parts/WorkRows.tsx'
import { Link, setQuery, useLocation } from '../router.tsx'
import { UnreadCount } from '../talk/UnreadCount.tsx'
import { useUnread } from '../talk/unread.ts'
import { useConversations } from '../talk/useTalk.ts'
import { inboxText as labels } from '../text/inbox.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton, SkeletonList } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useMarket } from '../useMarket.ts'
import { useWallet } from '../wallet/useWallet.ts'

const News = lazy(async () => ({ default: (await import('../notify/News.tsx')).News }))
// Encryption is large.
const Conversations = lazy(async () => ({ default: (await import('../talk/Conversations.tsx')).Conversations }))

const shownOthers = 8

/** What waits for the user in this market, in every role: duties first, then what else can be done. */
export function InboxPage() {
  const { address = '' } = useWallet()
  const { body } = useApi('listInbox', { address, market: useMarket() }, address !== '')
  const duties = body?.entries.filter(({ duty }) => duty).length ?? 0
  return (
    <>
      <PageHead title={labels.title} heading={labels.heading(duties)} description={labels.description} />
      <RequireWallet description={labels.connect}>{(address) => <InboxTabs address={address} />}</RequireWallet>
    </>
  )
}

function InboxTabs({ address }: { address: string }) {
  const market = useMarket()
  return (
    <div className="stack loose">
      <Tabs
        chosen={useLocation().searchParams.get('tab') ?? 'waiting'}
        onChoose={(tab) => setQuery({ tab: tab === 'waiting' ? null : tab })}
        tabs={[
          { id: 'waiting', label: labels.tabs.waiting, content: () => <Inbox address={address} /> },
          {
            id: 'messages',
            label: <MessagesLabel />,
            content: () => (
              <Suspense fallback={<Skeleton lines={4} />}>
                <Conversations market={market} />
              </Suspense>
            ),
          },
          ...(useNotifierUrl()
            ? [
                {
                  id: 'news',
                  label: <NewsLabel />,
                  content: () => (
                    <Suspense fallback={<Skeleton lines={4} />}>
                      <News />
                    </Suspense>
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  )
}

/** The tab of the messages, with the number of those that are unread. */
function MessagesLabel() {
  const { conversations = [] } = useConversations(useMarket())
  const { countAll } = useUnread()
  return (
    <>
      {labels.tabs.messages} <UnreadCount of={countAll(conversations.map(({ written }) => written))} />
    </>
  )
}

/** The tab of what happened, with the number of unread notifications. */
function NewsLabel() {
  const { unread } = useNotifications()
  return (
    <>
      {labels.tabs.news} {unread > 0 && <span className="count quiet">{unread > 99 ? labels.many : unread}</span>}
    </>
  )
}

function Inbox({ address }: { address: string }) {
  const market = useMarket()
  const found = useApi('listInbox', { address, market })
  const live = useLiveTasks(address, market) ?? []
  const findOther = (taskId: string) => {
    const { poster, worker } = live.find(({ id }) => id === taskId) ?? {}
    return poster?.toLowerCase() === address.toLowerCase() ? worker : poster
  }
  return (
    <>
      <PendingTransactions market={market} />
      <QueryView of={found} loading={<SkeletonList rows={3} />}>
        {({ entries, truncated }) => {
          const groups = [
            [labels.due, labels.dueSays, entries.filter(({ duty }) => duty)],
            [labels.options, labels.optionsSays, entries.filter(({ duty }) => !duty)],
          ] as const
          return (
            <>
              {entries.length === 0 && (
                <div className="card">
                  <Empty
                    action={
                      <p className="row wrapping">
                        <ButtonLink look="primary" href="/tasks">
                          {labels.explore}
                        </ButtonLink>
                        <ButtonLink href="/post">{labels.post}</ButtonLink>
                      </p>
                    }
                  >
                    {labels.empty}
                  </Empty>
                </div>
              )}
              {groups.map(
                ([title, description, group]) =>
                  group.length > 0 && (
                    <section key={title} className="inbox-group" aria-label={title}>
                      <header>
                        <h2>{title}</h2>
                        <p className="small soft">{description}</p>
                      </header>
                      <InboxList entries={group} findOther={findOther} />
                    </section>
                  ),
              )}
              <Others address={address} live={live} own={entries} />
              {truncated && <Note>{labels.truncated}</Note>}
            </>
          )
        }}
      </QueryView>
    </>
  )
}

/** The running tasks in which somebody else comes next. */
function Others({ address, live, own }: { address: string; live: readonly ListedTask[]; own: readonly InboxEntry[] }) {
  const others = live.filter(({ id }) => own.every(({ taskId }) => taskId !== id))
  if (others.length === 0) return null
  return (
    <section className="inbox-group" aria-label={labels.others}>
      <header>
        <h2>{labels.others}</h2>
        <p className="small soft">{labels.othersSays}</p>
      </header>
      <WorkRows tasks={others.slice(0, shownOthers)} from={address} />
      {others.length > shownOthers && (
        <p className="small">
          <Link href="/work">{labels.allWork}</Link>
        </p>
      )}
    </section>
  )
}
