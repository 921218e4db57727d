import { sanitizeText } from '@svc/protocol'
import { lazy, Suspense, useState } from 'react'
import { getAddress, isAddress } from 'viem'
import { useApi } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { CategoryTile } from '../parts/Category.tsx'
import { NotFound } from '../parts/NotFound.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { SelfDeclared, Tags } from '../parts/SelfDeclared.tsx'
import { nameTask } from '../parts/TaskList.tsx'
import { TrackRecord } from '../parts/TrackRecord.tsx'
import { WorkRows } from '../parts/WorkRows.tsx'
import { Link, setQuery, useLocation } from '../router.tsx'
import { profileText as labels } from '../text/profile.ts'
import { describeUsual } from '../text/record.ts'
import { Address, CopyButton, shortenAddress } from '../ui/Address.tsx'
import { Worth } from '../ui/Amount.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { Skeleton, SkeletonList } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { Time } from '../ui/Time.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { getFirstName } from '../usePerson.ts'
import { useWallet } from '../wallet/useWallet.ts'
import '../style/page.css'
import '../style/profile.css'

const recentCount = 10

// Signing and its schema are loaded only by those who edit.
const EditProfile = lazy(async () => ({ default: (await import('../notify/EditProfile.tsx')).EditProfile }))

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
  const open = posted.body?.tasks.filter(({ phase }) => phase === 'OPEN_FOR_CLAIM') ?? []
  const isOwn = viewer?.toLowerCase() === address.toLowerCase()
  const isEditing = useLocation().searchParams.has('edit') && isOwn
  const profile = found.body?.selfDeclared?.profile
  const name = profile && sanitizeText(profile.displayName)
  return (
    <div className="profile">
      <div className="profile-first">
        <header className="profile-head">
          <Avatar
            of={address}
            size={96}
            isAgent={profile?.skills.includes('agent') ?? false}
            picture={profile?.picture}
          />
          <div className="stack tight">
            <h1 dir="auto">{name ?? shortenAddress(address)}</h1>
            <p className="soft" dir="auto">
              {profile ? sanitizeText(profile.about.split('\n')[0] ?? '') : labels.description}
            </p>
            {profile && <Tags of={profile.skills} />}
            <span className="row">{isOwn && <span className="pill good">{labels.you}</span>}</span>
          </div>
          <MarketSwitch />
        </header>
        <QueryView of={found} loading={<SkeletonList rows={1} />}>
          {({ record }) => (
            <dl className="profile-record">
              {labels.sentences(record).map(([big, small]) => (
                <div key={big}>
                  <dt>{big}</dt>
                  <dd className="small soft">{small}</dd>
                </div>
              ))}
            </dl>
          )}
        </QueryView>
      </div>
      <div className="stack loose">
        <Finished address={address} />
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
        {open.length > 0 && (
          <section className="panel">
            <h2>{labels.openPostings}</h2>
            <WorkRows tasks={open} from={address} />
          </section>
        )}
        <section className="panel">
          <h2>{labels.recent}</h2>
          <RecentTasks address={address} />
        </section>
      </div>
      <QueryView of={found}>
        {({ record }) => (
          <div className="stack profile-side">
            <section className="card raised pad panel">
              <p className="profile-says">{labels.describe(record, name ? getFirstName(name) : null)}</p>
              {viewer && !isOwn && (
                <ButtonLink look="primary" size="big" wide href={`/work?tab=offers&to=${address}`}>
                  {labels.offer(name ? getFirstName(name) : null)}
                </ButtonLink>
              )}
              {isOwn && !isEditing && <Button onClick={() => setQuery({ edit: '1' })}>{labels.edit.open}</Button>}
            </section>
            <section className="card pad panel">
              <dl className="facts">
                <dt>{labels.earnedHere}</dt>
                <dd>
                  <Worth of={record.earnedTokWei} />
                </dd>
                <dt>{labels.paidHere}</dt>
                <dd>
                  <Worth of={record.paidTokWei} />
                </dd>
                <dt>{labels.workedWith}</dt>
                <dd>{labels.people(record.distinctCounterparties)}</dd>
                <Usual of={record.review} />
                {profile && profile.languages.length > 0 && (
                  <>
                    <dt>{labels.languages}</dt>
                    <dd>{profile.languages.map(nameLanguage).join(', ')}</dd>
                  </>
                )}
                {record.firstSeen && (
                  <>
                    <dt>{labels.since}</dt>
                    <dd>
                      <Time at={record.firstSeen.at} />
                    </dd>
                  </>
                )}
                <dt>{labels.addressLabel}</dt>
                <dd className="row">
                  {shortenAddress(address)} <CopyButton value={address} label={labels.copy} />
                </dd>
              </dl>
              <details className="proof">
                <summary>{labels.fold}</summary>
                <TrackRecord of={record} />
              </details>
            </section>
          </div>
        )}
      </QueryView>
    </div>
  )
}

/** A language in English. A tag that has no name stands for itself. */
const nameLanguage = (tag: string): string =>
  new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }).of(tag) ?? tag

/** How soon this wallet answers a delivery, if enough answers say so. */
function Usual({ of }: { of: Parameters<typeof describeUsual>[0] }) {
  const usual = describeUsual(of, 'answer')
  if (!usual) return null
  return (
    <>
      <dt>{labels.answersIn}</dt>
      <dd>
        {usual.time}, {usual.sample}
      </dd>
    </>
  )
}

/** What this wallet did and was paid for. */
function Finished({ address }: { address: string }) {
  const market = useMarket()
  const { body } = useApi('listTasksByWorker', { address, market, limit: recentCount, texts: 'true' })
  const done = body?.tasks.filter(({ state, scope }) => state === 'COMPLETED' && scope === 'OPEN').slice(0, 4) ?? []
  if (done.length === 0) return null
  return (
    <section className="panel">
      <h2>{labels.finished}</h2>
      <ul className="finished">
        {done.map((task) => (
          <li key={task.id} className="card pad">
            <CategoryTile tags={task.tags} title={task.title} size={44} />
            <h3 dir="auto">
              <Link href={`/tasks/${task.id}`}>{nameTask(task)}</Link>
            </h3>
            <p className="row between small soft">
              <Address of={task.poster} size={20} />
              <strong>
                <Worth of={task.releasedTokWei} />
              </strong>
            </p>
          </li>
        ))}
      </ul>
    </section>
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
