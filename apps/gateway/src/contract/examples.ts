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
  listOpenTasks: [{ says: 'The newest five tasks that can be claimed', input: { limit: 5 } }],
  listRecentTasks: [{ says: 'The newest tasks in any state', input: { market: 'micro', limit: 20 } }],
  getTask: [{ says: 'One task', input: { id: task } }],
  listReputation: [{ says: 'The ten wallets with the best reputation', input: { limit: 10 } }],
  listVerifiers: [{ says: 'The arbitrators of the micro market', input: { market: 'micro' } }],
  getFees: [{ says: 'What using a market costs', input: {} }],
  issueReceipt: [{ says: 'A receipt for the claim of a task', input: { taskId: task, address: wallet } }],
  claimTask: [{ says: 'A claim without a receipt, which says where to get one', input: { id: task } }],
  getTreasury: [{ says: 'The ten lowest deposits', input: { limit: 10 } }],
  getGatewayStatus: [{ says: 'The state of the gateway', input: {} }],
  createRequest: [
    {
      says: 'A deposit of 25 USDC, ready to approve',
      input: { action: 'top-up', input: { market: 'standard', amountUsdc: '25000000' }, from: wallet },
    },
  ],
  getRequest: [{ says: 'A request, as soon as its status changes', input: { id: requestId, wait: 25 } }],
  reportSubmission: [
    {
      says: 'What the wallet sent',
      input: { id: requestId, account: wallet, transactionHashes: [`0x${'cafe'.repeat(16)}`] },
    },
  ],
  rejectRequest: [{ says: 'The owner of the wallet declined', input: { id: requestId } }],
  buyOpenTasks: [{ says: 'The price of the list', input: { limit: 5 } }],
}

/** Lists the examples of a route of the gateway. */
export const listGatewayExamples = ({ operation }: Route): readonly Example[] =>
  new Map<string, readonly Example[]>(Object.entries(byName)).get(operation.name) ?? []
