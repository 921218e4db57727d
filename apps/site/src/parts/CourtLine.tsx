import type { Market } from '@svc/protocol'
import { useApi } from '../api.ts'
import { aboutCourt, describeCourtTerms } from '../text/courtTerms.ts'
import { ButtonLink } from '../ui/Button.tsx'

/** Which final court a market has, what it costs and how long it takes. Nothing while that is not known. */
export function CourtLine({ market }: { market: Market }) {
  const { body } = useApi('getSiteConfig', { market })
  if (!body?.court) return null
  return (
    <p className="small soft">
      {describeCourtTerms(body.court)}{' '}
      <ButtonLink look="plain" size="small" href={`/court?market=${market}`}>
        {aboutCourt}
      </ButtonLink>
    </p>
  )
}
