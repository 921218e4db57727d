import { type Requirement, values } from './requirement.ts'

/** Section 3: states and transitions. */
export const states: readonly Requirement[] = [
  {
    id: 'posted',
    says: 'POSTED is claimable, and the open list has only such tasks',
    covers: ['f1def4bcee75', '3601f0d711c1'],
    checks: ['GET /api/market/open', 'GET /api/market/recent', 'GET /api/poster/tasks'],
    tests: [
      'packages/protocol/src/tasks/claimable.test.ts > only a posted task can be claimed, and only while entries are open',
      values('the lifecycle has the operations of the specification, and claiming starts from POSTED'),
    ],
  },
  {
    id: 'active',
    says: 'An ACTIVE task is listed with its worker and settlement digest',
    covers: ['2542fe0e092c'],
    checks: ['GET /api/poster/tasks'],
  },
  {
    id: 'operations',
    says: 'The operations are post, claim, fund, activate, markDelivered, release or complete, and dispute, leave and dismiss',
    covers: ['71e5096346b2'],
    tests: [
      values('the lifecycle has the operations of the specification, and claiming starts from POSTED'),
      'packages/devnet/src/world.test.ts > the demo world of the %s market > every scenario ends in its expected state',
    ],
  },
]
