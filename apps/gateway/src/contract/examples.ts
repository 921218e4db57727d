import type { gatewayEndpoints, InputJson, Route } from '@svc/operations'
import type { Example } from '@svc/serve'

/** A wallet and a task of the demo data of `pnpm devnet`. */
const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const task = 'v2:standard:1'

const requestId = 'req_AAAAAAAAAAAAAAAAAAAAAA'

type Examples = {
  readonly [Name in keyof typeof gatewayEndpoints]: readonly (Example & { input: InputJson<Name> })[]
}

const byName: Examples & { readonly buyOpenTasks: readonly Example[] } = {
  listOpenTasks: [{ summary: 'The newest five tasks that can be claimed', input: { limit: 5 } }],
  listRecentTasks: [{ summary: 'The newest tasks in any state', input: { market: 'micro', limit: 20 } }],
  getTask: [{ summary: 'One task', input: { id: task } }],
  listReputation: [{ summary: 'The ten wallets with the best reputation', input: { limit: 10 } }],
  listVerifiers: [{ summary: 'The arbitrators of the micro market', input: { market: 'micro' } }],
  getFees: [{ summary: 'What using a market costs', input: {} }],
  issueReceipt: [{ summary: 'A receipt for the claim of a task', input: { taskId: task, address: wallet } }],
  claimTask: [{ summary: 'A claim without a receipt, which says where to get one', input: { id: task } }],
  getTreasury: [{ summary: 'The ten lowest deposits', input: { limit: 10 } }],
  getGatewayStatus: [{ summary: 'The state of the gateway', input: {} }],
  createRequest: [
    {
      summary: 'A deposit of 25 USDC, ready to approve',
      input: { action: 'top-up', input: { market: 'standard', amountUsdc: '25000000' }, from: wallet },
    },
  ],
  getRequest: [{ summary: 'A request, as soon as its status changes', input: { id: requestId, wait: 25 } }],
  reportSubmission: [
    {
      summary: 'What the wallet sent',
      input: { id: requestId, account: wallet, transactionHashes: [`0x${'cafe'.repeat(16)}`] },
    },
  ],
  rejectRequest: [{ summary: 'The owner of the wallet declined', input: { id: requestId } }],
  buyOpenTasks: [{ summary: 'The price of the list', input: { limit: 5 } }],
}

/** Lists the examples of a route of the gateway. */
export const listGatewayExamples = ({ operation }: Route): readonly Example[] =>
  new Map<string, readonly Example[]>(Object.entries(byName)).get(operation.name) ?? []
