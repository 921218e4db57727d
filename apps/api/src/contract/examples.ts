import { methodOf, type Route } from '../route.ts'

/** A request that anybody can send to an API over the demo world; every one of them is executed by a test. */
export interface Example {
  says: string
  input: Readonly<Record<string, unknown>>
}

/** Wallets and tasks of the demo world of `pnpm devnet`. */
const poster = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const worker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

const transaction = `0x${'8453'.repeat(16)}`

const byPath: Readonly<Record<string, readonly Example[]>> = {
  '/api/market/open': [
    { says: 'The newest five tasks that can be claimed', input: { limit: 5 } },
    { says: 'The same in the micro market', input: { market: 'micro', limit: 5 } },
  ],
  '/api/market/recent': [{ says: 'The newest tasks in any state', input: { market: 'micro', limit: 20 } }],
  '/api/market/task': [{ says: 'One task', input: { id: 'v2:standard:1' } }],
  '/api/market/texts': [{ says: 'The titles of two tasks', input: { ids: 'v2:standard:31,v2:standard:34' } }],
  '/api/poster/tasks': [{ says: 'What a wallet posted', input: { address: poster } }],
  '/api/worker/tasks': [{ says: 'What a wallet works on', input: { address: worker, market: 'micro' } }],
  '/api/get-market-ledger': [{ says: 'The money of a wallet in one market', input: { address: poster } }],
  '/api/site-config': [{ says: 'Where the contracts of the micro market are', input: { market: 'micro' } }],
  '/api/union/overview': [{ says: 'The Union of the standard market', input: {} }],
  '/api/market/events': [
    { says: 'The newest events', input: { limit: 10 } },
    { says: 'The first ones, to go on from', input: { market: 'micro', cursor: '0:0', limit: 10 } },
  ],
  '/api/posting/quota': [{ says: 'What a wallet may still post today', input: { address: poster } }],
  '/api/posting/check': [{ says: 'Whether a wallet may post now', input: { address: poster, market: 'standard' } }],
  '/api/posting/record': [
    {
      says: 'Count a post, with the hash of the transaction that made it',
      input: {
        address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
        taskId: 'v2:standard:1',
        txHash: transaction,
        taskAmountTok: '98000000000000000000000',
        market: 'standard',
      },
    },
  ],
  '/api/posting/quote': [
    { says: 'What a plan costs in TOK', input: { address: poster, tier: 'basic', payWith: 'tok' } },
    { says: 'What it costs in USDC', input: { address: poster, tier: 'basic', payWith: 'usdc' } },
  ],
  '/api/posting/tok-preview': [{ says: 'The price of a plan in TOK', input: { tier: 'basic' } }],
  '/api/posting/upgrade': [
    {
      says: 'Apply a plan, with the hash of the transaction that paid for it',
      input: { address: poster, tier: 'pro', txHash: transaction, payWith: 'usdc', market: 'standard' },
    },
  ],
  '/api/wallet': [{ says: 'What a market knows of a wallet', input: { address: poster, market: 'micro' } }],
  '/api/actions/steps': [{ says: 'What a wallet may do with a task', input: { id: 'v2:standard:1', address: poster } }],
  '/api/actions/prepare': [
    {
      says: 'A deposit of 25 USDC, ready to sign',
      input: { action: 'top-up', input: { market: 'standard', amountUsdc: '25000000' }, from: worker },
    },
  ],
  '/api/health/differential': [{ says: 'How the index last compared with the chain', input: {} }],
  '/api/role-chat': [
    {
      says: 'A question',
      input: {
        system: 'You explain this market to newcomers.',
        messages: [{ role: 'user', content: 'What is a task?' }],
      },
    },
  ],
}

/** The examples of a route. */
export const examplesOf = ({ path }: Route): readonly Example[] => byPath[path] ?? []

/** An example as it is sent. */
export function requestOf(route: Route, { input }: Example): { url: string; body: string | null } {
  if (methodOf(route) === 'post') return { url: route.path, body: JSON.stringify(input) }
  const query = Object.entries(input).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%3A', ':')}`,
  )
  return { url: query.length > 0 ? `${route.path}?${query.join('&')}` : route.path, body: null }
}

/** An example as a line for a shell, where `$API` is the address of the service. */
export function curlOf(route: Route, example: Example): string {
  const { url, body } = requestOf(route, example)
  if (body === null) return `curl "$API${url}"`
  return `curl "$API${url}" -H 'content-type: application/json' -d '${body}'`
}
