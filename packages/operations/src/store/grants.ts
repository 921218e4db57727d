import { laterGrant } from '@svc/protocol/internal/work'
import * as z from 'zod'
import { describeFields } from '../describeFields.ts'
import { addressText, hashText } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { address } from '../params.ts'
import { bundleHash } from './bundles.ts'
import { sessionHeader } from './sessions.ts'

const grantFields = {
  version: 'Version of the format.',
  bundle: 'Hash of the descriptor.',
  reader: 'Wallet that may read.',
  key: 'Its reading key.',
  file: 'The grant file (age), in base64.',
} as const

const grantJson = z
  .object({
    version: z.literal(1).describe(grantFields.version),
    bundle: hashText.describe(grantFields.bundle),
    reader: addressText.describe(grantFields.reader),
    key: z.string().describe(grantFields.key),
    file: z.string().describe(grantFields.file),
  })
  .describe('A grant that was made after the bundle was stored.')

export const putGrant = defineCall('putGrant', {
  summary: 'Let a further reading key open a bundle.',
  description:
    "Whoever may read the bundle may grant it. A grant replaces only the author's own earlier one for the same key; a wrong one opens nothing.",
  tag: 'work',
  input: describeFields(laterGrant.shape, grantFields),
  headers: sessionHeader,
  maxBody: 16 * 1024,
  output: z.object({
    bundle: hashText.describe('Hash of the descriptor.'),
    reader: addressText.describe('Wallet that may read.'),
  }),
  chainCost: 4,
  errors: [
    'SESSION_REQUIRED',
    'NOT_ALLOWED',
    'BUNDLE_NOT_FOUND',
    'BUNDLE_REMOVED',
    'WORK_QUOTA_REACHED',
    'CHAIN_UNREACHABLE',
    'DATABASE_UNREACHABLE',
  ],
})

export const listGrants = defineCall('listGrants', {
  summary: 'List the later grants of a bundle for one reader, newest first.',
  description: 'For wallets that may read the bundle. The grants of the descriptor are parts and not listed here.',
  tag: 'work',
  input: z.object({ bundle: bundleHash, reader: address }),
  headers: sessionHeader,
  output: z.object({ grants: z.array(grantJson).describe('One for each reading key and author.') }),
  chainCost: 4,
  errors: [
    'SESSION_REQUIRED',
    'NOT_ALLOWED',
    'INVALID_ADDRESS',
    'BUNDLE_NOT_FOUND',
    'BUNDLE_REMOVED',
    'CHAIN_UNREACHABLE',
    'DATABASE_UNREACHABLE',
  ],
})
