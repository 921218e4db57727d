import { change, contract, type Requirement, schema, service, values, world } from './requirement.ts'

const respondFile = 'packages/serve/src/respond.ts'
const getQuotaFile = 'packages/operations/src/posting/getQuota.ts'
const checkQuotaFile = 'packages/operations/src/posting/checkQuota.ts'
const paramsFile = 'packages/operations/src/params.ts'
const endpointsFile = 'packages/operations/src/endpoints.ts'
const limitsFile = 'packages/protocol/src/limits.ts'
const marketFile = 'packages/reads/src/market.ts'
const getTaskFile = 'packages/operations/src/market/getTask.ts'
const errorCodesFile = 'packages/operations/src/errorCodes.ts'
const postingCallsFile = 'apps/api/src/calls/posting.ts'
const recordPostFile = 'packages/operations/src/posting/recordPost.ts'
const quotePlanFile = 'packages/operations/src/posting/quotePlan.ts'
const upgradePlanFile = 'packages/operations/src/posting/upgradePlan.ts'

/** Section 4: endpoints. */
export const endpoints: readonly Requirement[] = [
  {
    id: 'cors',
    says: 'Any origin may read by GET',
    covers: ['1a1725ad3aa1'],
    tests: [service('any origin may GET, without credentials, and none may POST')],
    mutations: [
      change(respondFile, "'access-control-allow-origin': '*',", "'access-control-allow-origin': 'null',"),
      change(respondFile, "...((method === 'GET' || method === 'HEAD') && open),", "...(method === 'HEAD' && open),"),
      change(respondFile, "...((method === 'GET' || method === 'HEAD') && open),", '...open,'),
    ],
  },
  {
    id: 'no-key',
    says: 'Read routes need no key',
    covers: ['42cbf42d1061', 'c4edd2257b00'],
    tests: [service('reads need no key and never answer 401'), contract('the contract asks for no key')],
  },
  {
    id: 'address',
    says: 'The caller gives a wallet as `address`, in the query of a GET and in the body of a POST',
    covers: ['9065d6a272d1'],
    tests: [
      contract('takes > GET /api/posting/quota: address and market'),
      contract('takes > POST /api/posting/check: address and market'),
    ],
    mutations: [
      change(getQuotaFile, 'input: z.object({ address, market })', 'input: z.object({ wallet: address, market })'),
      change(checkQuotaFile, 'input: z.object({ address, market })', 'input: z.object({ wallet: address, market })'),
    ],
  },
  {
    id: 'json-bodies',
    says: 'A POST body is JSON with its content type',
    covers: ['a72392389f00'],
    tests: [service('a POST takes JSON with its content type')],
    mutations: [
      change(
        'packages/serve/src/readRequestBody.ts',
        "if (type !== 'application/json') {",
        "if (type?.startsWith('application/json') === false) {",
      ),
    ],
  },
  {
    id: 'market-default',
    says: '`market` is standard, the default, or micro',
    covers: ['299dcc3cf8d0'],
    tests: [
      contract('market is standard unless given, on every route that takes it without a task id'),
      service('a market is standard unless it is given, and nothing but standard or micro'),
      world('%s > takes standard (the default) or micro as market'),
    ],
    mutations: [change(paramsFile, "oneMarket.default('standard')", "oneMarket.default('micro')")],
  },
  {
    id: 'openapi',
    says: 'An OpenAPI 3.1 contract is served at /openapi.yaml',
    covers: ['b81ddad4818a', '1041bce8ceb3'],
    tests: [contract('the contract is OpenAPI 3.1'), service('the contract is served as YAML at /openapi.yaml')],
    mutations: [
      change('packages/serve/src/openapi/buildOpenapi.ts', "openapi: '3.1.1'", "openapi: '3.0.3'"),
      change('apps/api/src/contract/documents.ts', "path: '/openapi.yaml'", "path: '/openapi.yml'"),
      change('apps/api/openapi.yaml', 'openapi: 3.1.1', 'openapi: 3.0.3'),
    ],
  },
  {
    id: 'route-open',
    says: 'GET /api/market/open lists claimable tasks',
    covers: ['cd72e2e38469', '8f80eee6b371'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      world('reads > the open list has only tasks that are POSTED'),
    ],
    mutations: [
      change(endpointsFile, "  listOpenTasks: 'GET /api/market/open'", "  listOpenTasks: 'GET /api/market/opens'"),
    ],
  },
  {
    id: 'route-recent',
    says: 'GET /api/market/recent lists tasks in any state',
    covers: ['90696fb5e34f', '88b772241080'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      world('reads > the recent list has the tasks of one market, in any state'),
    ],
    mutations: [
      change(
        endpointsFile,
        "  listRecentTasks: 'GET /api/market/recent'",
        "  listRecentTasks: 'GET /api/market/recents'",
      ),
    ],
  },
  {
    id: 'route-task',
    says: 'GET /api/market/task shows one task',
    covers: ['58929c9983f2', 'a099f88e2ed0'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      world('reads > a task is found by id and by taskId'),
    ],
    mutations: [change(endpointsFile, "  getTask: 'GET /api/market/task'", "  getTask: 'GET /api/market/tasks'")],
  },
  {
    id: 'route-poster',
    says: 'GET /api/poster/tasks lists the tasks of a poster',
    covers: ['df7a3cdef708', '16d3193f0fef'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      world('reads > the list of a poster has its tasks, with worker and digest where assigned'),
    ],
    mutations: [
      change(
        endpointsFile,
        "  listTasksByPoster: 'GET /api/poster/tasks'",
        "  listTasksByPoster: 'GET /api/poster/taskss'",
      ),
    ],
  },
  {
    id: 'route-ledger',
    says: 'GET /api/get-market-ledger shows the ledger of a wallet',
    covers: ['5b496989f9b2', '4d1c391994d7'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      world('reads > a ledger is the sum of the tasks of a wallet in one market'),
    ],
    mutations: [
      change(endpointsFile, "  getLedger: 'GET /api/get-market-ledger'", "  getLedger: 'GET /api/get-market-ledgers'"),
    ],
  },
  {
    id: 'route-config',
    says: 'GET /api/site-config shows the chain, the addresses and the plans',
    covers: ['5a50c60512c1', 'f1d80ebaf018'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      service('the site config has the chain, the contracts of the market, and the plans'),
    ],
    mutations: [
      change(endpointsFile, "  getSiteConfig: 'GET /api/site-config'", "  getSiteConfig: 'GET /api/site-configs'"),
    ],
  },
  {
    id: 'route-union',
    says: 'GET /api/union/overview shows the Union',
    covers: ['1c5c7a6fd3d2', '4299054dfc98'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      service('the Union overview is that of the market, and of no wallet'),
    ],
    mutations: [
      change(endpointsFile, "  getUnion: 'GET /api/union/overview'", "  getUnion: 'GET /api/union/overviews'"),
    ],
  },
  {
    id: 'route-quota',
    says: 'GET /api/posting/quota shows the quota of a wallet',
    covers: ['a6c69d6705f7', '7769e79c2e14'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      service('the quota > is that of a market and a wallet, whoever asks'),
    ],
    mutations: [change(endpointsFile, "  getQuota: 'GET /api/posting/quota'", "  getQuota: 'GET /api/posting/quotas'")],
  },
  {
    id: 'route-check',
    says: 'POST /api/posting/check says whether a wallet may post',
    covers: ['f4bf0d3c3c13', '2f5acaa06ddd'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      service('the quota > is returned by check while posts are left'),
    ],
    mutations: [
      change(endpointsFile, "  checkQuota: 'POST /api/posting/check'", "  checkQuota: 'POST /api/posting/checks'"),
    ],
  },
  {
    id: 'route-record',
    says: 'POST /api/posting/record counts a post',
    covers: ['fdc406b1fae4', 'f3343ce7bab3'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      service('the quota > grows by one with a recorded post'),
    ],
    mutations: [
      change(endpointsFile, "  recordPost: 'POST /api/posting/record'", "  recordPost: 'POST /api/posting/records'"),
    ],
  },
  {
    id: 'route-quote',
    says: 'GET /api/posting/quote quotes a plan in tokens',
    covers: ['9e1ce04dbf35', '84bfda957c77'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      service('a quote is in the service token unless USDC is asked for'),
    ],
    mutations: [
      change(endpointsFile, "  quotePlan: 'GET /api/posting/quote'", "  quotePlan: 'GET /api/posting/quotes'"),
    ],
  },
  {
    id: 'route-preview',
    says: 'GET /api/posting/tok-preview previews the price of a plan',
    covers: ['91989eea2ef8', '1c6578f7273e'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      service('the price preview is that of the plan'),
    ],
    mutations: [
      change(
        endpointsFile,
        "  previewPlanPrice: 'GET /api/posting/tok-preview'",
        "  previewPlanPrice: 'GET /api/posting/tok-previews'",
      ),
    ],
  },
  {
    id: 'route-upgrade',
    says: 'POST /api/posting/upgrade applies a paid plan',
    covers: ['51c21630f5d8', '575babbd8197'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      service('the quota > is upgraded by a verified payment'),
    ],
    mutations: [
      change(
        endpointsFile,
        "  upgradePlan: 'POST /api/posting/upgrade'",
        "  upgradePlan: 'POST /api/posting/upgrades'",
      ),
    ],
  },
  {
    id: 'route-chat',
    says: 'POST /api/role-chat passes a chat on',
    covers: ['fcf5c881898c', '53e116b27a2a'],
    tests: [
      contract('the API has the fourteen endpoints of the specification'),
      world('chat > a chat is answered with a text and a model'),
    ],
    mutations: [change(endpointsFile, "  chat: 'POST /api/role-chat'", "  chat: 'POST /api/role-chats'")],
  },
  {
    id: 'limit',
    says: 'The open list takes `limit` from 1 to 100, 100 unless given, and `market`',
    covers: ['9d1e31cd7bd8', '67174741bacd'],
    tests: [
      values('limit is 1 to 100, 100 unless given'),
      contract('takes > GET /api/market/open: limit 1 to 100, default 100, and market'),
      service('limit is a whole number from 1 to 100'),
    ],
    mutations: [
      change(limitsFile, 'list: { min: 1, max: 100, default: 100 }', 'list: { min: 0, max: 100, default: 100 }'),
      change(limitsFile, 'list: { min: 1, max: 100, default: 100 }', 'list: { min: 1, max: 1000, default: 100 }'),
      change(limitsFile, 'list: { min: 1, max: 100, default: 100 }', 'list: { min: 1, max: 100, default: 50 }'),
    ],
  },
  {
    id: 'limit-checked',
    says: 'A limit outside the range is refused',
    covers: ['9d1e31cd7bd8', '67174741bacd'],
    tests: [service('limit is a whole number from 1 to 100')],
    mutations: [
      change(paramsFile, '.min(min, `limit must be at least ${min}`)', ''),
      change(paramsFile, '.max(max, `limit must be at most ${max}`)', ''),
    ],
  },
  {
    id: 'open-body',
    says: 'The open list has tasks with seven fields, and meta',
    covers: ['8d4e2e6fc055'],
    tests: [
      schema('a task > always has the fields of the open list'),
      contract('the lists answer with tasks and meta'),
      world('reads > a task of the open list has the seven fields'),
    ],
    mutations: [
      change(
        'packages/operations/src/json/task.ts',
        '    fundedTokWei: amountText',
        '    fundedTokWei: amountText.optional()',
      ),
    ],
  },
  {
    id: 'recent-query',
    says: 'The recent list takes `market` and `limit`',
    covers: ['86aaeefa432b'],
    tests: [contract('takes > GET /api/market/recent: market and limit')],
    mutations: [
      change(
        'packages/operations/src/market/listRecentTasks.ts',
        'input: z.object(listInput)',
        'input: z.object({ market: listInput.market })',
      ),
    ],
  },
  {
    id: 'recent-tasks',
    says: 'The recent list has the tasks of one market in any state',
    covers: ['7386299e822a'],
    tests: [
      service('each list asks for its own tasks, at most 100 unless a limit is given'),
      world('reads > the recent list has the tasks of one market, in any state'),
    ],
    mutations: [
      change(
        marketFile,
        "readTaskPage(reader, { of: 'recent' }, input, deployments)",
        "readTaskPage(reader, { of: 'open' }, input, deployments)",
      ),
    ],
  },
  {
    id: 'task-query',
    says: 'A task is asked for by `id` or `taskId`, a full id; a market that is given must match it',
    covers: ['94b929c669d5'],
    tests: [
      service('a task > is asked for by a full id, with a market that matches it'),
      service('a task > that does not exist is 404, and the error says so'),
      contract('takes > GET /api/market/task: id or taskId, and market'),
    ],
    mutations: [
      change(
        getTaskFile,
        "readTaskId(id ?? taskId, context, ['id'], market)",
        "readTaskId(id, context, ['id'], market)",
      ),
      change(
        getTaskFile,
        "readTaskId(id ?? taskId, context, ['id'], market)",
        "readTaskId(id ?? taskId, context, ['id'])",
      ),
      change(
        'packages/protocol/src/taskId.ts',
        'const wireForm = /^v2:([a-z]+):([1-9][0-9]{0,77})$/',
        'const wireForm = /^v2:([a-z]+):([0-9]{1,78})$/',
      ),
    ],
  },
  {
    id: 'task-missing',
    says: 'A task that does not exist is 404 with an error',
    covers: ['635027927d20'],
    tests: [
      service('a task > that does not exist is 404, and the error says so'),
      world('reads > a task that does not exist is 404'),
    ],
    mutations: [
      change(
        marketFile,
        "if (!detail) throw new ServiceError('TASK_NOT_FOUND',",
        "if (!detail) throw new ServiceError('INVALID_TASK_ID',",
      ),
    ],
  },
  {
    id: 'ledger-query',
    says: 'The ledger takes `address`, required, and `market`',
    covers: ['0ebe4155a8d9'],
    tests: [contract('takes > GET /api/get-market-ledger: address and market')],
    mutations: [
      change(
        'packages/operations/src/wallet/getLedger.ts',
        'input: z.object({ address, market })',
        'input: z.object({ address: address.optional(), market })',
      ),
    ],
  },
  {
    id: 'config-query',
    says: 'The site config takes `market`',
    covers: ['bdd846eeda76'],
    tests: [contract('takes > GET /api/site-config: market')],
    mutations: [
      change('packages/operations/src/service/getSiteConfig.ts', 'input: z.object({ market })', 'input: z.object({})'),
    ],
  },
  {
    id: 'config-body',
    says: 'The site config answers with its resource',
    covers: ['6a5baba83c23'],
    tests: [
      service('the site config has the chain, the contracts of the market, and the plans'),
      schema('the site config > has the chain, the RPC URL and the market'),
    ],
  },
  {
    id: 'union-query',
    says: 'The Union overview takes `market`',
    covers: ['4ed126495846'],
    tests: [contract('takes > GET /api/union/overview: market')],
    mutations: [
      change(
        'packages/operations/src/market/getUnion.ts',
        'input: z.object({ market })',
        'input: z.object({ name: market })',
      ),
    ],
  },
  {
    id: 'union-body',
    says: 'The Union overview answers with its resource',
    covers: ['197033b1b6f5'],
    tests: [
      service('the Union overview is that of the market, and of no wallet'),
      schema('the Union overview has its source, the launch gate, the stake and the credits'),
    ],
  },
  {
    id: 'poster-query',
    says: 'The list of a poster takes `address`, required, and `market`',
    covers: ['b6a83cdc8f2c'],
    tests: [contract('takes > GET /api/poster/tasks: address and market')],
    mutations: [
      change(
        'packages/operations/src/wallet/listTasksByPoster.ts',
        'input: z.object({ address, ...listInput })',
        'input: z.object({ poster: address, ...listInput })',
      ),
    ],
  },
  {
    id: 'poster-body',
    says: 'The list of a poster has its tasks, with worker and digest where assigned',
    covers: ['6964211128a2'],
    tests: [
      service('each list asks for its own tasks, at most 100 unless a limit is given'),
      contract('the lists answer with tasks and meta'),
      world('reads > the list of a poster has its tasks, with worker and digest where assigned'),
    ],
    mutations: [
      change('packages/reads/src/wallet.ts', "{ of: 'poster', wallet: address }", "{ of: 'worker', wallet: address }"),
    ],
  },
  {
    id: 'quota-query',
    says: 'The quota takes `address`, required, and `market`',
    covers: ['ed523a63097a'],
    tests: [contract('takes > GET /api/posting/quota: address and market')],
    mutations: [
      change(
        getQuotaFile,
        'input: z.object({ address, market })',
        'input: z.object({ address: address.optional(), market })',
      ),
    ],
  },
  {
    id: 'quota-no-address',
    says: 'The quota without an address is 400',
    covers: ['44f6d18a0f5d'],
    tests: [service('the quota > is 400 without a wallet address, and the error says so')],
    mutations: [change(errorCodesFile, 'INVALID_ADDRESS: { status: 400,', 'INVALID_ADDRESS: { status: 422,')],
  },
  {
    id: 'check-body',
    says: 'The check takes `address` and `market`',
    covers: ['05d36fbd8988'],
    tests: [contract('takes > POST /api/posting/check: address and market')],
    mutations: [
      change(
        checkQuotaFile,
        'input: z.object({ address, market })',
        'input: z.object({ address: address.optional(), market })',
      ),
    ],
  },
  {
    id: 'check-answer',
    says: 'The check returns the quota, or 429 with an error and the quota',
    covers: ['2d75a25ff901'],
    tests: [
      service('the quota > is returned by check while posts are left'),
      service('the quota > is 429 with the quota when the daily limit is reached'),
      world('posting > check is 429 with the quota when the daily limit is reached'),
    ],
    mutations: [
      change('apps/api/src/posting/assertQuota.ts', '  if (quota.canPost) return\n', '  if (quota.used >= 0) return\n'),
      change('packages/serve/src/postingQuota.ts', '    hint,\n    quota,\n', '    hint,\n'),
    ],
  },
  {
    id: 'record',
    says: 'A recorded post increments the quota of the day',
    covers: ['478f73f1c766'],
    tests: [service('the quota > grows by one with a recorded post'), world('posting > a recorded post counts once')],
    mutations: [change(postingCallsFile, '  await posting.record(post)\n', '')],
  },
  {
    id: 'record-body',
    says: 'The record takes address, taskId, txHash, taskAmountTok and market',
    covers: ['71038f321ca8'],
    tests: [contract('takes > POST /api/posting/record: the wallet, the task, the transaction and the amount')],
    mutations: [
      change(recordPostFile, '      taskId: taskIdInput,', '      id: taskIdInput,'),
      change(recordPostFile, '      txHash,\n', '      hash: txHash,\n'),
      change(recordPostFile, 'taskAmountTok: z\n', 'amountTok: z\n'),
      change(recordPostFile, 'market: matchingMarket,', 'market: matchingMarket.nullable(),'),
    ],
  },
  {
    id: 'quote-query',
    says: 'The quote takes address, tier, payWith and market',
    covers: ['d3f6eef7048f'],
    tests: [contract('takes > GET /api/posting/quote: the wallet, the plan, the token and the market')],
    mutations: [change(quotePlanFile, "payWith: payWith.default('tok')", "asset: payWith.default('tok')")],
  },
  {
    id: 'quote-answer',
    says: 'The quote is in the service token',
    covers: ['f8b08da8f6ca'],
    tests: [
      service('a quote is in the service token unless USDC is asked for'),
      world('posting > a quote is in the service token'),
    ],
    mutations: [change(quotePlanFile, "payWith: payWith.default('tok')", "payWith: payWith.default('usdc')")],
  },
  {
    id: 'preview-query',
    says: 'The preview takes tier and market',
    covers: ['a1c980c0343d'],
    tests: [contract('takes > GET /api/posting/tok-preview: the plan and the market')],
    mutations: [
      change(
        'packages/operations/src/posting/previewPlanPrice.ts',
        'input: z.object({ tier, market })',
        'input: z.object({ plan: tier, market })',
      ),
    ],
  },
  {
    id: 'preview-body',
    says: 'The preview answers with its resource',
    covers: ['57eb01d9a243'],
    tests: [service('the price preview is that of the plan'), schema('the price preview has six fields')],
  },
  {
    id: 'upgrade',
    says: 'An upgrade verifies the payment before it raises the plan',
    covers: ['a1f47373a2de'],
    tests: [
      service('the quota > is upgraded by a verified payment'),
      world('posting > a verified payment upgrades the plan'),
      world('posting > a payment for another plan, token or market upgrades nothing'),
    ],
    mutations: [
      change(
        postingCallsFile,
        'posting.upgrade({ market, address, tier: plan, payWith, txHash })',
        "posting.upgrade({ market, address, tier: plan, payWith: 'tok', txHash })",
      ),
    ],
  },
  {
    id: 'upgrade-body',
    says: 'The upgrade takes address, tier, txHash, payWith (tok or usdc) and market',
    covers: ['e40766425eeb'],
    tests: [
      contract('takes > POST /api/posting/upgrade: the wallet, the plan, the transaction, the token and the market'),
    ],
    mutations: [
      change(
        upgradePlanFile,
        'input: z.object({ address, tier, txHash, payWith, market })',
        'input: z.object({ address, plan: tier, txHash, payWith, market })',
      ),
      change(
        upgradePlanFile,
        'input: z.object({ address, tier, txHash, payWith, market })',
        'input: z.object({ address, tier, txHash: txHash.optional(), payWith, market })',
      ),
      change(paramsFile, "const assets = ['tok', 'usdc'] as const", "const assets = ['tok', 'usdc', 'eth'] as const"),
    ],
  },
  {
    id: 'tiers',
    says: '`free` and `basic` are tiers',
    covers: ['e48bad39140d'],
    tests: [
      values('the free plan comes first and has three posts a day; basic is another'),
      contract('takes > GET /api/posting/tok-preview: the plan and the market'),
    ],
    mutations: [
      change('packages/protocol/src/plans.ts', "{ id: 'basic', dailyLimit: 25 }", "{ id: 'small', dailyLimit: 25 }"),
    ],
  },
  {
    id: 'chat-body',
    says: 'A chat takes a chat request and answers with a chat response',
    covers: ['20a479b178c2', 'd30c55624a3f'],
    tests: [
      schema('a chat request has a system text and messages of role and content'),
      schema('a chat response has a text and a model'),
      world('chat > a chat is answered with a text and a model'),
    ],
  },
  {
    id: 'chat-key',
    says: 'The chat needs LLM_GATEWAY_API_KEY on the server, is 503 without it, and takes no key of a client',
    covers: ['ae4ef4561205', '19744b6da511', '7317a1a3b850'],
    tests: [
      service('the chat without a key is 503, and the error names the variable'),
      'test/api/chat.test.ts > POST /api/role-chat 503 without a key, before the body is read',
      'test/api/chat.test.ts > POST /api/role-chat 200',
    ],
    mutations: [
      change(errorCodesFile, 'CHAT_NOT_CONFIGURED: { status: 503,', 'CHAT_NOT_CONFIGURED: { status: 500,'),
      change('apps/api/src/chat/chat.ts', '    admit(client) {\n      configured()\n', '    admit(client) {\n'),
    ],
  },
]
