import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { trackRecordJson } from '../json/trackRecord.ts'
import { defineRead } from '../operation.ts'
import { address, market } from '../params.ts'

export const getTrackRecord = defineRead('getTrackRecord', {
  summary: 'Show what a wallet did in one market: score, completed tasks, times to review and pay, disputes.',
  description:
    'Every number is computed from events of the chain, and `sources` says which. A wallet without a record has zeros. Without an index, a wallet with more tasks than the chain can be searched for is answered with 503 `INDEX_REQUIRED`.',
  tag: 'wallet',
  chainCost: 12,
  input: z.object({ address, market }),
  output: trackRecordJson.extend({ meta: metaJson }),
  errors: ['INVALID_ADDRESS', 'INDEX_REQUIRED'],
})
