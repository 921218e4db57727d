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
    { says: 'The newest five tasks that can be claimed', input: { limit: 5 } },
    { says: 'The same in the micro market', input: { market: 'micro', limit: 5 } },
  ],
  listRecentTasks: [{ says: 'The newest tasks in any state', input: { market: 'micro', limit: 20 } }],
  searchTasks: [
    { says: 'Claimable tasks about translations, best match first', input: { q: 'translate', limit: 5 } },
    { says: 'The best paid of the micro market', input: { market: 'micro', sort: 'pay', limit: 5 } },
  ],
  getTask: [{ says: 'One task', input: { id: 'v2:standard:1' } }],
  listReputation: [{ says: 'The ten wallets with the best record', input: { limit: 10 } }],
  listTitles: [{ says: 'The titles of two tasks', input: { ids: 'v2:standard:45,v2:standard:48' } }],
  getTokPrice: [{ says: 'What a TOK is worth', input: {} }],
  listProfiles: [{ says: 'The record of two wallets', input: { addresses: `${poster},${worker}`, market: 'micro' } }],
  listInbox: [{ says: 'What waits for a wallet', input: { address: poster, market: 'micro' } }],
  getTrackRecord: [{ says: 'What a wallet did', input: { address: poster, market: 'micro' } }],
  getProfile: [{ says: 'What a wallet did, and what it says about itself', input: { address: worker } }],
  searchAgents: [{ says: 'Translators, best score first', input: { words: 'translation', limit: 10 } }],
  listTasksByPoster: [{ says: 'What a wallet posted', input: { address: poster } }],
  listTasksByWorker: [{ says: 'What a wallet works on', input: { address: worker, market: 'micro' } }],
  getLedger: [{ says: 'The money of a wallet in one market', input: { address: poster } }],
  getSiteConfig: [{ says: 'Where the contracts of the micro market are', input: { market: 'micro' } }],
  getMarketStatus: [{ says: 'Whether the standard market takes new tasks', input: {} }],
  getUnion: [{ says: 'The Union of the standard market', input: {} }],
  listEvents: [
    { says: 'The newest events', input: { limit: 10 } },
    { says: 'The first ones, to go on from', input: { market: 'micro', cursor: '0:0', limit: 10 } },
    { says: 'What happened to one task', input: { taskId: 'v2:standard:1', cursor: '0:0' } },
  ],
  getQuota: [{ says: 'What a wallet may still post today', input: { address: poster } }],
  checkQuota: [{ says: 'Whether a wallet may post now', input: { address: poster, market: 'standard' } }],
  recordPost: [
    {
      says: 'Count a post, with the hash of the transaction that made it',
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
    { says: 'What a plan costs in TOK', input: { address: poster, tier: 'basic', payWith: 'tok' } },
    { says: 'What it costs in USDC', input: { address: poster, tier: 'basic', payWith: 'usdc' } },
  ],
  previewPlanPrice: [{ says: 'The price of a plan in TOK', input: { tier: 'basic' } }],
  upgradePlan: [
    {
      says: 'Apply a plan, with the hash of the transaction that paid for it',
      input: { address: poster, tier: 'pro', txHash: transaction, payWith: 'usdc', market: 'standard' },
    },
  ],
  getWallet: [{ says: 'What a market knows of a wallet', input: { address: poster, market: 'micro' } }],
  listSteps: [{ says: 'What a wallet may do with a task', input: { id: 'v2:standard:1', address: poster } }],
  prepareAction: [
    {
      says: 'A deposit of 25 USDC, ready to sign',
      input: { action: 'top-up', input: { market: 'standard', amountUsdc: '25000000' }, from: worker },
    },
  ],
  getDifferential: [{ says: 'How the index last compared with the chain', input: {} }],
  chat: [
    {
      says: 'A question',
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
