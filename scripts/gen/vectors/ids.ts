import { maxUint256 } from 'viem'
import { markets } from '../../../packages/protocol/src/base/market.ts'
import { formatTaskId, parseTaskId } from '../../../packages/protocol/src/tasks/taskId.ts'

const numbers = [1n, 7n, 10n, 65_536n, 2n ** 53n + 1n, 2n ** 128n, maxUint256]

/** Invalid ids. Each breaks one rule. */
const refused = [
  '',
  '1',
  'v2',
  'v2:standard',
  'v2:standard:',
  'v2:standard:0',
  'v2:standard:00',
  'v2:standard:01',
  'v2:standard:-1',
  'v2:standard:+1',
  'v2:standard:1.0',
  'v2:standard:1e3',
  'v2:standard:0x1',
  'v2:standard: 1',
  'v2:standard:1 ',
  'v2:standard:1\n',
  'v2:standard:1:1',
  'v2:standard:1,000',
  'v2:standard:\u0661',
  'v2:standard:\uff11',
  'v2::1',
  'v2:other:1',
  'v2:Standard:1',
  'v2:MICRO:1',
  'v2:micro1',
  'v1:standard:1',
  'V2:standard:1',
  ' v2:standard:1',
  'standard:1',
  `v2:standard:${maxUint256 + 1n}`,
  `v2:micro:1${'0'.repeat(78)}`,
]

/** Valid ids with their tasks, and invalid ids. */
export function createIdVectors() {
  const ids = markets.flatMap((market) => numbers.map((number) => formatTaskId({ market, number })))
  const tasks = ids.map((id) => parseTaskId(id))
  return {
    ids,
    markets: tasks.map(({ market }) => market),
    numbers: tasks.map(({ number }) => String(number)),
    refused,
  }
}
