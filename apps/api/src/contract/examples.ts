import type { apiEndpoints, InputJson, OperationName, Route } from '@svc/operations'
import type { Example } from '@svc/serve'

/** An example whose input is that of its operation. */
interface ExampleOf<Name extends OperationName> extends Example {
  input: InputJson<Name>
}

/** Wallets and tasks of the demo data of `pnpm devnet`. */
const poster = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const worker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

const transaction = `0x${'cafe'.repeat(16)}`

const byName: { readonly [Name in keyof typeof apiEndpoints]: readonly ExampleOf<Name>[] } = {
  listOpenTasks: [
    { summary: 'The newest five tasks that can be claimed', input: { limit: 5 } },
    { summary: 'The same in the micro market', input: { market: 'micro', limit: 5 } },
  ],
  listRecentTasks: [{ summary: 'The newest tasks in any state', input: { market: 'micro', limit: 20 } }],
  searchTasks: [
    { summary: 'Claimable tasks about translations, best match first', input: { q: 'translate', limit: 5 } },
    { summary: 'The best paid of the micro market', input: { market: 'micro', sort: 'pay', limit: 5 } },
  ],
  getTask: [{ summary: 'One task', input: { id: 'v2:standard:1' } }],
  listReputation: [{ summary: 'The ten wallets with the best record', input: { limit: 10 } }],
  listTitles: [{ summary: 'The titles of two tasks', input: { ids: 'v2:standard:45,v2:standard:48' } }],
  getTokPrice: [{ summary: 'What a TOK is worth', input: {} }],
  listProfiles: [
    { summary: 'The record of two wallets', input: { addresses: `${poster},${worker}`, market: 'micro' } },
  ],
  listInbox: [{ summary: 'What waits for a wallet', input: { address: poster, market: 'micro' } }],
  getTrackRecord: [{ summary: 'What a wallet did', input: { address: poster, market: 'micro' } }],
  getProfile: [{ summary: 'What a wallet did, and what it says about itself', input: { address: worker } }],
  listNames: [{ summary: 'The names of two wallets', input: { addresses: `${poster},${worker}` } }],
  searchAgents: [{ summary: 'Translators, best score first', input: { words: 'translation', limit: 10 } }],
  listTasksByPoster: [{ summary: 'What a wallet posted', input: { address: poster } }],
  listTasksByWorker: [{ summary: 'What a wallet works on', input: { address: worker, market: 'micro' } }],
  getLedger: [{ summary: 'The money of a wallet in one market', input: { address: poster } }],
  getSiteConfig: [{ summary: 'Where the contracts of the micro market are', input: { market: 'micro' } }],
  getMarketStatus: [{ summary: 'Whether the standard market takes new tasks', input: {} }],
  getMarketNumbers: [{ summary: 'What was paid in the standard market lately', input: {} }],
  getUnion: [{ summary: 'The Union of the standard market', input: {} }],
  listEvents: [
    { summary: 'The newest events', input: { limit: 10 } },
    { summary: 'The first ones, to go on from', input: { market: 'micro', cursor: '0:0', limit: 10 } },
    { summary: 'What happened to one task', input: { taskId: 'v2:standard:1', cursor: '0:0' } },
  ],
  getQuota: [{ summary: 'What a wallet may still post today', input: { address: poster } }],
  checkQuota: [{ summary: 'Whether a wallet may post now', input: { address: poster, market: 'standard' } }],
  recordPost: [
    {
      summary: 'Count a post, with the hash of the transaction that made it',
      input: {
        address: poster,
        taskId: 'v2:standard:1',
        txHash: transaction,
        taskAmountTok: '98000000000000000000000',
        market: 'standard',
      },
    },
  ],
  quotePlan: [
    { summary: 'What a plan costs in TOK', input: { address: poster, tier: 'basic', payWith: 'tok' } },
    { summary: 'What it costs in USDC', input: { address: poster, tier: 'basic', payWith: 'usdc' } },
  ],
  previewPlanPrice: [{ summary: 'The price of a plan in TOK', input: { tier: 'basic' } }],
  upgradePlan: [
    {
      summary: 'Apply a plan, with the hash of the transaction that paid for it',
      input: { address: poster, tier: 'pro', txHash: transaction, payWith: 'usdc', market: 'standard' },
    },
  ],
  getCourt: [{ summary: 'What waits for the final court of the micro market', input: { market: 'micro' } }],
  getWallet: [{ summary: 'What a market knows of a wallet', input: { address: poster, market: 'micro' } }],
  listSteps: [{ summary: 'What a wallet may do with a task', input: { id: 'v2:standard:1', address: poster } }],
  prepareAction: [
    {
      summary: 'A deposit of 25 USDC, ready to sign',
      input: { action: 'top-up', input: { market: 'standard', amountUsdc: '25000000' }, from: worker },
    },
  ],
  getDifferential: [{ summary: 'How the index last compared with the chain', input: {} }],
  chat: [
    {
      summary: 'A question',
      input: {
        system: 'You explain this market to newcomers.',
        messages: [{ role: 'user', content: 'What is a task?' }],
      },
    },
  ],
}

/** Lists the examples of a route. */
export const listExamples = ({ operation }: Route): readonly Example[] =>
  new Map<string, readonly Example[]>(Object.entries(byName)).get(operation.name) ?? []
