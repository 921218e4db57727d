import { lazy, Suspense } from 'react'
import { useApi } from '../api.ts'
import { InboxList } from '../parts/InboxList.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { PendingTransactions } from '../parts/PendingTransactions.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { RequireWallet } from '../parts/RequireWallet.tsx'
import { setQuery, useLocation } from '../router.tsx'
import { useConversations } from '../talk/useTalk.ts'
import { inboxText as labels } from '../text/inbox.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton, SkeletonList } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useMarket } from '../useMarket.ts'

// Encryption is large.
const Conversations = lazy(async () => ({ default: (await import('../talk/Conversations.tsx')).Conversations }))

/** What waits for the user in this market, in every role: duties first, then what else can be done. */
export function InboxPage() {
  return (
    <>
      <PageHead title={labels.title} description={labels.description} />
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
        ]}
      />
    </div>
  )
}

/** The tab of the messages, with the number of conversations that wait for the user. */
function MessagesLabel() {
  const { conversations = [] } = useConversations(useMarket())
  const count = conversations.filter(({ isYourTurn }) => isYourTurn).length
  return (
    <>
      {labels.tabs.messages} {count > 0 && <span className="count">{count}</span>}
    </>
  )
}

function Inbox({ address }: { address: string }) {
  const market = useMarket()
  const found = useApi('listInbox', { address, market })
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
                      <InboxList entries={group} />
                    </section>
                  ),
              )}
              {truncated && <Note>{labels.truncated}</Note>}
            </>
          )
        }}
      </QueryView>
    </>
  )
}
