import { entryDeposit, formatAmount, pauseThreshold, recommendedDeposit } from '@svc/protocol'
import type { Wallet } from '../../reads/readHoldings.ts'
import { shortHex } from '../address.ts'
import { type Html, html } from '../html.ts'
import { renderSolvency } from './solvency.ts'

/** Maximum of the scale: larger deposits are above every threshold. */
const maxDeposit = 60_000_000n

const lines = [
  [pauseThreshold, '8'],
  [entryDeposit, '25'],
  [recommendedDeposit, '45'],
] as const

/** Renders deposits as bars against the thresholds of USD 8, 25 and 45. A table has the same data for screen readers. */
export function depositChart(deposits: readonly Wallet[]): Html {
  return html`<div class="chart" aria-hidden="true">
<div class="bar-row axis"><span></span><svg width="100%" height="18">${lines.map(([at, name]) => html`<text x="${percent(at)}" y="13" text-anchor="middle">${name}</text>`)}</svg><span>USD</span></div>
${deposits.map((each) => html`<div class="bar-row"><span>${shortHex(each.address)}</span>${bar(each)}<span>${formatAmount(each.deposit, 'usdc').replace(' USDC', '')}</span></div>`)}
</div>`
}

function bar(each: Wallet): Html {
  const { deposit, reserved } = each
  const isCut = deposit > maxDeposit
  return html`<svg width="100%" height="22" class="bar ${renderSolvency(each)}">
<rect class="all" x="0" y="5" width="${percent(deposit)}" height="12" rx="2"></rect>
<rect class="reserved" x="0" y="5" width="${percent(reserved)}" height="12" rx="2"></rect>
${lines.map(([at]) => html`<line x1="${percent(at)}" x2="${percent(at)}" y1="0" y2="22"></line>`)}
${isCut && html`<text class="cut" x="100%" y="15" text-anchor="end">›</text>`}
</svg>`
}

const percent = (amount: bigint) =>
  `${Number((10_000n * (amount < maxDeposit ? amount : maxDeposit)) / maxDeposit) / 100}%`
