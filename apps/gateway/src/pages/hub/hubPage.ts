import type { BlockRef, MarketAddresses, MarketDeployment } from '@svc/chain'
import { getChainProfile, type Market, markets } from '@svc/protocol'
import { numberToHex } from 'viem'
import { codeBlock, copyButton } from '../address.ts'
import { type Html, html } from '../html.ts'
import { age, moment } from '../moments.ts'
import type { ProviderHead } from './readHeads.ts'

interface HubFacts {
  chainId: number
  block: BlockRef
  heads: readonly ProviderHead[]
  places: MarketDeployment
  receiptSigner: string
  baseUrl: string
}

/** Renders the hub: the chain as this gateway sees it, the contracts, and how to connect. */
export function hubBody({ chainId, block, heads, places, receiptSigner, baseUrl }: HubFacts, now: number): Html {
  return html`<div class="title"><h1>Your gateway to the task market</h1></div>
<p class="lead">Reads both markets straight from the chain, prepares what you want to do, and leaves every signature to your own wallet.</p>
<form class="filters" role="search" method="get" action="/market.html">
<label>Market <select name="market">${markets.map((market) => html`<option value="${market}">${names[market]}</option>`)}</select></label>
<label class="grow">Words in title, tags or criteria <input name="q" type="search" maxlength="100" autocomplete="off"></label>
<button type="submit">Search open tasks</button>
</form>
<section data-live="chain" aria-labelledby="chain">
<h2 id="chain">Chain</h2>
<dl class="figures">
<div><dt>Chain</dt><dd>${getChainProfile(chainId).name} <span class="soft">${chainId} · ${numberToHex(chainId)}</span></dd></div>
<div><dt>Newest block</dt><dd>${block.number.toLocaleString('en')} <span class="soft">${moment(block.timestamp)}</span></dd></div>
<div><dt>Block age</dt><dd>${age(block.timestamp, now)}</dd></div>
</dl>
<table>
<caption class="unseen">RPC providers</caption>
<thead><tr><th scope="col">Provider</th><th scope="col" class="num">Block</th><th scope="col" class="num">Lag</th><th scope="col" class="num">Answered in</th></tr></thead>
<tbody>${heads.map(({ name, block: head, behind, took }) => html`<tr><th scope="row" data-label="Provider">${name}</th><td class="num" data-label="Block">${head ? head.number.toLocaleString('en') : html`<span class="bad">no answer</span>`}</td><td class="num" data-label="Lag">${head ? `${behind} ${behind === 1 ? 'block' : 'blocks'}` : '–'}</td><td class="num" data-label="Answered in">${took} ms</td></tr>`)}</tbody>
</table>
</section>
<section aria-labelledby="connect">
<h2 id="connect">Connect</h2>
<div class="two">
<div><h3>From a terminal</h3>
${codeBlock(curlLines(baseUrl), 'curl commands')}</div>
<div><h3>From an MCP client</h3>
${codeBlock(mcpConfig(baseUrl), 'MCP client configuration')}</div>
</div>
<dl class="pairs">
<div><dt>Gateway</dt><dd><code class="hex">${baseUrl}</code>${copyButton(baseUrl, 'gateway address')}</dd></div>
<div><dt>Receipts are signed by</dt><dd><code class="hex">${receiptSigner}</code>${copyButton(receiptSigner, 'receipt signer')}</dd></div>
</dl>
</section>
<section aria-labelledby="contracts">
<h2 id="contracts">Contracts</h2>
<p class="soft">Two markets: the same contracts with different parameters. They share tokens and prices, but not tasks.</p>
<div class="two">${[...markets.map((market) => contractList(names[market], listOwnContracts(places, market))), contractList('Shared by both', listSharedContracts(places))]}</div>
</section>
<section aria-labelledby="elsewhere">
<h2 id="elsewhere">More pages</h2>
<ul class="links">
<li><a href="/market.html">Market</a> <span class="soft">tasks open for claims</span></li>
<li><a href="/leaderboard.html">Leaderboard</a> <span class="soft">who has done what, event by event</span></li>
<li><a href="/treasury-dashboard.html">Treasury</a> <span class="soft">deposits, and what is locked in tasks</span></li>
<li><a href="/v1/fees">/v1/fees</a> <span class="soft">fees and limits as JSON</span></li>
</ul>
</section>`
}

const names = { standard: 'Standard market', micro: 'Micro market' } as const

type Contracts = readonly (readonly [name: string, address: string])[]

function contractList(heading: string, contracts: Contracts): Html {
  return html`<div><h3>${heading}</h3>
<dl class="pairs addresses">${contracts.map(([name, address]) => html`<div><dt>${name}</dt><dd><code class="hex">${address}</code>${copyButton(address, `${name}, ${heading}`)}</dd></div>`)}</dl></div>`
}

/** The contracts by name. The pool where TOK is traded is none of them. */
const listAddresses = (contracts: MarketAddresses): [name: string, address: string][] =>
  Object.entries(contracts).flatMap(([name, address]) => (typeof address === 'string' ? [[name, address]] : []))

/** Lists the contracts of one market. */
function listOwnContracts({ markets: all }: MarketDeployment, market: Market): Contracts {
  const other = new Map(listAddresses(all[market === 'standard' ? 'micro' : 'standard']))
  return listAddresses(all[market]).filter(([name, address]) => other.get(name) !== address)
}

/** Lists the contracts that both markets share. */
function listSharedContracts({ markets: { standard, micro } }: MarketDeployment): Contracts {
  const other = new Map(listAddresses(micro))
  return listAddresses(standard).filter(([name, address]) => other.get(name) === address)
}

const curlLines = (baseUrl: string) =>
  ['market/open?market=standard', 'tasks/v2:standard:1', 'fees']
    .map((path) => `curl -s '${baseUrl}/v1/${path}'`)
    .join('\n')

/** MCP configuration of `svc-tools`. It uses stdio, reads the chain directly and prepares requests here. */
const mcpConfig = (baseUrl: string) => {
  const env = { CHAIN_RPC_URL: '<your provider>', SVC_API_URL: '<URL of the market>', SVC_GATEWAY_URL: baseUrl }
  return JSON.stringify({ mcpServers: { 'task-market': { command: 'svc-tools', env } } }, null, 2)
}
