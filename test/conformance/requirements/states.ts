import { change, type Requirement, service, values, world } from './requirement.ts'

const lifecycleFile = 'packages/protocol/src/lifecycle.ts'

/** Section 3: states and transitions. */
export const states: readonly Requirement[] = [
  {
    id: 'posted',
    says: 'POSTED is claimable, and the open list has only such tasks',
    covers: ['f1def4bcee75', '3601f0d711c1'],
    tests: [
      service('each list asks for its own tasks, at most 100 unless a limit is given'),
      world('reads > the open list has only tasks that are POSTED'),
      world('reads > the open list is that of the registry on chain'),
      'packages/protocol/src/claimable.test.ts > only a posted task can be claimed, and only while entries are open',
      values('the lifecycle has the operations of the specification, and claiming starts from POSTED'),
    ],
    mutations: [
      change(
        'packages/reads/src/market.ts',
        "readTaskPage(reader, { of: 'open' }, input, deployments)",
        "readTaskPage(reader, { of: 'recent' }, input, deployments)",
      ),
      change('packages/chain/src/reads/listTasks.ts', "taskStates.indexOf('POSTED')", "taskStates.indexOf('CLAIMED')"),
    ],
  },
  {
    id: 'active',
    says: 'An ACTIVE task is listed with its worker and settlement digest',
    covers: ['2542fe0e092c'],
    tests: [world('reads > an ACTIVE task is listed with a worker and a settlement digest')],
    mutations: [
      change(
        'packages/operations/src/json/task.ts',
        '...(task.worker && { worker: task.worker, settlementDigest',
        "...(task.worker && task.state !== 'ACTIVE' && { worker: task.worker, settlementDigest",
      ),
    ],
  },
  {
    id: 'operations',
    says: 'The operations are post, claim, fund, activate, markDelivered, release or complete, and dispute, leave and dismiss',
    covers: ['71e5096346b2'],
    tests: [
      values('the lifecycle has the operations of the specification, and claiming starts from POSTED'),
      'packages/devnet/src/world.test.ts > the demo world of the %s market > every scenario ends in its expected state',
    ],
    mutations: [
      change(lifecycleFile, "operation: 'activate',", "operation: 'start',"),
      change(
        lifecycleFile,
        "operation: 'markDelivered',\n    from: 'ACTIVE',\n    when: 'nothing is in review',",
        "operation: 'deliver',\n    from: 'ACTIVE',\n    when: 'nothing is in review',",
      ),
      change(lifecycleFile, "operation: 'complete',", "operation: 'finish',"),
      change(lifecycleFile, "operation: 'post',", "operation: 'publish',"),
    ],
  },
]
