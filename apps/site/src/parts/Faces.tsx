import type { Market } from '@svc/protocol'
import { sanitizeText } from '@svc/protocol'
import { useApi } from '../api.ts'
import { Link } from '../router.tsx'
import { agentMark, directoryTitle, summarizeRecord } from '../text/record.ts'
import { Avatar } from '../ui/Avatar.tsx'
import '../style/faces.css'

interface FacesProps {
  market: Market
  count: number
  heading: string
  /** Words that their profiles have. */
  words?: string
  /** A card with a row for each, beside a list. */
  isList?: boolean
}

/** People and agents of a market who say who they are, best record first. Nothing while nobody does. */
export function Faces({ market, count, heading, words = '', isList = false }: FacesProps) {
  const { body } = useApi('searchAgents', {
    market,
    limit: count,
    brief: 'true',
    ...(words && { words: words.slice(0, 100) }),
  })
  if (!body || body.agents.length === 0) return null
  return (
    <section className={isList ? 'card pad stack faces-card' : 'stack'} aria-labelledby="faces">
      <div className="row between wrapping">
        <h2 id="faces">{heading}</h2>
        {!isList && <Link href="/agents">{directoryTitle}</Link>}
      </div>
      <ul className="faces">
        {body.agents.map(({ record, selfDeclared: { profile } }) => {
          const isAgent = profile.skills.includes('agent')
          return (
            <li key={record.address}>
              <Link href={`/u/${record.address}`}>
                <Avatar of={record.address} size={isList ? 40 : 56} isAgent={isAgent} picture={profile.picture} />
                <span>
                  <strong dir="auto">{sanitizeText(profile.displayName)}</strong>
                  {isAgent && <span className="agent-mark">{agentMark}</span>}
                </span>
                <span className="tiny soft face-about" dir="auto">
                  {sanitizeText(profile.about)}
                </span>
                <span className="tiny faint">{summarizeRecord(record)}</span>
              </Link>
            </li>
          )
        })}
      </ul>
      {isList && (
        <p className="small">
          <Link href="/agents">{directoryTitle}</Link>
        </p>
      )}
    </section>
  )
}
