import { formatCursor, formatTaskStatus } from '@svc/operations'
import { formatAmount, formatTaskId, formatTime, type Market, marketParams, type TaskPhase } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { claimPolicyLabels } from '@svc/protocol/internal/tasks'
import { formatUnits } from 'viem'
import { shortHex } from '../address.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { marketTabs } from '../marketTabs.ts'
import { countdown } from '../moments.ts'
import { claimGuide } from './claimGuide.ts'
import { type MarketQuery, marketHref, type Show, shows } from './marketQuery.ts'
import type { Listed, MarketPage } from './readMarket.ts'

/** Renders the tasks of one market: filters, list, paging, and the rows for export. */
export function marketBody(page: MarketPage, query: MarketQuery, baseUrl: string, now: number): Html {
  const { market, show, minText, words } = query
  const { listed, next, looked } = page
  const end = formatCursor(next)
  return html`<div class="title"><h1>Market</h1>${marketTabs('/market.html', market, { show })}</div>
<nav class="chips" aria-label="State"><ul>${(Object.keys(shows) as Show[]).map((each) => html`<li><a href="${marketHref(query, { show: each })}"${each === show ? html` aria-current="true"` : ''}>${shows[each].name}</a></li>`)}</ul></nav>
<form class="filters" id="filters" role="search" method="get" action="/market.html">
<input type="hidden" name="market" value="${market}"><input type="hidden" name="show" value="${show}">
<label>Pays at least <span class="unit"><input name="min" inputmode="decimal" size="10" maxlength="40" value="${minText}" autocomplete="off"> TOK</span></label>
<label class="grow">Words in title, tags or criteria <input name="q" type="search" maxlength="100" value="${words}" autocomplete="off"></label>
<button type="submit">Apply</button>
</form>
<div data-live="tasks">
${
  listed.length > 0
    ? html`<ol class="tasks">${listed.map((each) => taskItem(each, market, baseUrl, now))}</ol>`
    : emptyList(query, end)
}
${dataBlock(
  'rows',
  listed.map((each) => renderRow(each, market)),
)}
<nav class="paging" aria-label="More">
<span>${listed.length} ${listed.length === 1 ? 'task' : 'tasks'} shown, ${looked} searched</span>
${query.before !== undefined && html`<a href="${marketHref(query, {})}">First page</a>`}
${end && html`<a rel="next" href="${marketHref(query, { cursor: end })}">${listed.length > 0 ? 'Next page' : 'Search older tasks'}</a>`}
</nav>
</div>
<p class="exports needs-script"><span>Export the matching tasks, at most 1,000 rows:</span> <button type="button" data-export="csv">CSV</button> <button type="button" data-export="json">JSON</button> <span role="status" id="exported"></span></p>`
}

function taskItem({ task, phase, text }: Listed, market: Market, baseUrl: string, now: number): Html {
  const taskId = { market, number: task.number }
  const id = formatTaskId(taskId)
  const clock = renderClock(task, phase, market)
  return html`<li class="task">
<h2>${text ? text.title : 'Private task'}</h2>
<p class="pay">${formatAmount(task.total, 'tok')}</p>
<p class="facts"><span class="state ${phase === 'OPEN_FOR_CLAIM' ? 'open' : ''}">${formatTaskStatus({ phase, state: task.state })}</span> <a href="/v1/tasks/${id}">${id}</a> <span>${task.milestones.length === 1 ? '1 milestone' : `${task.milestones.length} milestones`}</span> <span>${task.funded === task.total ? 'locked' : `${formatAmount(task.funded, 'tok')} locked`}</span> ${task.state === 'POSTED' && html`<span>${claimPolicyLabels[task.claimPolicy]}</span>`} <span>by ${shortHex(task.poster)}</span>${text?.tags.map((tag) => html` <a href="/market.html?${new URLSearchParams({ market, q: tag }).toString()}">#${tag}</a>`)}</p>
${clock ? html`<p class="clock"><span>${clock.label}</span> ${countdown(clock.end, now, clock.over)} <span class="soft">${formatTime(clock.end)}</span></p>` : html`<p class="clock"></p>`}
${text && html`<p class="criteria">${text.criteria}</p>`}
${phase === 'OPEN_FOR_CLAIM' && claimGuide(taskId, baseUrl, task.claimPolicy === 'PERMIT')}
</li>`
}

function emptyList(query: MarketQuery, end: string | null): Html {
  if (end) return html`<p class="blank">No matches so far. Older tasks have not been searched yet.</p>`
  const isFiltered = query.min > 0n || query.words !== ''
  return html`<div class="blank"><p>${isFiltered ? 'No task matches these filters.' : `The ${query.market} market has no such task now.`}</p>
<p>${isFiltered ? html`<a href="/market.html?market=${query.market}&show=${query.show}">Clear the filters</a>` : html`<a href="${marketHref(query, { show: 'any' })}">Show tasks in every state</a>`}</p></div>`
}

/** The running deadline: its label, when it ends, and the label after that. */
function renderClock(task: TaskSnapshot, phase: TaskPhase, market: Market) {
  const { fundingWindow } = marketParams[market]
  switch (phase) {
    case 'OPEN_FOR_CLAIM':
      return { label: 'Claims close', end: task.claimableUntil, over: 'closed' }
    case 'AWAITING_FUNDS':
    case 'READY_TO_START':
    case 'CLAIM_LAPSED':
      return { label: 'Start due', end: task.claimedAt + fundingWindow, over: 'over' }
    case 'WORKING':
    case 'UNDER_NOTICE':
    case 'OVERDUE':
      return { label: 'Delivery due', end: task.deadline, over: 'overdue' }
    case 'IN_REVIEW':
    case 'REVIEW_LAPSED':
      return { label: 'Review ends', end: task.reviewEnd, over: 'over: silence pays' }
    default:
      return null
  }
}

/** Formats a task for export: exact amounts in TOK, times in ISO 8601. */
function renderRow({ task, phase, text }: Listed, market: Market) {
  const formatIsoTime = (seconds: number) => (seconds === 0 ? '' : new Date(seconds * 1000).toISOString())
  return {
    id: formatTaskId({ market, number: task.number }),
    market,
    state: task.state,
    phase,
    title: text?.title ?? '',
    totalTok: formatUnits(task.total, 18),
    fundedTok: formatUnits(task.funded, 18),
    releasedTok: formatUnits(task.released, 18),
    milestones: task.milestones.length,
    claimPolicy: task.claimPolicy,
    poster: task.poster,
    worker: task.worker ?? '',
    postedAt: formatIsoTime(task.postedAt),
    claimableUntil: formatIsoTime(task.claimableUntil),
    deadline: formatIsoTime(task.deadline),
    reviewEnd: formatIsoTime(task.reviewEnd),
  }
}
