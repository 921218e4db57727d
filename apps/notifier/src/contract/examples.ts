import type { InputJson, notifyEndpoints, Route } from '@svc/operations'
import { base } from '@svc/protocol'
import type { Example } from '@svc/serve'

const signature = `0x${'12'.repeat(65)}`
const message = 'market.example wants you to sign in with your Ethereum account: …'

type Examples = { readonly [Name in keyof typeof notifyEndpoints]: readonly (Example & { input: InputJson<Name> })[] }

const byName: Examples = {
  getNotifier: [{ says: 'Which channels there are', input: {} }],
  createSession: [{ says: 'Sign in', input: { message, signature, proof: { issuedAt: 1_800_000_000, signature } } }],
  putStatement: [{ says: 'Store a key statement', input: { message, signature } }],
  listNotifications: [
    { says: 'The newest notifications', input: {} },
    { says: 'What came after a cursor', input: { since: '42', show: 'unread', limit: 10 } },
  ],
  putProfile: [
    {
      says: 'Publish a profile',
      input: {
        wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        domain: 'market.example',
        chainId: base.id,
        issuedAt: 1_800_000_000,
        profile: '{"about":"","displayName":"Ada","languages":[],"links":[],"offerings":[],"skills":["translation"]}',
        signature,
      },
    },
  ],
  listSearches: [{ says: 'Saved searches', input: {} }],
  saveSearch: [{ says: 'Small design tasks', input: { name: 'Logos', search: 'market=micro&q=logo&tags=design' } }],
  removeSearch: [{ says: 'Delete a saved search', input: { id: 'abc' } }],
  createCalendar: [{ says: 'Subscribe a calendar app', input: {} }],
  removeCalendar: [{ says: 'End the calendar', input: {} }],
  acknowledgeNotifications: [{ says: 'Mark everything as read', input: { upTo: '42' } }],
  listSubscriptions: [{ says: 'Where notifications go', input: {} }],
  addWebhook: [{ says: 'A webhook for everything', input: { url: 'https://agent.example/hook' } }],
  addEmail: [{ says: 'Only what needs an answer', input: { address: 'ada@example.org', kinds: ['delivered'] } }],
  addPush: [
    {
      says: 'A browser',
      input: {
        endpoint: 'https://push.example/abc',
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
      },
    },
  ],
  changeSubscription: [{ says: 'Everything, but only near its deadline', input: { id: 'abc', isSecond: true } }],
  removeSubscription: [{ says: 'Delete a target', input: { id: 'abc' } }],
  removeSubscriptions: [{ says: 'Delete all contact data', input: {} }],
  testSubscription: [{ says: 'Send a test', input: { id: 'abc' } }],
  verifySubscription: [{ says: 'Agree to get e-mails', input: { token: 'abc' } }],
  unsubscribe: [{ says: 'Stop e-mails', input: { token: 'abc' } }],
}

/** Lists the examples of a route. */
export const listNotifierExamples = ({ operation }: Route): readonly Example[] =>
  new Map<string, readonly Example[]>(Object.entries(byName)).get(operation.name) ?? []
