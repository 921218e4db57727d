import { change, contract, type Requirement, schema, service, values, world } from './requirement.ts'

const taskIdFile = 'packages/protocol/src/taskId.ts'

/** Section 9: versioning. */
export const versioning: readonly Requirement[] = [
  {
    id: 'version',
    says: 'The protocol version is v2, in meta.protocolVersion',
    covers: ['8b7f07599773'],
    tests: [
      service('meta has version, ticker, market and source'),
      schema('meta of a list > has the protocol version v2'),
      world('reads > every read reports protocol version v2'),
    ],
    mutations: [
      change(
        'packages/operations/src/json/meta.ts',
        "    protocolVersion: 'v2',",
        "    protocolVersion: 'v3' as 'v2',",
      ),
    ],
  },
  {
    id: 'namespaced-ids',
    says: 'Task ids carry version and market; amounts are in wei of the token',
    covers: ['2384c73fc238'],
    tests: [values('a task id is v2, the market and the number'), schema('a task > has its total amount in wei')],
    mutations: [change(taskIdFile, 'const id = `v2:${market}:${number}`', 'const id = `${market}:${number}`')],
  },
  {
    id: 'earlier-shape',
    says: 'The earlier shape, with plain ids and amounts in stablecoin units, is not served',
    covers: [
      'b537d3ca4f8b',
      '927f8bd3a75d',
      '5883c5d063ea',
      '27c533580c38',
      'c9fb22932ce5',
      'c6a6a9749c7b',
      '65b2e4ac0d77',
    ],
    tests: [
      service('a task > is asked for by a full id, with a market that matches it'),
      contract('takes > POST /api/posting/record: the wallet, the task, the transaction and the amount'),
      world('reads > the earlier shape is not served'),
    ],
    mutations: [
      change(
        taskIdFile,
        'const wireForm = /^v2:([a-z]+):([1-9][0-9]{0,77})$/',
        'const wireForm = /^(?:v2:)?([a-z]+):([1-9][0-9]{0,77})$/',
      ),
    ],
  },
]
