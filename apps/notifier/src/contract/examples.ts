import type { InputJson, notifyEndpoints, Route } from '@svc/operations'
import { base } from '@svc/protocol'
import type { Example } from '@svc/serve'

const signature = `0x${'12'.repeat(65)}`
const message = 'market.example wants you to sign in with your Ethereum account: …'

type Examples = { readonly [Name in keyof typeof notifyEndpoints]: readonly (Example & { input: InputJson<Name> })[] }

const byName: Examples = {
  getNotifier: [{ summary: 'Which channels there are', input: {} }],
  createSession: [{ summary: 'Sign in', input: { message, signature, proof: { issuedAt: 1_800_000_000, signature } } }],
  exportData: [{ summary: 'Everything about a wallet', input: {} }],
  deleteData: [{ summary: 'Delete it', input: {} }],
  endSession: [{ summary: 'Sign out on every device', input: { all: true } }],
  putStatement: [{ summary: 'Store a key statement', input: { message, signature } }],
  listNotifications: [
    { summary: 'The newest notifications', input: {} },
    { summary: 'What came after a cursor', input: { since: '42', show: 'unread', limit: 10 } },
  ],
  putProfile: [
    {
      summary: 'Publish a profile',
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
  listSearches: [{ summary: 'Saved searches', input: {} }],
  saveSearch: [{ summary: 'Small design tasks', input: { name: 'Logos', search: 'market=micro&q=logo&tags=design' } }],
  removeSearch: [{ summary: 'Delete a saved search', input: { id: 'abc' } }],
  createCalendar: [{ summary: 'Subscribe a calendar app', input: {} }],
  removeCalendar: [{ summary: 'End the calendar', input: {} }],
  acknowledgeNotifications: [{ summary: 'Mark everything as read', input: { upTo: '42' } }],
  listSubscriptions: [{ summary: 'Where notifications go', input: {} }],
  addWebhook: [{ summary: 'A webhook for everything', input: { url: 'https://agent.example/hook' } }],
  addEmail: [{ summary: 'Only what needs an answer', input: { address: 'ada@example.org', kinds: ['delivered'] } }],
  addPush: [
    {
      summary: 'A browser',
      input: {
        endpoint: 'https://push.example/abc',
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
      },
    },
  ],
  changeSubscription: [{ summary: 'Everything, but only near its deadline', input: { id: 'abc', isSecond: true } }],
  removeSubscription: [{ summary: 'Delete a target', input: { id: 'abc' } }],
  removeSubscriptions: [{ summary: 'Delete all contact data', input: {} }],
  testSubscription: [{ summary: 'Send a test', input: { id: 'abc' } }],
  verifySubscription: [{ summary: 'Agree to get e-mails', input: { token: 'abc' } }],
  refuseEmails: [{ summary: 'It was somebody else', input: { token: 'abc' } }],
  unsubscribe: [{ summary: 'Stop e-mails', input: { token: 'abc' } }],
}

/** Lists the examples of a route. */
export const listNotifierExamples = ({ operation }: Route): readonly Example[] =>
  new Map<string, readonly Example[]>(Object.entries(byName)).get(operation.name) ?? []
