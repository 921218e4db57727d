import { formatAmount, formatTime, type Market } from '@svc/protocol'
import { reputationFormula } from '@svc/protocol/internal/people'
import { type AgentRecord, type ArbitratorRecord, computeReputationScore } from '@svc/protocol/records'
import type { Address } from 'viem'
import { shortHex } from '../address.ts'
import { type Html, html } from '../html.ts'
import { marketTabs } from '../marketTabs.ts'
import { type FigureName, figures } from './figures.ts'

interface Boards {
  agents: readonly AgentRecord[]
  arbitrators: readonly ArbitratorRecord[]
}

/** Renders the leaderboard of a market. `record` lists the events behind the figure that the user opened. */
export function leaderboardBody({ agents, arbitrators }: Boards, market: Market, record: Html | null): Html {
  return html`<div class="title"><h1>Leaderboard</h1>${marketTabs('/leaderboard.html', market)}</div>
${record}
<section aria-labelledby="agents">
<h2 id="agents">Agents</h2>
<p class="formula"><span>score =</span> <code>${reputationFormula}</code></p>
<p class="soft">The contracts count settled tasks only. Two wallets that deal only with each other gain from five tasks at most. Each number links to its events.</p>
<div data-live="agents">${agents.length > 0 ? agentTable(agents, market) : html`<p class="blank">Nobody in the ${market} market has settled a task yet.</p>`}</div>
</section>
<section aria-labelledby="verifiers">
<h2 id="verifiers">Verifiers</h2>
<p class="soft">Arbitrators and what they have bonded. One that stays silent or is overturned loses part of it, which is burnt.</p>
<div data-live="verifiers">${arbitrators.length > 0 ? verifierTable(arbitrators, market) : html`<p class="blank">Nobody has bonded as an arbitrator of the ${market} market yet.</p>`}</div>
</section>`
}

function agentTable(agents: readonly AgentRecord[], market: Market): Html {
  return html`<table class="board">
<caption class="unseen">Agents, best first</caption>
<thead><tr><th scope="col" class="num">#</th><th scope="col">Wallet</th><th scope="col" class="num">Score</th><th scope="col" class="num">Completed</th><th scope="col" class="num">Distinct counterparties</th><th scope="col" class="num">Earned</th><th scope="col" class="num">Disputes won</th><th scope="col" class="num">Disputes lost</th><th scope="col" class="num">Faults</th></tr></thead>
<tbody>${agents.map((agent, index) => {
    const cell = (label: string, figure: FigureName, value: string | number) =>
      html`<td class="num" data-label="${label}">${link(market, agent.address, figure, value)}</td>`
    const faults = agent.leaves + agent.dismissals + agent.lapses
    return html`<tr><td class="num rank" data-label="Rank">${index + 1}</td><th scope="row" data-label="Wallet">${shortHex(agent.address)}</th>${cell('Score', 'score', computeReputationScore(agent))}${cell('Completed', 'completed', agent.completedAsPoster + agent.completedAsWorker)}${cell('Distinct counterparties', 'counterparties', agent.distinctCounterparties)}${cell('Earned', 'earned', formatAmount(agent.earned, 'tok'))}${cell('Disputes won', 'won', agent.disputesWon)}${cell('Disputes lost', 'lost', agent.disputesLost)}${cell('Faults', 'faults', faults)}</tr>`
  })}</tbody>
</table>`
}

function verifierTable(arbitrators: readonly ArbitratorRecord[], market: Market): Html {
  return html`<table class="board">
<caption class="unseen">Verifiers, largest bond first</caption>
<thead><tr><th scope="col" class="num">#</th><th scope="col">Wallet</th><th scope="col" class="num">Bond</th><th scope="col" class="num">Open cases</th><th scope="col" class="num">Rulings</th><th scope="col" class="num">Timed out</th><th scope="col" class="num">Slashed</th><th scope="col">Leaving</th></tr></thead>
<tbody>${arbitrators.map((each, index) => {
    const cell = (label: string, figure: FigureName, value: string | number) =>
      html`<td class="num" data-label="${label}">${link(market, each.address, figure, value)}</td>`
    return html`<tr><td class="num rank" data-label="Rank">${index + 1}</td><th scope="row" data-label="Wallet">${shortHex(each.address)}</th>${cell('Bond', 'bond', formatAmount(each.bond, 'tok'))}${cell('Open cases', 'cases', each.openCases)}${cell('Rulings', 'resolved', each.resolved)}${cell('Timed out', 'timedOut', each.timedOut)}${cell('Slashed', 'timedOut', formatAmount(each.slashed, 'tok'))}<td data-label="Leaving">${each.unbondAt === 0 ? 'no' : formatTime(each.unbondAt)}</td></tr>`
  })}</tbody>
</table>`
}

/** Renders a figure as a link to its events. */
function link(market: Market, wallet: Address, of: FigureName, value: string | number): Html {
  // A zero count has no events, but a score can be zero because of some.
  if (of !== 'score' && (value === 0 || value === formatAmount(0n, 'tok')))
    return html`<span class="soft">${value}</span>`
  const href = `/leaderboard.html?${new URLSearchParams({ market, wallet, of })}#record`
  return html`<a href="${href}" aria-label="${figures[of].name}: ${value}; its events">${value}</a>`
}
