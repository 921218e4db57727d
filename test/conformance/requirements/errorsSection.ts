import { change, gateway, type Requirement, schema, service, values, world } from './requirement.ts'

const errorCodesFile = 'packages/operations/src/errorCodes.ts'

/** Section 7: errors. */
export const errorsSection: readonly Requirement[] = [
  {
    id: 'error-body',
    says: 'An error is a JSON object with a text `error`',
    covers: ['3bebde763d83'],
    tests: [schema('an error has a text'), service('a task > that does not exist is 404, and the error says so')],
    mutations: [
      change(
        'packages/operations/src/json/error.ts',
        "    error: z.string().describe('What happened, in one sentence.'),\n    code: z.enum(",
        "    message: z.string().describe('What happened, in one sentence.'),\n    code: z.enum(",
      ),
      change(
        'packages/operations/src/errors.ts',
        'this.body = { error: message, code,',
        'this.body = { error: code, code,',
      ),
    ],
  },
  {
    id: 'error-400',
    says: 'A quota route without a wallet address is 400 and says that one is required',
    covers: ['5f4c1d34d02f'],
    tests: [
      service('the quota > is 400 without a wallet address, and the error says so'),
      values('each error of the specification has its status'),
    ],
    mutations: [
      change(
        'packages/operations/src/params.ts',
        "'a wallet address is required: 0x and 40 hex digits'",
        "'Invalid input'",
      ),
      change(errorCodesFile, 'INVALID_ADDRESS: { status: 400,', 'INVALID_ADDRESS: { status: 404,'),
    ],
  },
  {
    id: 'error-404',
    says: 'An unknown task is 404 and says that it is not found',
    covers: ['20f003fdd45f'],
    tests: [
      service('a task > that does not exist is 404, and the error says so'),
      values('each error of the specification has its status'),
    ],
    mutations: [
      change('packages/reads/src/market.ts', '`Task ${formatTaskId(id)} is not found.`', '`Task ${formatTaskId(id)}`'),
      change(errorCodesFile, 'TASK_NOT_FOUND: { status: 404,', 'TASK_NOT_FOUND: { status: 400,'),
    ],
  },
  {
    id: 'error-429',
    says: 'A reached daily limit is 429, says so, and has the quota with canPost false',
    covers: ['1b4bcbd414dc'],
    tests: [
      service('the quota > is 429 with the quota when the daily limit is reached'),
      values('each error of the specification has its status'),
      world('posting > check is 429 with the quota when the daily limit is reached'),
    ],
    mutations: [
      change('packages/protocol/src/postingQuota.ts', '`The daily posting limit is reached: ', '`No more posts: '),
      change(errorCodesFile, 'QUOTA_REACHED: { status: 429,', 'QUOTA_REACHED: { status: 403,'),
      change(
        'packages/serve/src/postingQuota.ts',
        '    hint,\n    quota,\n',
        '    hint,\n    quota: { ...quota, canPost: true },\n',
      ),
    ],
  },
  {
    id: 'error-503',
    says: 'The chat without a key is 503, and its error is the name of the variable and that it is not configured',
    covers: ['6ae3b831e0e6'],
    tests: [
      service('the chat without a key is 503, and the error names the variable'),
      values('each error of the specification has its status'),
    ],
    mutations: [
      change('apps/api/src/chat/chat.ts', "'LLM_GATEWAY_API_KEY is not configured'", "'The chat is not configured'"),
    ],
  },
  {
    id: 'error-402',
    says: 'A claim without a receipt is 402',
    covers: ['ed51e80a3ce1'],
    tests: [
      gateway('a claim without a receipt is 402, and says where to get one'),
      values('each error of the specification has its status'),
    ],
    mutations: [change(errorCodesFile, 'PAYMENT_REQUIRED: { status: 402,', 'PAYMENT_REQUIRED: { status: 400,')],
  },
]
