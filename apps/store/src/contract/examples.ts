import type { InputJson, Route, storeEndpoints } from '@svc/operations'
import type { Example } from '@svc/serve'

/** A wallet and a task of the demo data of `pnpm devnet`. */
const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const task = 'v2:standard:1'
const hash = `0x${'ab'.repeat(32)}`
const signature = `0x${'12'.repeat(65)}`
const key = `age1${'q'.repeat(58)}`
const message = 'market.example wants you to sign in with your Ethereum account: …'

type Examples = { readonly [Name in keyof typeof storeEndpoints]: readonly (Example & { input: InputJson<Name> })[] }

const byName: Examples = {
  getStore: [{ summary: 'Who signs receipts here', input: {} }],
  createSession: [{ summary: 'Sign in', input: { message, signature, proof: { issuedAt: 1_800_000_000, signature } } }],
  exportData: [{ summary: 'Everything about a wallet', input: {} }],
  deleteData: [{ summary: 'Delete it', input: {} }],
  endSession: [{ summary: 'Sign out on every device', input: { all: true } }],
  putStatement: [{ summary: 'Store a key statement', input: { message, signature } }],
  listStatements: [{ summary: 'The key statements of a wallet', input: { wallet } }],
  listMissingParts: [{ summary: 'What is left to upload', input: { id: task, parts: ['ab'.repeat(32)] } }],
  listBundles: [{ summary: 'The bundles of a task', input: { id: task } }],
  issueStorageReceipt: [{ summary: 'A receipt for a delivery', input: { hash } }],
  putGrant: [
    {
      summary: 'Let a judge read',
      input: { version: 1, bundle: hash, reader: wallet, key, file: 'YWdlLWVuY3J5cHRpb24=' },
    },
  ],
  postMail: [{ summary: 'Send a sealed message', input: { to: wallet, id: hash, sealed: 'YWdlLWVuY3J5cHRpb24=' } }],
  listMail: [{ summary: 'The messages of a mailbox', input: {} }],
  listBlocked: [{ summary: 'Who may not write', input: {} }],
  blockSender: [{ summary: 'Refuse the messages of a wallet', input: { wallet } }],
  allowSender: [{ summary: 'Let an agent write', input: { wallet } }],
  unblockSender: [{ summary: 'Accept them again', input: { wallet } }],
  listGrants: [{ summary: 'The later grants of a reader', input: { bundle: hash, reader: wallet } }],
}

/** Lists the examples of a route. */
export const listStoreExamples = ({ operation }: Route): readonly Example[] =>
  new Map<string, readonly Example[]>(Object.entries(byName)).get(operation.name) ?? []
