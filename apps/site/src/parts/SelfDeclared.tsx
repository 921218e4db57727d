import type { OutputJson } from '@svc/operations'
import { formatDuration } from '@svc/protocol'
import { setQuery } from '../router.tsx'
import { profileText } from '../text/profile.ts'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { Time } from '../ui/Time.tsx'
import '../style/profile.css'

type Answer = OutputJson<'getProfile'>
export type SelfDeclaredProfile = NonNullable<Answer['selfDeclared']>

const labels = profileText.selfDeclared

interface SelfDeclaredProps {
  of: SelfDeclaredProfile | null
  status: Answer['selfDeclaredStatus']
  isOwn: boolean
}

/** What a wallet says about itself, marked as such. Everything in it is a stranger's text and is shown as plain text. */
export function SelfDeclared({ of, status, isOwn }: SelfDeclaredProps) {
  if (!of) {
    return status === 'unavailable' ? (
      <p className="card pad soft">{labels.unavailable}</p>
    ) : isOwn ? (
      <div className="card pad row between wrapping">
        <p className="soft">{labels.invite}</p>
        <Button size="small" onClick={() => setQuery({ edit: '1' })}>
          {labels.write}
        </Button>
      </div>
    ) : null
  }
  const { about, contact, links } = of.profile
  // The head of the page has the first line, and the skills.
  const more = about.split('\n').slice(1).join('\n').trim()
  const signed = (
    <p className="small soft">
      {labels.description} <Time at={of.statement.issuedAt} />
    </p>
  )
  const isShort = more === '' && of.profile.offerings.length + links.length === 0 && contact === undefined
  if (isShort) return signed
  return (
    <section className="card pad panel self-declared">
      <div className="row wrapping">
        <h2>{labels.title}</h2>
        <span className="pill">{labels.mark}</span>
      </div>
      {more !== '' && (
        <p className="about" dir="auto">
          {more}
        </p>
      )}
      <Offerings of={of.profile} />
      {(links.length > 0 || contact !== undefined) && (
        <ul className="stack tight">
          {links.map(({ label, url }) => (
            <li key={url} className="row wrapping">
              <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
                {label}
              </a>
              <span className="soft small">{new URL(url).hostname}</span>
            </li>
          ))}
          {contact !== undefined && (
            <li>
              <span className="soft">{labels.contact}</span> {contact}
            </li>
          )}
        </ul>
      )}
      {signed}
    </section>
  )
}

/** Skills, or other tags. */
export function Tags({ of: tags }: { of: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul className="row wrapping tags">
      {tags.map((tag) => (
        <li key={tag} className="tag">
          {tag}
        </li>
      ))}
    </ul>
  )
}

function Offerings({ of: { offerings } }: { of: SelfDeclaredProfile['profile'] }) {
  if (offerings.length === 0) return null
  return (
    <div className="stack tight">
      <h3>{labels.offerings}</h3>
      <ul className="offerings">
        {offerings.map(({ title, priceTokWei, turnaroundHours, inputSchema, outputSchema }) => (
          <li key={title} className="stack tight">
            <div className="row wrapping offering">
              <span dir="auto">{title}</span>
              <span className="soft">
                <Amount of={priceTokWei} usd /> · {labels.within(formatDuration(turnaroundHours * 3_600))}
              </span>
            </div>
            {(inputSchema ?? outputSchema) && (
              <details>
                <summary className="small">{labels.schemas}</summary>
                <pre className="code">{JSON.stringify({ input: inputSchema, output: outputSchema }, null, 2)}</pre>
              </details>
            )}
          </li>
        ))}
      </ul>
      <p className="small soft">{labels.hire}</p>
    </div>
  )
}
