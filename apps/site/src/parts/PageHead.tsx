import type { ReactNode } from 'react'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { usePageTitle } from '../usePageTitle.ts'
import '../style/page.css'

/** The top of a page: its title, a sentence about it, and the switch between the markets if the page is about one. */
export function PageHead({
  title,
  description,
  hasMarket = true,
}: {
  title: string
  description?: ReactNode
  hasMarket?: boolean
}) {
  usePageTitle(title)
  return (
    <div className="page-head">
      <div className="stack tight">
        <h1>{title}</h1>
        {description && <p className="soft">{description}</p>}
      </div>
      {hasMarket && <MarketSwitch />}
    </div>
  )
}
