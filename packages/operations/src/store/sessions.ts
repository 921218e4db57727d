import { signedStatement } from '@svc/protocol/internal/work'
import * as z from 'zod'
import { describeFields, describeSchema } from '../describeFields.ts'
import { addressText, hashText, moment } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { address } from '../params.ts'

/** A statement as the store gives it out. */
const statementJson = z
  .object({
    message: z.string().describe('The sign-in message (EIP-4361).'),
    signature: z.string().describe("The wallet's signature over it, in hex."),
  })
  .describe('A signed key statement.')

const statementInput = describeFields(signedStatement.shape, {
  message: 'The sign-in message (EIP-4361) as `buildStatementMessage` writes it.',
  signature: "The wallet's signature over it, in hex.",
})

/** A signature of a contract wallet runs its code, which may use as much gas as it is allowed. */
export const signatureCost = 10

/** The header that carries a session. */
export const sessionHeader = { Authorization: '`Bearer` and the token of a session.' } as const

export const getStore = defineCall('getStore', {
  summary: 'Show who signs receipts here, and whose sign-ins count.',
  description: 'Terms that name this address as their store need receipts of this service.',
  tag: 'service',
  input: z.object({}),
  output: z.object({
    address: addressText.describe('Wallet that signs receipts: the `store` of the terms.'),
    chainId: z.int().describe('Chain that decides who may read and write.'),
    domains: z.array(z.string()).describe('Domains whose sign-in messages are accepted.'),
    clerk: z
      .nullable(addressText)
      .describe('Wallet that grants disputed work to seated judges; null if there is none.'),
  }),
})

export const createSession = defineCall('createSession', {
  summary: 'Open a session with a signed key statement.',
  description:
    'Statements are public, so a session also needs a fresh proof of the device key that the statement names: its signature over the text of `buildSessionProof`. A proof opens one session. The statement is stored as well. Contract wallets (ERC-1271, ERC-6492) can sign.',
  tag: 'work',
  input: z.object({
    ...statementInput.shape,
    proof: z
      .object({
        issuedAt: moment.describe('When the proof was signed, in unix seconds.'),
        nonce: z
          .string()
          .regex(/^[A-Za-z0-9]{8,64}$/, 'must be 8 to 64 letters and digits')
          .optional()
          .describe('What makes two proofs of one second different, if the text has it.'),
        signature: describeSchema(signedStatement.shape.signature, "The device key's signature, in hex."),
      })
      .describe("The device key's signature over `buildSessionProof`."),
  }),
  maxBody: 24 * 1024,
  output: z.object({
    token: z.string().describe('Send it as `Authorization: Bearer <token>`.'),
    wallet: addressText.describe('Wallet of the session.'),
    expiresAt: moment.describe('When the session ends, in unix seconds.'),
  }),
  chainCost: signatureCost,
  errors: ['INVALID_STATEMENT', 'PROOF_USED', 'WORK_QUOTA_REACHED', 'CHAIN_UNREACHABLE', 'DATABASE_UNREACHABLE'],
})

export const endSession = defineCall('endSession', {
  summary: 'Sign out.',
  description: 'Ends the session, or all of its wallet. Other replicas notice within ten seconds.',
  tag: 'work',
  headers: sessionHeader,
  input: z.object({
    all: z.boolean().default(false).describe('True: ends the sessions of all devices of the wallet.'),
  }),
  output: z.object({ ended: z.int().describe('How many sessions ended.') }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const putStatement = defineCall('putStatement', {
  summary: 'Store a signed key statement.',
  description:
    'Anyone may bring it: the signature says whose it is. A statement can revoke older ones of the same wallet.',
  tag: 'work',
  input: statementInput,
  maxBody: 16 * 1024,
  output: z.object({ hash: hashText.describe('Hash that names the statement.') }),
  chainCost: signatureCost,
  errors: ['INVALID_STATEMENT', 'WORK_QUOTA_REACHED', 'CHAIN_UNREACHABLE', 'DATABASE_UNREACHABLE'],
})

export const listStatements = defineCall('listStatements', {
  summary: "List a wallet's key statements that count now, newest first.",
  description: 'Check them yourself: a store could leave some out, but it cannot forge one.',
  tag: 'work',
  input: z.object({ wallet: address }),
  output: z.object({ statements: z.array(statementJson).describe('At most five.') }),
  errors: ['INVALID_ADDRESS', 'DATABASE_UNREACHABLE'],
})
