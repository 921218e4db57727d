import type { EventJson } from '@svc/operations'
import { expect, test } from 'vitest'
import { countMarket } from './countMarket.ts'

const at = (timestamp: number, task: number, args: EventJson['args'] = {}): EventJson => ({
  event: 'Any',
  contract: 'taskRegistry',
  taskId: `v2:standard:${task}`,
  args,
  bundle: null,
  blockNumber: timestamp,
  logIndex: 0,
  timestamp,
  transactionHash: `0x${'0'.repeat(64)}`,
})

test('a wait is counted from the last delivery before the payment, and only where the delivery is known', () => {
  expect(
    countMarket({
      payments: [at(50, 1, { amount: '7' }), at(90, 2, { amount: '5' }), at(95, 3, { amount: 1 })],
      deliveries: [at(10, 1), at(40, 1), at(60, 2), at(99, 3), at(99, 4)],
      disputes: [at(99, 4), at(99, 5)],
    }),
  ).toEqual({
    payments: 3,
    paidTokWei: '13',
    since: 50,
    wait: { seconds: 20, count: 2 },
    deliveredTasks: 4,
    disputedTasks: 1,
  })
  expect(countMarket({ payments: [], deliveries: [], disputes: [] })).toMatchObject({
    paidTokWei: '0',
    since: null,
    wait: { seconds: null, count: 0 },
  })
})
