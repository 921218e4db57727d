import { type Market, markets } from '@svc/protocol'
import { type Html, html } from './html.ts'

/** Renders links to the same page of each market. */
export function marketTabs(path: string, current: Market, query: Readonly<Record<string, string>> = {}): Html {
  const buildHref = (market: Market) => `${path}?${new URLSearchParams({ ...query, market })}`
  return html`<nav class="tabs" aria-label="Market"><ul>${markets.map((market) => html`<li><a href="${buildHref(market)}"${market === current ? html` aria-current="true"` : ''}>${market === 'standard' ? 'Standard' : 'Micro'}</a></li>`)}</ul></nav>`
}
