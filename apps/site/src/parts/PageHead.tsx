import type { ReactNode } from 'react'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { usePageTitle } from '../usePageTitle.ts'
import '../style/page.css'

/** The top of a page: its title, a sentence about it, and the switch between the markets if the page is about one. */
export function PageHead({
  title,
  heading = title,
  description,
  hasMarket = true,
}: {
  title: string
  /** What stands on the page, if that is not its name. */
  heading?: string
  description?: ReactNode
  hasMarket?: boolean
}) {
  usePageTitle(title)
  return (
    <div className="page-head">
      <div className="stack tight">
        <h1>{heading}</h1>
        {description && <p className="soft">{description}</p>}
      </div>
      {hasMarket && <MarketSwitch />}
    </div>
  )
}
