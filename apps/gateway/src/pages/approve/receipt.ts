import type { RequestJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { ActionContracts, Call } from '@svc/protocol/actions'
import {
  computeTotals,
  computeUsd,
  decodeBatch,
  type Item,
  purposeWords,
  type ReceiptTask,
  sumOf,
  type Total,
} from '@svc/protocol/internal/actions'
import { formatShortAmount } from '@svc/protocol/internal/money'
import { shortHex } from '../address.ts'
import { type Html, html } from '../html.ts'

/** The task of a request, as far as it could be read. */
export interface Subject {
  task: ReceiptTask | null
  /** Untrusted. */
  title: string | null
  /** Dollars for one TOK; null without a price. */
  usdPerTok: number | null
}

/** What the request is about, and the three totals: what leaves the wallet now, what comes back, and who gets what. */
export function receiptSection(
  request: RequestJson,
  { task, title, usdPerTok }: Subject,
  markets: Readonly<Record<Market, ActionContracts>>,
): Html | false {
  const parts = decodeBatch(request.calls as readonly Call[], markets)
  if (!parts) return false
  const { now, isFromDeposit, back, get, mostUsdc, isCreditUsed } = computeTotals(parts, {
    from: request.from,
    task,
    prepared: request,
  })
  const money = (total: Total) => `${total.isUpTo ? 'up to ' : ''}${formatTotal(total.items, usdPerTok)}`
  const line = (label: string, total: Total, note = '') =>
    html`<div><dt>${label}</dt><dd class="num strong">${money(total)}</dd><dd class="soft">${listItems(total.items)}${note}</dd></div>`
  const maximum = mostUsdc === null ? '' : `, at most ${formatShortAmount(mostUsdc, 'usdc', 'up')} in all`
  return html`<section aria-labelledby="receipt">
<h2 id="receipt" class="unseen">What it takes and brings</h2>
${task && subjectCard(request, task, title, usdPerTok)}
<dl class="totals">
${line(isFromDeposit ? 'Leaves your deposit now' : 'Leaves your wallet now', now, `${isCreditUsed ? '. 1 Action Credit pays the fee' : ''}${maximum}`)}
${back.items.length > 0 && line('Comes back', back)}
${get.items.length > 0 && line(get.who === 'worker' ? 'The worker gets' : 'You get', get)}
</dl>
</section>`
}

function subjectCard({ taskId, from }: RequestJson, task: ReceiptTask, title: string | null, usdPerTok: number | null) {
  const isOwn = task.poster.toLowerCase() === from.toLowerCase()
  const other = isOwn ? task.worker : task.poster
  const pay = BigInt(task.totalAmountTokWei)
  return html`<div class="subject"><p><strong dir="auto">${title ?? taskId}</strong>
<span class="soft">${other === undefined ? 'Nobody has it yet' : html`${isOwn ? 'Worker' : 'Poster'} ${shortHex(other)}`}</span></p>
<p class="num"><strong>${formatTotal([{ what: 'pay', amount: pay, token: 'tok' }], usdPerTok)}</strong>${usdPerTok !== null && html` <span class="soft">${formatShortAmount(pay, 'tok')}</span>`}</p></div>`
}

const listItems = (items: readonly Item[]) =>
  new Intl.ListFormat('en').format(
    items.map(({ what, amount, token }) => `${formatShortAmount(amount, token, 'up')} ${purposeWords[what]}`.trim()),
  ) || 'Nothing but the network fee'

/** Dollars; without a price, the amounts themselves. */
function formatTotal(items: readonly Item[], usdPerTok: number | null): string {
  const [tok, usdc] = [sumOf(items, 'tok'), sumOf(items, 'usdc')]
  const usd = computeUsd(tok, usdc, usdPerTok)
  if (usd === null) {
    return [formatShortAmount(tok, 'tok'), ...(usdc > 0n ? [formatShortAmount(usdc, 'usdc')] : [])].join(' and ')
  }
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }).format(usd)
}
