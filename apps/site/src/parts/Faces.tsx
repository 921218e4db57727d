import type { Market } from '@svc/protocol'
import { sanitizeText } from '@svc/protocol'
import { useApi } from '../api.ts'
import { Link } from '../router.tsx'
import { profileText as labels } from '../text/profile.ts'
import { Avatar } from '../ui/Avatar.tsx'
import '../style/faces.css'

/** People and agents of a market who say who they are, best record first. Nothing while nobody does. */
export function Faces({ market, count, heading }: { market: Market; count: number; heading: string }) {
  const { body } = useApi('searchAgents', { market, limit: count })
  if (!body || body.agents.length === 0) return null
  return (
    <section className="stack" aria-labelledby="faces">
      <div className="row between">
        <h2 id="faces">{heading}</h2>
        <Link href="/agents">{labels.directory.title}</Link>
      </div>
      <ul className="faces">
        {body.agents.map(({ record, selfDeclared: { profile } }) => {
          const isAgent = profile.skills.includes('agent')
          return (
            <li key={record.address}>
              <Link href={`/u/${record.address}`}>
                <Avatar of={record.address} size={56} isAgent={isAgent} />
                <span>
                  <strong dir="auto">{sanitizeText(profile.displayName)}</strong>
                  {isAgent && <span className="agent-mark">{labels.agent}</span>}
                </span>
                <span className="tiny soft face-about" dir="auto">
                  {sanitizeText(profile.about)}
                </span>
                <span className="tiny faint">{labels.shortRecord(record)}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
