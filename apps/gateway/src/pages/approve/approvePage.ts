import { formatHolderLabel, type RequestJson } from '@svc/operations'
import { getChainProfile, tokens } from '@svc/protocol'
import { findAction } from '@svc/protocol/actions'
import { buildAddChainParameter } from '@svc/protocol/internal/base'
import { formatQuotaUse } from '@svc/protocol/internal/money'
import { formatUnits } from 'viem'
import { codeBlock, copyButton } from '../address.ts'
import { costList } from '../costList.ts'
import { dataBlock, type Html, html } from '../html.ts'
import { moment } from '../moments.ts'
import { outcome } from './outcome.ts'

/** Renders a prepared request: what each call does, its costs and effects, who must sign, and the wallet controls. */
export function approveBody(
  request: RequestJson,
  refusal: Parameters<typeof outcome>[1],
  receipt: Html | false,
  now: number,
): Html {
  const { action, title, explain, market, from, costs, deadline, requestId, version, chainId, atomicRequired, calls } =
    request
  const { asker, quota, warnings = [] } = request
  return html`<div class="narrow" id="request" data-id="${requestId}">
<p class="soft">${asker ? html`<bdi>${asker}</bdi>, a program on this computer, asks` : 'A program on this computer asks'} · ${market === 'standard' ? 'Standard' : 'Micro'} market</p>
<h1>${findAction(action)?.title ?? title}</h1>
<p>${explain}</p>
${receipt}
${outcome(request, refusal, now)}
${simulationProblem(request)}
${warnings.map((warning) => html`<p class="notice warn">${warning}</p>`)}
${deadline && html`<p class="starts"><span class="soft">Starts a deadline:</span> ${deadline}</p>`}
${!request.settled && signing(request)}
<details class="exact"${receipt ? false : open}><summary>What exactly you sign</summary>
<section aria-labelledby="calls">
<h2 id="calls">What you sign</h2>
<ol class="calls">${request.decoded.map(
    (call, index) => html`<li><h3>${call.label}</h3>
<p class="facts"><span>${call.contract}</span> <code class="hex">${call.to}</code>${copyButton(call.to, `address of ${call.contract}`)}</p>
<details><summary>${call.function}, ${call.args.length} ${call.args.length === 1 ? 'value' : 'values'}</summary>
<dl class="pairs">${call.args.map(({ name, value, words }) => html`<div><dt>${name}</dt><dd>${words && html`${words} `}<code class="raw">${value}</code></dd></div>`)}
<div><dt>data</dt><dd><code class="raw">${calls[index]?.data}</code></dd></div></dl></details></li>`,
  )}</ol>
</section>
<section aria-labelledby="costs">
<h2 id="costs">Costs</h2>
${costs.length === 0 ? html`<p>Network fee only.</p>` : costList(costs)}
${quota && html`<p><span class="soft">Posting quota:</span> ${formatQuotaUse(quota)}</p>`}
</section>
${simulated(request)}
</details>
${dataBlock('batch', { version, from, chainId, atomicRequired, calls })}
${dataBlock('chain', buildAddChainParameter(getChainProfile(Number(chainId))))}
<section aria-labelledby="elsewhere">
<details><summary id="elsewhere">Sign it elsewhere</summary>
<p>Any EIP-5792 wallet accepts these calls unchanged. The gateway sees the result on the chain, wherever they are sent from.</p>
${codeBlock(JSON.stringify({ version, from, chainId, atomicRequired, calls }, null, 2), 'Calls for wallet_sendCalls')}
</details>
</section>
</div>`
}

function signing({ from, calls, status, chainId }: RequestJson): Html {
  return html`<section class="sign" aria-labelledby="sign" data-live="sign">
<h2 id="sign">Sign</h2>
<p>Only this wallet can sign: <code class="hex">${from}</code>${copyButton(from, 'address that must sign')}</p>
${status === 'submitted' && html`<p class="notice warn">Some of this was already signed, here or elsewhere. Signing again sends it again.</p>`}
<noscript><p class="notice warn">Signing in this browser needs JavaScript. The rest of this page works without it.</p></noscript>
<div class="needs-script" id="signing">
<fieldset id="wallets"><legend>Wallet</legend><p class="soft" id="no-wallet">Looking for wallets in this browser…</p></fieldset>
<p class="buttons"><button type="button" class="main" id="confirm" disabled>Sign ${calls.length === 1 ? 'it' : `${calls.length} calls`}</button> <button type="button" id="switch" hidden>Switch to ${getChainProfile(Number(chainId)).name}</button> <button type="button" id="reject">Reject</button></p>
<p class="progress" id="progress" role="status"></p>
</div>
</section>`
}

const open: Html = { markup: ' open' }

/** Why the simulation gives no comfort. */
function simulationProblem({ simulation }: RequestJson): Html {
  return html`${simulation.status === 'unknown' && html`<p class="notice warn">The RPC provider cannot simulate the calls. Check carefully what you sign.</p>`}
${simulation.status === 'refused' && html`<div class="notice bad"><p><strong>The chain would refuse ${simulation.call === 0 ? 'the first call' : `call ${simulation.call + 1}`}.</strong> ${simulation.error.message} ${simulation.error.wayOut}</p></div>`}`
}

function simulated({ simulation, block }: RequestJson): Html {
  return html`<section aria-labelledby="simulation">
<h2 id="simulation">Simulation</h2>
<p class="soft">Prepared at block ${block.number.toLocaleString('en')}.</p>
${
  simulation.status === 'succeeds' &&
  html`<p class="soft">Simulated on top of block ${block.number.toLocaleString('en')} of ${moment(block.timestamp)}, without sending anything: succeeds, using ${Number(simulation.gas).toLocaleString('en')} gas.</p>
${
  simulation.changes.length === 0
    ? html`<p>${simulation.others.length === 0 ? 'No money moves.' : 'Your balance stays the same.'}</p>`
    : html`<table><caption class="unseen">Changes to your balances</caption>
<thead><tr><th scope="col">Yours</th><th scope="col" class="num">Before</th><th scope="col" class="num">After</th><th scope="col" class="num">Change</th></tr></thead>
<tbody>${simulation.changes.map(({ what, before, after, words }) => html`<tr><th scope="row" data-label="Yours">${what}</th><td class="num" data-label="Before">${inUnits(before, what)}</td><td class="num" data-label="After">${inUnits(after, what)}</td><td class="num strong" data-label="Change">${words}</td></tr>`)}</tbody></table>`
}
${
  simulation.others.length > 0 &&
  html`<table><caption class="unseen">Changes to the money of others</caption>
<thead><tr><th scope="col">Others</th><th scope="col" class="num">Change</th></tr></thead>
<tbody>${simulation.others.map((other) => html`<tr><th scope="row" data-label="Others"><span title="${other.address}">${formatHolderLabel(other)}</span></th><td class="num strong" data-label="Change">${other.words}</td></tr>`)}</tbody></table>`
}`
}
</section>`
}

/** Formats the amount without its symbol, which is shown next to it. */
function inUnits(amount: string, what: string): string {
  const { decimals } = what === 'TOK in the wallet' || what === 'Action Credits' ? tokens.tok : tokens.usdc
  const [whole = '0', fraction = ''] = formatUnits(BigInt(amount), decimals).split('.')
  const shown = decimals === tokens.usdc.decimals ? fraction.padEnd(2, '0') : fraction
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${shown && '.'}${shown}`
}
