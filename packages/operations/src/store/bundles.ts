import { bundleKinds } from '@svc/protocol/work'
import type { Hex } from 'viem'
import * as z from 'zod'
import { addressText, amountText, count, hashText, moment } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { taskId } from '../params.ts'
import { sessionHeader } from './sessions.ts'

/** The most parts that one request asks about. */
const maxAskedParts = 1_000

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash: 64 hex digits in lower case')

/** The hash of a descriptor. */
export const bundleHash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be a hash: 0x and 64 hex digits in lower case')
  .transform((text) => text as Hex)
  .describe('Hash (keccak256) of the descriptor.')

export const listMissingParts = defineCall('listMissingParts', {
  summary: 'Say which parts of a task the store does not hold.',
  description: 'This is how an upload resumes: send what is missing. Only wallets that may write to the task can ask.',
  tag: 'work',
  input: z.object({
    id: taskId,
    parts: z.array(sha256).max(maxAskedParts).describe(`SHA-256 hashes of parts, at most ${maxAskedParts}.`),
  }),
  maxBody: 128 * 1024,
  headers: sessionHeader,
  output: z.object({ missing: z.array(z.string()).describe('Those that must be sent.') }),
  chainCost: 4,
  errors: [
    'SESSION_REQUIRED',
    'NOT_ALLOWED',
    'TASK_NOT_FOUND',
    'CHAIN_UNREACHABLE',
    'DATABASE_UNREACHABLE',
    'OBJECTS_UNREACHABLE',
  ],
})

const bundleJson = z.object({
  hash: hashText.describe('Hash (keccak256) of the descriptor: the hash on chain.'),
  kind: z.enum(bundleKinds).describe('What the bundle is.'),
  author: addressText.describe('Wallet that stored it.'),
  milestone: count.describe('Milestone, from 0.'),
  revision: count.describe('How often the milestone was sent back before.'),
  isPublic: z.boolean().describe('True if anyone may read it.'),
  size: count.describe('Bytes of its parts.'),
  storedAt: moment.describe('When it was stored, in unix seconds.'),
})

export const listBundles = defineCall('listBundles', {
  summary: 'List the bundles of a task, oldest first.',
  description: 'Without a session of a wallet that may read the work, only public bundles are listed.',
  tag: 'work',
  input: z.object({ id: taskId }),
  headers: sessionHeader,
  output: z.object({ bundles: z.array(bundleJson).describe('At most 100 of each author.') }),
  chainCost: 4,
  errors: ['CHAIN_UNREACHABLE', 'DATABASE_UNREACHABLE'],
})

export const issueStorageReceipt = defineCall('issueStorageReceipt', {
  summary: 'Sign a receipt for a delivery.',
  description:
    'The receipt says: the store computed `proofHash` from the descriptor, holds every part by hash and size and a grant file for a key statement of the poster, and serves them until `until`. It does not say that they can be opened. Only for the current milestone and revision, of its worker, if the terms name this store.',
  tag: 'work',
  input: z.object({ hash: bundleHash }),
  headers: sessionHeader,
  output: z.object({
    receipt: z
      .object({
        size: amountText.describe('Bytes held.'),
        until: amountText.describe('Until when they are served, in unix seconds.'),
        signature: z.string().describe("The store's EIP-712 signature over StorageReceipt, in hex."),
      })
      .describe('Input of `submit-proof`.'),
    taskId: z.string().describe('Task that it is for.'),
    milestone: count.describe('Milestone that it is for, from 0.'),
    revision: count.describe('Revision that it is for.'),
    worker: addressText.describe('Worker that it is for.'),
    proofHash: hashText.describe('Hash of the delivery.'),
  }),
  chainCost: 4,
  errors: [
    'SESSION_REQUIRED',
    'NOT_ALLOWED',
    'BUNDLE_NOT_FOUND',
    'BUNDLE_REMOVED',
    'PARTS_MISSING',
    'RECEIPT_REFUSED',
    'CHAIN_UNREACHABLE',
    'DATABASE_UNREACHABLE',
    'OBJECTS_UNREACHABLE',
  ],
})
