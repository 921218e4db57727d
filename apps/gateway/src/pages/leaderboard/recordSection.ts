import { formatAmount, formatTaskId, formatTime, type Market } from '@svc/protocol'
import type { MarketEvent } from '@svc/protocol/fold'
import type { Address } from 'viem'
import { copyButton, shortHex } from '../address.ts'
import { type Html, html } from '../html.ts'
import { type FigureName, figures } from './figures.ts'

const maxRows = 500

/** Renders the events behind a figure, newest first. */
export function recordSection(events: readonly MarketEvent[], market: Market, wallet: Address, of: FigureName): Html {
  const shown = events.toReversed().slice(0, maxRows)
  return html`<section id="record" class="card" aria-labelledby="record-name">
<h2 id="record-name">${figures[of].name} of ${shortHex(wallet)}</h2>
<p class="soft">${events.length === 0 ? 'No event yet.' : `${events.length} ${events.length === 1 ? 'event' : 'events'} of the ${market} market's contracts${events.length > maxRows ? `, the newest ${maxRows} shown` : ''}.`} <a href="/leaderboard.html?market=${market}">Close</a></p>
${shown.length > 0 && eventTable(shown, market)}
</section>`
}

function eventTable(events: readonly MarketEvent[], market: Market): Html {
  return html`<table>
<caption class="unseen">Events, newest first</caption>
<thead><tr><th scope="col">Event</th><th scope="col">Task</th><th scope="col" class="num">Amount</th><th scope="col" class="num">Block</th><th scope="col">Time</th><th scope="col">Transaction</th></tr></thead>
<tbody>${events.map((event) => {
    const { taskId, amount } = event.args as { taskId?: bigint; amount?: bigint }
    const id = taskId === undefined ? null : formatTaskId({ market, number: taskId })
    const hash = event.transactionHash ?? ''
    return html`<tr><th scope="row" data-label="Event">${event.name}</th><td data-label="Task">${id ? html`<a href="/v1/tasks/${id}">${id}</a>` : '–'}</td><td class="num" data-label="Amount">${amount === undefined ? '–' : formatAmount(amount, 'tok')}</td><td class="num" data-label="Block">${event.block.number.toLocaleString('en')}</td><td data-label="Time">${formatTime(event.block.timestamp)}</td><td data-label="Transaction"><span>${shortHex(hash)}${copyButton(hash, 'transaction hash')}</span></td></tr>`
  })}</tbody>
</table>`
}
