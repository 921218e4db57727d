import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { profileStatus, selfDeclaredJson } from '../json/profile.ts'
import { trackRecordJson } from '../json/trackRecord.ts'
import { defineCall } from '../operation.ts'
import { address, market } from '../params.ts'

export const getProfile = defineCall('getProfile', {
  summary: 'Show a wallet: its track record from the chain, and what it says about itself.',
  description:
    '`record` is the answer of `GET /api/wallet/record`, which `svc-verify` can check. `selfDeclared` is not on the chain, so it cannot be checked there: verify its signature with `checkProfile` of the protocol package.',
  tag: 'wallet',
  input: z.object({ address, market }),
  output: z.object({
    record: trackRecordJson,
    selfDeclared: z.nullable(selfDeclaredJson).describe('What the wallet says about itself; null without a profile.'),
    selfDeclaredStatus: profileStatus,
    meta: metaJson,
  }),
  errors: ['INVALID_ADDRESS', 'INDEX_REQUIRED', 'CHAIN_UNREACHABLE'],
})
