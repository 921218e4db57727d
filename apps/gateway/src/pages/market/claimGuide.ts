import { formatTaskId, type TaskId } from '@svc/protocol'
import { actions, computeCost } from '@svc/protocol/actions'
import { describeCosts } from '@svc/protocol/internal/actions'
import { zeroAddress, zeroHash } from 'viem'
import { codeBlock } from '../address.ts'
import { costList } from '../costList.ts'
import { type Html, html } from '../html.ts'

/** What a claim costs the claimer without an Action Credit. The same for every task. */
const costs = claimCosts()

/** Renders how to claim a task: what it costs, and the two calls to make. */
export function claimGuide(taskId: TaskId, baseUrl: string, needsPermit: boolean): Html {
  const id = formatTaskId(taskId)
  return html`<details class="claim">
<summary>How to claim ${id}</summary>
${costList(costs)}
<p>An Action Credit pays the fee instead, where you have one.${needsPermit && ' The poster chooses who claims it: ask to be chosen first.'} Nothing is taken until you confirm in your wallet; the page you sign on shows the exact change of your money.</p>
${codeBlock(claimLines(id, baseUrl), `Commands to claim ${id}`)}
</details>`
}

function claimLines(id: string, baseUrl: string): string {
  return `WALLET=0x…   # yours
RECEIPT=$(curl -sX POST ${baseUrl}/v1/payment-receipt -H 'content-type: application/json' \\
  -d "{\\"taskId\\":\\"${id}\\",\\"address\\":\\"$WALLET\\"}" | jq -r .header.value)
curl -sX POST ${baseUrl}/v1/tasks/${id}/claim -H "PAYMENT-RECEIPT: $RECEIPT" | jq -r .approvalUrl`
}

function claimCosts() {
  const input = { taskId: { market: 'standard', number: 1n }, settlementDigest: zeroHash } as const
  return describeCosts(computeCost(actions['claim-task'], input, { from: zeroAddress }), { credits: 0n })
}
