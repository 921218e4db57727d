import type { UnionOverview } from '@svc/chain'
import {
  entryDeposit,
  formatAmount,
  formatTaskId,
  type Market,
  pauseThreshold,
  recommendedDeposit,
} from '@svc/protocol'
import { formatShortAmount } from '@svc/protocol/internal/money'
import { pauseRule } from '@svc/protocol/internal/tasks'
import type { Holdings, Wallet } from '../../reads/readHoldings.ts'
import { shortHex } from '../address.ts'
import { type Html, html } from '../html.ts'
import { marketTabs } from '../marketTabs.ts'
import { depositChart } from './depositChart.ts'
import { renderSolvency, solvencyWords } from './solvency.ts'

/** The chart shows only the lowest deposits; the table shows more. */
const maxBars = 20
const maxRows = 500

/** Renders an amount that people can read. The tooltip has the exact one. */
const renderTok = (amount: bigint) =>
  html`<span title="${formatAmount(amount, 'tok')}">${formatShortAmount(amount, 'tok')}</span>`

/** Renders deposits against the three thresholds, what of them is set aside, and what tasks hold. */
export function treasuryBody(
  { wallets: deposits, totalDeposits, escrow }: Holdings,
  union: UnionOverview,
  market: Market,
): Html {
  const { held, withdrawable, tasks } = escrow
  const reserved = deposits.reduce((sum, each) => sum + each.reserved, 0n)
  return html`<div class="title"><h1>Treasury</h1>${marketTabs('/treasury-dashboard.html', market)}</div>
<div data-live="treasury">
<dl class="figures">
<div><dt>Deposits</dt><dd>${formatAmount(totalDeposits, 'usdc')}</dd></div>
<div><dt>Set aside for live tasks</dt><dd>${formatAmount(reserved, 'usdc')}</dd></div>
<div><dt>Locked in tasks</dt><dd>${renderTok(held)} <span class="soft">${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}</span></dd></div>
<div><dt>Waiting to be withdrawn</dt><dd>${renderTok(withdrawable)}</dd></div>
<div><dt>Union rewards to come</dt><dd>${renderTok(union.rewardReserve)}</dd></div>
<div><dt>In the Union</dt><dd>${renderTok(union.totalStaked)}</dd></div>
</dl>
${endangered(deposits)}
<section aria-labelledby="deposits">
<h2 id="deposits">Deposits and thresholds</h2>
<p class="soft">${pauseRule} ${formatAmount(entryDeposit, 'usdc')} are needed to post or claim; ${formatAmount(recommendedDeposit, 'usdc')} are recommended. The solid part of a bar is set aside for live tasks. Bars end at 60.00 USDC.</p>
${
  deposits.length === 0
    ? html`<p class="blank">Nobody has deposited anything in the ${market} market yet.</p>`
    : html`${depositChart(deposits.slice(0, maxBars))}
${deposits.length > maxBars && html`<p class="soft">The ${maxBars} lowest of ${deposits.length}.</p>`}
${depositTable(deposits.slice(0, maxRows))}
${deposits.length > maxRows && html`<p class="soft">The ${maxRows} lowest of ${deposits.length}.</p>`}`
}
</section>
${escrowTable(tasks, market)}
</div>`
}

function endangered(deposits: readonly Wallet[]): Html {
  const of = (solvency: ReturnType<typeof renderSolvency>) =>
    deposits.filter((each) => renderSolvency(each) === solvency)
  const [paused, near] = [of('paused'), of('near')]
  return html`<section aria-labelledby="near">
<h2 id="near">Entries paused, or about to pause</h2>
${
  paused.length + near.length === 0
    ? html`<p>Nobody. Every deposit stays above ${formatAmount(pauseThreshold, 'usdc')} even if everything set aside for live tasks were taken.</p>`
    : html`<ul class="plain">${[...paused, ...near].slice(0, maxBars).map((each) => html`<li><span class="state ${renderSolvency(each)}">${solvencyWords[renderSolvency(each)]}</span> ${shortHex(each.address)} ${dangerWords(each)}</li>`)}</ul>
<p class="soft">About to pause: below ${formatAmount(pauseThreshold, 'usdc')} if everything set aside for live tasks were taken as penalties.</p>`
}
</section>`
}

function dangerWords({ deposit, reserved }: Wallet): string {
  if (deposit < pauseThreshold) {
    return `lacks ${formatAmount(pauseThreshold - deposit, 'usdc')} to lock the pay of a posted task, ${formatAmount(entryDeposit - deposit, 'usdc')} to post or claim`
  }
  return `has ${formatAmount(deposit, 'usdc')}, of which ${formatAmount(reserved, 'usdc')} is set aside`
}

function depositTable(deposits: readonly Wallet[]): Html {
  return html`<table>
<caption class="unseen">Deposits, lowest first</caption>
<thead><tr><th scope="col">Wallet</th><th scope="col" class="num">Deposit</th><th scope="col" class="num">Set aside</th><th scope="col" class="num">Free</th><th scope="col">Stands</th></tr></thead>
<tbody>${deposits.map((each) => html`<tr><th scope="row" data-label="Wallet">${shortHex(each.address)}</th><td class="num" data-label="Deposit">${formatAmount(each.deposit, 'usdc')}</td><td class="num" data-label="Set aside">${formatAmount(each.reserved, 'usdc')}</td><td class="num" data-label="Free">${formatAmount(each.deposit - each.reserved, 'usdc')}</td><td data-label="Stands"><span class="state ${renderSolvency(each)}">${solvencyWords[renderSolvency(each)]}</span></td></tr>`)}</tbody>
</table>`
}

function escrowTable(tasks: Holdings['escrow']['tasks'], market: Market): Html {
  return html`<section aria-labelledby="escrow">
<h2 id="escrow">Locked in tasks</h2>
${
  tasks.length === 0
    ? html`<p class="blank">No task of the ${market} market has anything locked now.</p>`
    : html`<table>
<caption class="unseen">Tasks by what is locked in them, most first</caption>
<thead><tr><th scope="col">Task</th><th scope="col" class="num">Locked</th></tr></thead>
<tbody>${tasks.slice(0, maxBars).map(({ number, held }) => {
        const id = formatTaskId({ market, number })
        return html`<tr><th scope="row" data-label="Task"><a href="/v1/tasks/${id}">${id}</a></th><td class="num" data-label="Locked">${renderTok(held)}</td></tr>`
      })}</tbody>
</table>
${tasks.length > maxBars && html`<p class="soft">The ${maxBars} largest of ${tasks.length}.</p>`}`
}
</section>`
}
