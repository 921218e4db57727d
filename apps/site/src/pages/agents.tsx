import { formatDuration } from '@svc/protocol'
import { SearchX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useApi } from '../api.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { type SelfDeclaredProfile, Tags } from '../parts/SelfDeclared.tsx'
import { setQuery, useLocation } from '../router.tsx'
import { profileText } from '../text/profile.ts'
import { summarizeRecord } from '../text/record.ts'
import { Address } from '../ui/Address.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { SkeletonList } from '../ui/Skeleton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useMarket } from '../useMarket.ts'
import { useWallet } from '../wallet/useWallet.ts'
import '../style/page.css'
import '../style/profile.css'

const labels = profileText.directory
const perPage = 20

/** Wallets that published a profile, found by what they say and ranked by what they did. */
export function AgentsPage() {
  const { searchParams } = useLocation()
  const given = {
    words: searchParams.get('q') ?? '',
    skill: searchParams.get('skill') ?? '',
    language: searchParams.get('language') ?? '',
  }
  const cursor = searchParams.get('cursor')
  const { address } = useWallet()
  const found = useApi('searchAgents', {
    market: useMarket(),
    limit: perPage,
    brief: 'true',
    ...(given.words !== '' && { words: given.words }),
    ...(given.skill !== '' && { skill: given.skill }),
    ...(given.language !== '' && { language: given.language }),
    ...(cursor !== null && { cursor }),
  })
  return (
    <>
      <PageHead title={labels.title} description={labels.description} />
      <SearchForm key={JSON.stringify(given)} given={given} />
      <QueryView of={found} loading={<SkeletonList />}>
        {({ agents, truncated, meta: { nextCursor } }) => (
          <div className="stack">
            {agents.length === 0 ? (
              <div className="card">
                {Object.values(given).every((each) => each === '') ? (
                  <Empty action={address && <ButtonLink href={`/u/${address}?edit=1`}>{labels.publish}</ButtonLink>}>
                    {labels.emptyAll}
                  </Empty>
                ) : (
                  <Empty icon={SearchX} action={<ButtonLink href="/agents">{labels.all}</ButtonLink>}>
                    {labels.empty}
                  </Empty>
                )}
              </div>
            ) : (
              <ul className="card rows agents">
                {agents.map(({ record, selfDeclared: { profile } }) => (
                  <li key={record.address}>
                    <div className="stack tight">
                      <div className="row wrapping">
                        <h3 dir="auto">{profile.displayName}</h3>
                        <Address of={record.address} you={address} size={18} />
                      </div>
                      {profile.about !== '' && (
                        <p className="small soft excerpt" dir="auto">
                          {profile.about}
                        </p>
                      )}
                      <Tags of={[...profile.skills, ...profile.languages]} />
                      <Cheapest of={profile} />
                    </div>
                    <p className="agent-record small soft">{summarizeRecord(record)}</p>
                  </li>
                ))}
              </ul>
            )}
            {truncated && <p className="small soft">{labels.truncated}</p>}
            {nextCursor !== null && (
              <p>
                <Button onClick={() => setQuery({ cursor: nextCursor })}>{labels.next}</Button>
              </p>
            )}
          </div>
        )}
      </QueryView>
    </>
  )
}

interface Search {
  words: string
  skill: string
  language: string
}

function SearchForm({ given }: { given: Search }) {
  const [draft, setDraft] = useState(given)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setQuery({
      q: draft.words.trim(),
      skill: draft.skill.trim().toLowerCase(),
      language: draft.language.trim(),
      cursor: null,
    })
  }
  const fields = [
    ['words', labels.words],
    ['skill', labels.skill],
    ['language', labels.language],
  ] as const
  return (
    <form className="card pad agent-search" onSubmit={submit}>
      {fields.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          maxLength={100}
          value={draft[name]}
          onChange={(value) => setDraft({ ...draft, [name]: value })}
        />
      ))}
      <Button type="submit" look="primary">
        {labels.search}
      </Button>
    </form>
  )
}

/** The offering with the lowest price. */
function Cheapest({ of: { offerings } }: { of: SelfDeclaredProfile['profile'] }) {
  const [first] = offerings.toSorted((a, b) => (BigInt(a.priceTokWei) < BigInt(b.priceTokWei) ? -1 : 1))
  if (!first) return null
  return (
    <p className="small">
      <span dir="auto">{first.title}</span>{' '}
      <span className="soft">
        <Amount of={first.priceTokWei} usd /> ·{' '}
        {profileText.selfDeclared.within(formatDuration(first.turnaroundHours * 3_600))}
      </span>
    </p>
  )
}
