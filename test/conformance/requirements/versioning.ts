import { contract, type Requirement, schema, values } from './requirement.ts'

/** Section 9: versioning. */
export const versioning: readonly Requirement[] = [
  {
    id: 'version',
    says: 'The protocol version is v2, in meta.protocolVersion',
    covers: ['8b7f07599773'],
    checks: [
      'GET /api/market/open',
      'GET /api/market/recent',
      'GET /api/market/task',
      'GET /api/poster/tasks',
      'GET /api/get-market-ledger',
      'GET /api/union/overview',
    ],
    tests: [schema('meta of a list > has the protocol version v2')],
  },
  {
    id: 'namespaced-ids',
    says: 'Task ids carry version and market; amounts are in wei of the token',
    covers: ['2384c73fc238'],
    checks: ['GET /api/market/recent'],
    tests: [values('a task id is v2, the market and the number'), schema('a task > has its total amount in wei')],
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
    checks: ['GET /api/market/task', 'GET /api/market/open'],
    tests: [contract('takes > POST /api/posting/record: the wallet, the task, the transaction and the amount')],
  },
]
