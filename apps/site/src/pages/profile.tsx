import { lazy, Suspense, useState } from 'react'
import { getAddress, isAddress } from 'viem'
import { useApi } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { NotFound } from '../parts/NotFound.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { SelfDeclared } from '../parts/SelfDeclared.tsx'
import { TrackRecord } from '../parts/TrackRecord.tsx'
import { WorkRows } from '../parts/WorkRows.tsx'
import { setQuery, useLocation } from '../router.tsx'
import { profileText as labels } from '../text/profile.ts'
import { CopyButton, shortenAddress } from '../ui/Address.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { Skeleton, SkeletonList } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { useWallet } from '../wallet/useWallet.ts'
import '../style/page.css'
import '../style/profile.css'

const recentCount = 10

// Signing and its schema are loaded only by those who edit.
const EditProfile = lazy(async () => ({ default: (await import('../parts/EditProfile.tsx')).EditProfile }))

/** What the chain says about a wallet in this market, and what the wallet says about itself. */
export function ProfilePage({ params: { address = '' } }: PageProps) {
  return isAddress(address, { strict: false }) ? <Profile address={getAddress(address)} /> : <NotFound />
}

function Profile({ address }: { address: string }) {
  usePageTitle(labels.title(shortenAddress(address)))
  const { address: viewer } = useWallet()
  const market = useMarket()
  const found = useApi('getProfile', { address, market })
  const posted = useApi('listTasksByPoster', { address, market, limit: 50, texts: 'true' })
  const isOwn = viewer?.toLowerCase() === address.toLowerCase()
  const isEditing = useLocation().searchParams.has('edit') && isOwn
  const name = found.body?.selfDeclared?.profile.displayName
  return (
    <>
      <div className="page-head">
        <div className="row profile-name">
          <Avatar of={address} size={56} />
          <div className="stack tight">
            <div className="row wrapping">
              <h1 dir="auto">{name ?? shortenAddress(address)}</h1>
              {name !== undefined && <span className="soft">{shortenAddress(address)}</span>}
              <CopyButton value={address} label={labels.copy} />
              {isOwn && <span className="pill good">{labels.you}</span>}
            </div>
            <p className="soft">{name === undefined ? labels.description : labels.nameSays}</p>
          </div>
        </div>
        <div className="row wrapping">
          {viewer && !isOwn && <ButtonLink href={`/work?tab=offers&to=${address}`}>{labels.offer}</ButtonLink>}
          {isOwn && !isEditing && <Button onClick={() => setQuery({ edit: '1' })}>{labels.edit.open}</Button>}
          <MarketSwitch />
        </div>
      </div>
      <div className="split side-first">
        <div className="stack loose">
          {isEditing ? (
            <Suspense fallback={<Skeleton lines={8} />}>
              <QueryView of={found}>
                {({ selfDeclared }) => (
                  <EditProfile
                    wallet={getAddress(address)}
                    current={selfDeclared}
                    onDone={() => {
                      setQuery({ edit: null })
                      void found.refetch()
                    }}
                  />
                )}
              </QueryView>
            </Suspense>
          ) : (
            <QueryView of={found} loading={<SkeletonList rows={1} />}>
              {({ selfDeclared, selfDeclaredStatus }) => (
                <SelfDeclared of={selfDeclared} status={selfDeclaredStatus} isOwn={isOwn} />
              )}
            </QueryView>
          )}
          <section className="panel">
            <h2>{labels.openPostings}</h2>
            <QueryView of={posted} loading={<SkeletonList rows={2} />}>
              {({ tasks }) => {
                const open = tasks.filter(({ phase }) => phase === 'OPEN_FOR_CLAIM')
                return open.length > 0 ? (
                  <WorkRows tasks={open} from={address} />
                ) : (
                  <p className="card pad soft">{labels.noOpen}</p>
                )
              }}
            </QueryView>
          </section>
          <section className="panel">
            <h2>{labels.recent}</h2>
            <RecentTasks address={address} />
          </section>
        </div>
        <section className="card pad panel">
          <h2>{labels.record}</h2>
          <QueryView of={found}>{({ record }) => <TrackRecord of={record} />}</QueryView>
        </section>
      </div>
    </>
  )
}

function RecentTasks({ address }: { address: string }) {
  const [tab, setTab] = useState('worker')
  return (
    <Tabs
      chosen={tab}
      onChoose={setTab}
      tabs={[
        { id: 'worker', label: labels.asWorker, content: () => <Tasks read="listTasksByWorker" address={address} /> },
        { id: 'poster', label: labels.asPoster, content: () => <Tasks read="listTasksByPoster" address={address} /> },
      ]}
    />
  )
}

function Tasks({ read, address }: { read: 'listTasksByWorker' | 'listTasksByPoster'; address: string }) {
  const found = useApi(read, { address, market: useMarket(), limit: recentCount, texts: 'true' })
  return (
    <QueryView of={found} loading={<SkeletonList rows={2} />}>
      {({ tasks }) =>
        tasks.length > 0 ? (
          <WorkRows tasks={tasks} from={address} />
        ) : (
          <p className="card pad soft">{labels.noRecent}</p>
        )
      }
    </QueryView>
  )
}
