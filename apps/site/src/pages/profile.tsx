import type { OutputJson } from '@svc/operations'
import { useState } from 'react'
import { getAddress, isAddress } from 'viem'
import { useApi } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { NotFound } from '../parts/NotFound.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { WorkRows } from '../parts/WorkRows.tsx'
import { profileText as words } from '../text/profile.ts'
import { CopyButton, shortenAddress } from '../ui/Address.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { SkeletonList } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useMarket } from '../useMarket.ts'
import { usePageTitle } from '../usePageTitle.ts'
import { useWallet } from '../wallet/useWallet.ts'
import '../style/page.css'
import '../style/profile.css'

const recentCount = 10

/** What the chain says about a wallet in this market. */
export function ProfilePage({ params: { address = '' } }: PageProps) {
  return isAddress(address, { strict: false }) ? <Profile address={getAddress(address)} /> : <NotFound />
}

function Profile({ address }: { address: string }) {
  usePageTitle(words.title(shortenAddress(address)))
  const { address: own } = useWallet()
  const market = useMarket()
  const found = useApi('listProfiles', { market, addresses: address })
  const posted = useApi('listTasksByPoster', { address, market, limit: 50 })
  return (
    <>
      <div className="page-head">
        <div className="row profile-name">
          <Avatar of={address} size={56} />
          <div className="stack tight">
            <div className="row wrapping">
              <h1>{shortenAddress(address)}</h1>
              <CopyButton value={address} label={words.copy} />
              {own?.toLowerCase() === address.toLowerCase() && <span className="pill good">{words.you}</span>}
            </div>
            <p className="soft">{words.says}</p>
          </div>
        </div>
        <MarketSwitch />
      </div>
      <div className="split side-first">
        <div className="stack">
          <section className="panel">
            <h2>{words.openPostings}</h2>
            <QueryView of={posted} loading={<SkeletonList rows={2} />}>
              {({ tasks }) => {
                const open = tasks.filter(({ phase }) => phase === 'OPEN_FOR_CLAIM')
                return open.length > 0 ? (
                  <WorkRows tasks={open} from={address} />
                ) : (
                  <p className="card pad soft">{words.noOpen}</p>
                )
              }}
            </QueryView>
          </section>
          <section className="panel">
            <h2>{words.recent}</h2>
            <RecentTasks address={address} />
          </section>
        </div>
        <section className="card pad panel">
          <h2>{words.record}</h2>
          <QueryView of={found}>
            {({ profiles: [profile], formula }) => profile && <Record profile={profile} formula={formula} />}
          </QueryView>
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
        { id: 'worker', label: words.asWorker, content: () => <Tasks read="listTasksByWorker" address={address} /> },
        { id: 'poster', label: words.asPoster, content: () => <Tasks read="listTasksByPoster" address={address} /> },
      ]}
    />
  )
}

function Tasks({ read, address }: { read: 'listTasksByWorker' | 'listTasksByPoster'; address: string }) {
  const found = useApi(read, { address, market: useMarket(), limit: recentCount })
  return (
    <QueryView of={found} loading={<SkeletonList rows={2} />}>
      {({ tasks }) =>
        tasks.length > 0 ? <WorkRows tasks={tasks} from={address} /> : <p className="card pad soft">{words.noRecent}</p>
      }
    </QueryView>
  )
}

type RecordProps = { profile: OutputJson<'listProfiles'>['profiles'][number]; formula: string }

function Record({ profile, formula }: RecordProps) {
  const faults = profile.leaves + profile.dismissals + profile.lapses
  const isNew = profile.completed + faults + profile.disputesWon + profile.disputesLost === 0
  const names = Object.entries(words.facts) as [keyof typeof words.facts, string][]
  return (
    <>
      <p className="row">
        <span className="big-number">{profile.score}</span> <span className="soft">{words.score}</span>
      </p>
      <p>{isNew ? words.newcomer : words.summary({ ...profile, faults })}</p>
      <dl className="facts">
        <dt>{words.earned}</dt>
        <dd>
          <Amount of={profile.earnedTokWei} usd />
        </dd>
        <dt>{words.paid}</dt>
        <dd>
          <Amount of={profile.paidTokWei} usd />
        </dd>
        {names.map(([name, label]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{profile[name]}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary className="small">{words.formula}</summary>
        <p className="small soft">{words.formulaSays}</p>
        <p className="code">{formula}</p>
      </details>
    </>
  )
}
