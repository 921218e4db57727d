import type { RequestJson } from '@svc/operations'
import { findAction } from '@svc/protocol/actions'
import { copyButton } from '../address.ts'
import { type Html, html } from '../html.ts'
import { countdown } from '../moments.ts'

/** Why the chain would reject the calls now; null if it would not. */
type Refusal = { message: string; wayOut: string } | null

/** Renders the status of a request. The status comes from the chain alone. */
export function outcome(request: RequestJson, refusal: Refusal, now: number): Html {
  const { status } = request
  return html`<section class="outcome ${status}" data-live="outcome" data-status="${status}" aria-labelledby="outcome">
<h2 id="outcome" tabindex="-1">${headings[status]}</h2>
${describeStatus(request, refusal, now)}
${hashes(request)}
</section>`
}

const headings: Readonly<Record<RequestJson['status'], string>> = {
  pending: 'Waits for your wallet',
  submitted: 'On its way',
  confirmed: 'Confirmed on chain',
  reverted: 'Refused by the chain',
  rejected: 'Rejected',
  expired: 'Expired',
}

function describeStatus(request: RequestJson, refusal: Refusal, now: number): Html {
  const { status, taskId } = request
  const expiresAt = Date.parse(request.expiresAt) / 1000
  switch (status) {
    case 'pending':
      return html`<p>Nothing has been sent. It can be signed until <time datetime="${request.expiresAt}">${shortTime(request.expiresAt)}</time>, ${countdown(expiresAt, now, 'which is over')}.</p>`
    case 'submitted':
      return html`<p>The chain has it but has not decided yet. You may close this tab: the chain goes on without it, and the gateway keeps looking.</p>`
    case 'confirmed':
      return html`<p>${findAction(request.action)?.done ?? 'Done'}.${taskId && html` See <a href="/v1/tasks/${taskId}">${taskId}</a> as it stands now.`} You may close this tab.</p>`
    case 'reverted':
      return html`<p>${refusal ? `As the chain stands now: ${refusal.message} ${refusal.wayOut}` : 'It would have succeeded when it was prepared, and would now: something was in the way only for a moment. Prepare the action again.'}</p><p>Nothing but the network’s fee was taken; an allowance that was given before stays.</p>`
    case 'rejected':
      return html`<p>You said no; nothing more will be sent. Prepare the action again if you change your mind.</p>`
    case 'expired':
      return html`<p>Nobody signed it in time, and what it was prepared for may have changed. Prepare the action again; do not sign this one in an old window.</p>`
  }
}

function hashes({ transactionHashes }: RequestJson): Html | false {
  if (transactionHashes.length === 0) return false
  return html`<ul class="plain hashes">${transactionHashes.map((hash) => html`<li><span class="soft">Transaction</span> <code class="hex">${hash}</code>${copyButton(hash, 'transaction hash')}</li>`)}</ul>`
}

const shortTime = (iso: string) => `${iso.slice(0, 19).replace('T', ' ')} UTC`
