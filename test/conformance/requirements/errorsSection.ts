import { type Requirement, schema, service, values } from './requirement.ts'

/** Section 7: errors. */
export const errorsSection: readonly Requirement[] = [
  {
    id: 'error-body',
    says: 'An error is a JSON object with a text `error`',
    covers: ['3bebde763d83'],
    checks: ['GET /api/market/task'],
    tests: [schema('an error has a text')],
  },
  {
    id: 'error-400',
    says: 'A quota route without a wallet address is 400 and says that one is required',
    covers: ['5f4c1d34d02f'],
    checks: [
      'GET /api/posting/quota',
      'POST /api/posting/check',
      'POST /api/posting/record',
      'GET /api/posting/quote',
      'GET /api/get-market-ledger',
      'GET /api/poster/tasks',
    ],
    tests: [values('each error of the specification has its status')],
  },
  {
    id: 'error-404',
    says: 'An unknown task is 404 and says that it is not found',
    covers: ['20f003fdd45f'],
    checks: ['GET /api/market/task'],
    tests: [values('each error of the specification has its status')],
  },
  {
    id: 'error-429',
    says: 'A reached daily limit is 429, says so, and has the quota with canPost false',
    covers: ['1b4bcbd414dc'],
    checks: ['POST /api/posting/check'],
    tests: [values('each error of the specification has its status')],
  },
  {
    id: 'error-503',
    says: 'The chat without a key is 503, and its error is the name of the variable and that it is not configured',
    covers: ['6ae3b831e0e6'],
    tests: [
      service('the chat without a key is 503, and the error names the variable'),
      values('each error of the specification has its status'),
    ],
  },
  {
    id: 'error-402',
    says: 'A claim without a receipt is 402',
    covers: ['ed51e80a3ce1'],
    checks: ['POST /v1/tasks/:id/claim'],
    tests: [values('each error of the specification has its status')],
  },
]
