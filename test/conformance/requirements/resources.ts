import { change, type Requirement, schema, service, values, world } from './requirement.ts'

const taskIdFile = 'packages/protocol/src/taskId.ts'
const taskJsonFile = 'packages/operations/src/json/task.ts'
const metaJsonFile = 'packages/operations/src/json/meta.ts'
const quotaJsonFile = 'packages/operations/src/json/quota.ts'
const postingCallsFile = 'apps/api/src/calls/posting.ts'
const plansFile = 'packages/protocol/src/plans.ts'
const getSiteConfigFile = 'packages/operations/src/service/getSiteConfig.ts'
const serviceCallsFile = 'apps/api/src/calls/service.ts'
const postingJsonFile = 'packages/operations/src/json/posting.ts'
const getUnionFile = 'packages/operations/src/market/getUnion.ts'
const marketFile = 'packages/reads/src/market.ts'
const ledgerJsonFile = 'packages/operations/src/json/ledger.ts'
const chatFile = 'packages/operations/src/service/chat.ts'
const envelopeFile = 'packages/protocol/src/negotiation/envelope.ts'
const publishedEnvelope = 'packages/protocol/schemas/envelope.json'

/** Section 2: resources and their fields. */
export const resources: readonly Requirement[] = [
  {
    id: 'task-id',
    says: 'A task id is `v2`, the market and the number on chain',
    covers: ['8b9ea02725ff'],
    tests: [
      schema('a task > has an id with version, market and number'),
      values('a task id is v2, the market and the number'),
      world("reads > a task's id has its market and its number on chain"),
    ],
    mutations: [
      change(
        'packages/operations/src/json/scalars.ts',
        'export const taskIdText = z.string().regex(/^v2:(?:standard|micro):',
        'export const taskIdText = z.string().regex(/^v3:(?:standard|micro):',
      ),
      change(taskIdFile, 'const id = `v2:${market}:${number}`', 'const id = `v1:${market}:${number}`'),
      change(
        taskIdFile,
        'const wireForm = /^v2:([a-z]+):([1-9][0-9]{0,77})$/',
        'const wireForm = /^v\\d:([a-z]+):([1-9][0-9]{0,77})$/',
      ),
    ],
  },
  {
    id: 'task-market',
    says: 'A task has its market',
    covers: ['b04a565f793a'],
    tests: [schema('a task > has a market')],
    mutations: [
      change(
        taskJsonFile,
        "market: market.check(z.describe('Market of the task.')),",
        "market: z.string().describe('Market of the task.'),",
      ),
    ],
  },
  {
    id: 'task-registry',
    says: 'A task has the address of the registry of its market',
    covers: ['48b6faafbc91'],
    tests: [
      schema('a task > has the address of its registry'),
      world('reads > a task names the registry of its market'),
    ],
    mutations: [change(taskJsonFile, 'registryAddress: addressText.describe(', 'registryAddress: hashText.describe(')],
  },
  {
    id: 'task-state',
    says: 'A task has a state: POSTED, ACTIVE or another',
    covers: ['574b33281ff7'],
    tests: [
      schema('a task > is POSTED or ACTIVE, among other states'),
      world("reads > a task's state, worker and settlement digest are those of the chain"),
    ],
    mutations: [
      change(taskJsonFile, 'state: z.enum(states).describe(', 'state: z.string().describe('),
      change('packages/protocol/src/states.ts', "  'CLAIMED',\n  'ACTIVE',", "  'CLAIMED',\n  'STARTED',"),
    ],
  },
  {
    id: 'task-total',
    says: 'A task has its total in wei',
    covers: ['0aa085af4273'],
    tests: [
      schema('a task > has its total amount in wei'),
      world("reads > a task's amounts are those of the chain, in wei"),
    ],
    mutations: [change(taskJsonFile, 'totalAmountTokWei: amountText', 'totalTokWei: amountText')],
  },
  {
    id: 'task-funded',
    says: 'A task has its funded amount in wei',
    covers: ['bd4d0c5aa2c3'],
    tests: [
      schema('a task > has its funded amount in wei'),
      world("reads > a task's amounts are those of the chain, in wei"),
    ],
    mutations: [change(taskJsonFile, '    fundedTokWei: amountText', '    fundedTokWei: count')],
  },
  {
    id: 'task-released',
    says: 'A task has its released amount in wei',
    covers: ['0d9acb83808e'],
    tests: [
      schema('a task > has its released amount in wei'),
      world("reads > a task's amounts are those of the chain, in wei"),
    ],
    mutations: [change(taskJsonFile, 'releasedTokWei: amountText', 'paidTokWei: amountText')],
  },
  {
    id: 'task-worker',
    says: 'A task has the address of its worker once one is assigned',
    covers: ['b94daf1382b6'],
    tests: [
      schema('a task > has the address of its worker, if it has one'),
      world("reads > a task's state, worker and settlement digest are those of the chain"),
    ],
    mutations: [change(taskJsonFile, 'worker: z.optional(addressText)', 'worker: z.nullable(addressText)')],
  },
  {
    id: 'task-digest',
    says: 'A task has a settlement digest in hex once a worker is assigned',
    covers: ['c83a0a88136d'],
    tests: [
      schema('a task > has a settlement digest in hex, if it has a worker'),
      world("reads > a task's state, worker and settlement digest are those of the chain"),
    ],
    mutations: [change(taskJsonFile, 'settlementDigest: z\n', 'digest: z\n')],
  },
  {
    id: 'meta',
    says: '`meta` of a list has the protocol version, the ticker, the market, and the chain RPC as source',
    covers: ['a60b77991637'],
    tests: [
      schema('meta of a list > has the protocol version v2'),
      schema('meta of a list > has the ticker of the service token'),
      schema('meta of a list > has the market'),
      schema('meta of a list > names the chain RPC as its source'),
      schema('meta of a list > always has all four'),
      service('meta has version, ticker, market and source'),
    ],
    mutations: [
      change(metaJsonFile, "protocolVersion: z.literal('v2')", "protocolVersion: z.literal('v3')"),
      change(metaJsonFile, 'asset: z.literal(tokens.tok.symbol)', 'asset: z.literal(tokens.usdc.symbol)'),
      change(
        metaJsonFile,
        "market: market.check(z.describe('Market that the response is about.')),",
        "market: z.string().describe('Market that the response is about.'),",
      ),
      change(metaJsonFile, "source: z.literal('chain-rpc')", "source: z.literal('index')"),
      change(metaJsonFile, "    protocolVersion: 'v2',", "    protocolVersion: 'v1' as 'v2',"),
      change(metaJsonFile, '    asset: tokens.tok.symbol,', "    asset: 'USDC' as 'TOK',"),
      change(metaJsonFile, "    source: 'chain-rpc',", "    source: 'index' as 'chain-rpc',"),
    ],
  },
  {
    id: 'quota-tier',
    says: 'The quota names the plan',
    covers: ['39857a9875d4'],
    tests: [schema('the quota has tier, used, limit and canPost')],
    mutations: [
      change(
        quotaJsonFile,
        'tier: z.enum(postingPlans.map(({ id }) => id)).describe(',
        'plan: z.enum(postingPlans.map(({ id }) => id)).describe(',
      ),
    ],
  },
  {
    id: 'quota-used',
    says: 'The quota has the posts used',
    covers: ['e0982df21989'],
    tests: [schema('the quota has tier, used, limit and canPost')],
    mutations: [change(quotaJsonFile, 'used: count.describe(', 'used: z.string().describe(')],
  },
  {
    id: 'quota-limit',
    says: 'The quota has its limit',
    covers: ['24faacb86227'],
    tests: [schema('the quota has tier, used, limit and canPost')],
    mutations: [change(quotaJsonFile, 'limit: count.describe(', 'dailyLimit: count.describe(')],
  },
  {
    id: 'quota-can-post',
    says: 'The quota says whether the wallet may post',
    covers: ['c5e02bd4b132'],
    tests: [schema('the quota has tier, used, limit and canPost')],
    mutations: [change(quotaJsonFile, 'canPost: z.boolean()', 'canPost: z.optional(z.boolean())')],
  },
  {
    id: 'quota-key',
    says: 'A quota belongs to a market and a wallet',
    covers: ['fd39fb0dadd4'],
    tests: [
      service('the quota > is that of a market and a wallet, whoever asks'),
      world('posting > the free plan has three posts a day, by market and wallet'),
    ],
    mutations: [
      change(
        postingCallsFile,
        'export const getQuota = implement(operations.getQuota)(async ({ address, market }, { posting }) => {\n  const { quota, day } = await posting.quota(market, address)',
        "export const getQuota = implement(operations.getQuota)(async ({ address, market }, { posting }) => {\n  const { quota, day } = await posting.quota('standard', address)",
      ),
    ],
  },
  {
    id: 'quota-and-fee',
    says: 'The access fee is the same whatever the plan: the contracts know no quota',
    covers: ['958584193f8e'],
    tests: [
      values('of the fees > a post, claim, dismissal or leave costs 1,000 TOK'),
      'test/protocol/actions.test.ts > %s > leaves the state, the balances, the clock and the event that its row promises',
    ],
  },
  {
    id: 'plan-id',
    says: 'A plan has an id, and `free` is the default',
    covers: ['9467dafa6d45'],
    tests: [
      values('the free plan comes first and has three posts a day; basic is another'),
      service('the site config has the chain, the contracts of the market, and the plans'),
      values('a wallet without a payment has the free plan'),
    ],
    mutations: [
      change(plansFile, "{ id: 'free', dailyLimit: 3 },", "{ id: 'gratis', dailyLimit: 3 },"),
      change('apps/api/src/posting/plans.ts', '?? postingPlans[0]', '?? postingPlans[1]'),
    ],
  },
  {
    id: 'plan-limit',
    says: 'A plan has a daily limit; that of `free` is 3',
    covers: ['8e9c864cf329'],
    tests: [
      values('the free plan comes first and has three posts a day; basic is another'),
      service('the site config has the chain, the contracts of the market, and the plans'),
    ],
    mutations: [change(plansFile, "{ id: 'free', dailyLimit: 3 },", "{ id: 'free', dailyLimit: 5 },")],
  },
  {
    id: 'config-chain-id',
    says: 'The site config has the chain id',
    covers: ['4b2f67929b3a'],
    tests: [
      schema('the site config > has the chain, the RPC URL and the market'),
      service('the site config has the chain, the contracts of the market, and the plans'),
    ],
    mutations: [
      change(getSiteConfigFile, "chainId: count.describe('Chain id.')", "chain: count.describe('Chain id.')"),
    ],
  },
  {
    id: 'config-chain-name',
    says: 'The site config has the name of the chain',
    covers: ['17c3138a5cc1'],
    tests: [
      schema('the site config > has the chain, the RPC URL and the market'),
      service('the site config has the chain, the contracts of the market, and the plans'),
    ],
    mutations: [change(getSiteConfigFile, 'chainName: z.string()', 'chainName: z.optional(z.string())')],
  },
  {
    id: 'config-rpc-url',
    says: 'The site config has an RPC URL',
    covers: ['2acf38991628'],
    tests: [
      schema('the site config > has the chain, the RPC URL and the market'),
      service('the site config has the chain, the contracts of the market, and the plans'),
    ],
    mutations: [change(getSiteConfigFile, 'rpcUrl: z.string()', 'rpc: z.string()')],
  },
  {
    id: 'config-market',
    says: 'The site config has its market',
    covers: ['efe377f3eb90'],
    tests: [
      schema('the site config > has the chain, the RPC URL and the market'),
      service('the site config has the chain, the contracts of the market, and the plans'),
    ],
    mutations: [
      change(
        getSiteConfigFile,
        "market: marketName.check(z.describe('Market of the contracts.')),",
        "market: z.string().describe('Market of the contracts.'),",
      ),
    ],
  },
  {
    id: 'config-contracts',
    says: 'The site config has eight contracts by name, each with its address',
    covers: ['a0157bb4798c'],
    tests: [
      schema('the site config > has the addresses of eight contracts'),
      service('the site config has the chain, the contracts of the market, and the plans'),
      world('reads > the site config has eight contracts, and each has code'),
    ],
    mutations: [
      change(
        getSiteConfigFile,
        "tokToken: addressText.describe('The service token.')",
        "tokTokenAddress: addressText.describe('The service token.')",
      ),
      change(
        getSiteConfigFile,
        "taskRegistry: addressText.describe('Tasks and their lifecycle.')",
        "taskRegistryAddress: addressText.describe('Tasks and their lifecycle.')",
      ),
      change(
        getSiteConfigFile,
        "depositVault: addressText.describe('USDC deposits.')",
        "depositVaultAddress: addressText.describe('USDC deposits.')",
      ),
      change(
        getSiteConfigFile,
        "escrowVault: addressText.describe('Escrow of tasks, in TOK.')",
        "escrowVaultAddress: addressText.describe('Escrow of tasks, in TOK.')",
      ),
      change(
        getSiteConfigFile,
        "paymentGateway: addressText.describe('The only contract that wallets allow to take TOK.')",
        "paymentGatewayAddress: addressText.describe('The only contract that wallets allow to take TOK.')",
      ),
      change(
        getSiteConfigFile,
        "stakingVault: addressText.describe('The Union.')",
        "stakingVaultAddress: addressText.describe('The Union.')",
      ),
      change(getSiteConfigFile, 'usdOracle: addressText.describe(', 'usdOracleAddress: addressText.describe('),
      change(
        getSiteConfigFile,
        "pricingPolicy: addressText.describe('Prices of posting plans.')",
        "pricingPolicyAddress: addressText.describe('Prices of posting plans.')",
      ),
      change(
        serviceCallsFile,
        '        depositVault,\n        escrowVault,',
        '        depositVault: escrowVault,\n        escrowVault: depositVault,',
      ),
    ],
  },
  {
    id: 'config-plans',
    says: 'The site config has the plans',
    covers: ['0937beefb06e'],
    tests: [
      schema('the site config > has plans with an id and a daily limit'),
      service('the site config has the chain, the contracts of the market, and the plans'),
    ],
    mutations: [
      change(getSiteConfigFile, 'dailyLimit: count.describe(', 'perDay: count.describe('),
      change(serviceCallsFile, 'postingPlans: postingPlans.map(', 'postingPlans: postingPlans.slice(1).map('),
    ],
  },
  {
    id: 'config-clients',
    says: 'Clients can take every address from the site config; no program has one in its source',
    covers: ['83421301290f'],
    tests: [
      service('the site config has the chain, the contracts of the market, and the plans'),
      values('no program has the address of a contract in its source'),
    ],
    mutations: [
      change(
        serviceCallsFile,
        'const implement = implementCalls<CallDeps>()',
        'const implement = implementCalls<CallDeps>() // 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
      ),
    ],
  },
  {
    id: 'preview-tier',
    says: 'The preview names the plan',
    covers: ['4213b93a85e6'],
    tests: [schema('the price preview has six fields')],
    mutations: [
      change(
        postingJsonFile,
        "tier: z.enum(postingPlans.map(({ id }) => id)).describe('The posting plan.')",
        "plan: z.enum(postingPlans.map(({ id }) => id)).describe('The posting plan.')",
      ),
    ],
  },
  {
    id: 'preview-list-price',
    says: 'The preview has the list price in USDC',
    covers: ['e07cc7ac4932'],
    tests: [schema('the price preview has six fields'), service('the price preview is that of the plan')],
    mutations: [
      change(
        postingJsonFile,
        "listPriceUsdc: usd.describe('List price for 30 days, in USDC.'),\n  discountedUsd: usd.describe('Price when paid",
        "listPrice: usd.describe('List price for 30 days, in USDC.'),\n  discountedUsd: usd.describe('Price when paid",
      ),
    ],
  },
  {
    id: 'preview-discounted',
    says: 'The preview has the discounted price in USD',
    covers: ['cf8306450c69'],
    tests: [schema('the price preview has six fields'), service('the price preview is that of the plan')],
    mutations: [
      change(
        postingJsonFile,
        "discountedUsd: usd.describe('Price when paid in TOK",
        "discounted: usd.describe('Price when paid in TOK",
      ),
      change(
        postingCallsFile,
        '    discountedUsd: convertToUsd(quote.payUsd),\n    tokUsdPrice: formatTokPrice(',
        '    discountedUsd: convertToUsd(quote.listPriceUsd),\n    tokUsdPrice: formatTokPrice(',
      ),
    ],
  },
  {
    id: 'preview-tok-price',
    says: 'The preview has the price of one token in USD',
    covers: ['f1c05259858d'],
    tests: [schema('the price preview has six fields'), service('the price preview is that of the plan')],
    mutations: [
      change(
        postingJsonFile,
        "tokUsdPrice: usd.describe('Price of one TOK in USD; 0",
        "tokPrice: usd.describe('Price of one TOK in USD; 0",
      ),
    ],
  },
  {
    id: 'preview-tok-amount',
    says: 'The preview has the price in tokens',
    covers: ['ae35efa261e3'],
    tests: [schema('the price preview has six fields'), service('the price preview is that of the plan')],
    mutations: [change(postingJsonFile, 'tokAmount: usd.describe(', 'tokAmount: z.string().describe(')],
  },
  {
    id: 'preview-tok-allowed',
    says: 'The preview says whether the plan is sold for tokens',
    covers: ['880a9d760d44'],
    tests: [schema('the price preview has six fields'), service('the price preview is that of the plan')],
    mutations: [change(postingJsonFile, 'tokAllowed: z.boolean()', 'tokAllowed: z.optional(z.boolean())')],
  },
  {
    id: 'union-source',
    says: 'The Union overview names the chain RPC as its source',
    covers: ['f99b5adb3e69'],
    tests: [
      schema('the Union overview has its source, the launch gate, the stake and the credits'),
      service('the Union overview is that of the market, and of no wallet'),
    ],
    mutations: [change(getUnionFile, "source: z.literal('chain-rpc')", "source: z.literal('index')")],
  },
  {
    id: 'union-active',
    says: 'The Union overview has the launch gate',
    covers: ['f89ec3d315a7'],
    tests: [
      schema('the Union overview has its source, the launch gate, the stake and the credits'),
      service('the Union overview is that of the market, and of no wallet'),
      world('reads > the Union overview is that of the chain'),
    ],
    mutations: [change(getUnionFile, 'stakingActive: z.boolean()', 'active: z.boolean()')],
  },
  {
    id: 'union-staked',
    says: 'The Union overview has the total stake in wei',
    covers: ['d123187818b0'],
    tests: [
      schema('the Union overview has its source, the launch gate, the stake and the credits'),
      service('the Union overview is that of the market, and of no wallet'),
      world('reads > the Union overview is that of the chain'),
    ],
    mutations: [
      change(getUnionFile, 'totalStakedTok: amountText', 'totalStakedTok: z.number()'),
      change(marketFile, 'totalStakedTok: String(union.totalStaked)', 'totalStakedTok: String(union.rewardReserve)'),
    ],
  },
  {
    id: 'union-issued',
    says: 'The Union overview has the credits issued',
    covers: ['017714a62f9b'],
    tests: [
      schema('the Union overview has its source, the launch gate, the stake and the credits'),
      service('the Union overview is that of the market, and of no wallet'),
    ],
    mutations: [
      change(getUnionFile, 'totalCreditsIssued: amountText', 'creditsIssued: amountText'),
      change(
        marketFile,
        'totalCreditsIssued: String(union.totalCreditsIssued)',
        'totalCreditsIssued: String(union.creditsRemaining)',
      ),
    ],
  },
  {
    id: 'union-remaining',
    says: 'The Union overview has the credits that remain',
    covers: ['f7432df4d87a'],
    tests: [
      schema('the Union overview has its source, the launch gate, the stake and the credits'),
      service('the Union overview is that of the market, and of no wallet'),
    ],
    mutations: [change(getUnionFile, 'creditsRemaining: amountText', 'creditsRemaining: z.optional(amountText)')],
  },
  {
    id: 'union-closed',
    says: 'The Union overview says whether issuance is closed',
    covers: ['9084de978834'],
    tests: [
      schema('the Union overview has its source, the launch gate, the stake and the credits'),
      service('the Union overview is that of the market, and of no wallet'),
      world('reads > the Union overview is that of the chain'),
    ],
    mutations: [change(getUnionFile, 'creditIssuanceClosed: z.boolean()', 'creditsClosed: z.boolean()')],
  },
  {
    id: 'union-no-wallet',
    says: 'The Union overview has no balance of a wallet',
    covers: ['9b198e84dbf9'],
    tests: [
      service('the Union overview is that of the market, and of no wallet'),
      world('reads > the Union overview has no balance of a wallet'),
    ],
  },
  {
    id: 'union-parts',
    says: "The overview is of one market's Union: gate, stake, credits and reward reserve",
    covers: ['d8814d2d71ff'],
    tests: [
      schema('the Union overview has its source, the launch gate, the stake and the credits'),
      service('the Union overview is that of the market, and of no wallet'),
      world('reads > the Union overview is that of the chain'),
    ],
    mutations: [change(getUnionFile, 'rewardReserveTok: amountText', 'reserveTok: amountText')],
  },
  {
    id: 'ledger',
    says: "A ledger has a wallet's funded, locked, released and disputed amounts as buyer and as worker, from the tasks of one market, in wei",
    covers: ['580a28b511b9', '0d8ca4870657'],
    tests: [
      schema('the ledger has funded, locked, released and disputed amounts in wei, as buyer and as worker'),
      world('reads > a ledger is the sum of the tasks of a wallet in one market'),
    ],
    mutations: [
      change(ledgerJsonFile, "      fundedTokWei: amountText.describe('Put", "      funded: amountText.describe('Put"),
      change(
        ledgerJsonFile,
        "lockedTokWei: amountText.describe('In escrow now",
        "locked: amountText.describe('In escrow now",
      ),
      change(
        ledgerJsonFile,
        "releasedTokWei: amountText.describe('Paid to workers",
        "released: amountText.describe('Paid to workers",
      ),
      change(
        ledgerJsonFile,
        "disputedTokWei: amountText.describe('In escrow in disputed tasks, in TOK wei.'),\n      taskCount: count.describe('Tasks that the wallet posted",
        "disputed: amountText.describe('In escrow in disputed tasks, in TOK wei.'),\n      taskCount: count.describe('Tasks that the wallet posted",
      ),
      change(
        ledgerJsonFile,
        "lockedTokWei: amountText.describe('In escrow for the wallet",
        "lockedTokWei: z.number().describe('In escrow for the wallet",
      ),
    ],
  },
  {
    id: 'ledger-no-balance',
    says: 'A ledger is computed from tasks: it is neither a balance nor a list of receipts',
    covers: ['1132554a7ad3'],
    tests: [world('reads > a ledger is the sum of the tasks of a wallet in one market')],
  },
  {
    id: 'chat-system',
    says: 'A chat request has a system text',
    covers: ['58f697bce84d'],
    tests: [schema('a chat request has a system text and messages of role and content')],
    mutations: [change(chatFile, 'system: z.string().max(8_000)', 'rules: z.string().max(8_000)')],
  },
  {
    id: 'chat-messages',
    says: 'A chat request has messages with role and content',
    covers: ['19442d997451'],
    tests: [
      schema('a chat request has a system text and messages of role and content'),
      world('chat > a chat request has messages and no other field'),
    ],
    mutations: [
      change(chatFile, "role: z.enum(['user'", "author: z.enum(['user'"),
      change(chatFile, 'content: z.string().min(1)', 'text: z.string().min(1)'),
    ],
  },
  {
    id: 'chat-text',
    says: 'A chat response has a text',
    covers: ['d76529fca3f4'],
    tests: [
      schema('a chat response has a text and a model'),
      world('chat > a chat is answered with a text and a model'),
    ],
    mutations: [change(chatFile, "text: z.string().describe('Reply", "reply: z.string().describe('Reply")],
  },
  {
    id: 'chat-model',
    says: 'A chat response names the model',
    covers: ['03c30971c1c2'],
    tests: [
      schema('a chat response has a text and a model'),
      world('chat > a chat is answered with a text and a model'),
    ],
    mutations: [change(chatFile, 'model: z.string().describe(', 'model: z.optional(z.string()).describe(')],
  },
  {
    id: 'envelope-version',
    says: 'An envelope has the constant schemaVersion svc-xmtp-v1',
    covers: ['18cc7cad1845', '9553babe7de8'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [
      change(
        envelopeFile,
        "export const envelopeVersion = 'svc-xmtp-v1'",
        "export const envelopeVersion = 'svc-xmtp-v2'",
      ),
      change(publishedEnvelope, '"const": "svc-xmtp-v1"', '"const": "svc-xmtp-v2"'),
    ],
  },
  {
    id: 'envelope-type',
    says: 'An envelope has a type, never empty',
    covers: ['a1306e100cfe'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [
      change(envelopeFile, '  type: z.enum(messageTypes),\n', ''),
      change(envelopeFile, 'type: z.enum(messageTypes)', 'type: z.string()'),
      change(
        publishedEnvelope,
        '"enum": [\n        "TaskProposal",',
        '"enum": [\n        "",\n        "TaskProposal",',
      ),
    ],
  },
  {
    id: 'envelope-negotiation',
    says: 'An envelope has the UUID of its negotiation',
    covers: ['c408cb31a33b'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [change(envelopeFile, 'negotiationId: z.guid(),', 'negotiationId: z.string(),')],
  },
  {
    id: 'envelope-task',
    says: 'An envelope may have a task id',
    covers: ['84d9de297f22'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [
      change(envelopeFile, 'taskId: z.optional(z.string().check(', 'taskId: z.nullable(z.string().check('),
      change(
        publishedEnvelope,
        '"pattern": "^v2:(?:standard|micro):[1-9][0-9]{0,77}$"',
        '"pattern": "^v1:(?:standard|micro):[1-9][0-9]{0,77}$"',
      ),
    ],
  },
  {
    id: 'envelope-sequence',
    says: 'An envelope has a sequence number from 1',
    covers: ['1a2d6e67f6ad'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [change(envelopeFile, 'sequence: z.int().check(z.minimum(1),', 'sequence: z.int().check(z.minimum(0),')],
  },
  {
    id: 'envelope-previous',
    says: 'An envelope has the hash of the previous one, 32 bytes in hex',
    covers: ['01f3bf96e907'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [
      change(
        envelopeFile,
        'previousHash: z.string().check(z.regex(/^0x[a-fA-F0-9]{64}$/,',
        'previousHash: z.string().check(z.regex(/^0x[a-fA-F0-9]+$/,',
      ),
    ],
  },
  {
    id: 'envelope-timestamp',
    says: 'An envelope has a date and time',
    covers: ['d267f0e66a5b'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [
      change(
        envelopeFile,
        'timestamp: z.iso.datetime({ offset: true }).check(z.maxLength(40)),',
        'timestamp: z.string().check(z.maxLength(40)),',
      ),
    ],
  },
  {
    id: 'envelope-sender',
    says: 'An envelope has a sender with a wallet address and an XMTP public key',
    covers: ['f1a3ec573b01'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [
      change(
        envelopeFile,
        'evmAddress: z.string().check(z.regex(/^0x[a-fA-F0-9]{40}$/,',
        'evmAddress: z.string().check(z.regex(/^0x[a-fA-F0-9]{4,}$/,',
      ),
      change(envelopeFile, 'xmtpPublicKey: z.string().check(', 'xmtpKey: z.string().check('),
      change(publishedEnvelope, '"required": ["evmAddress", "xmtpPublicKey"]', '"required": ["evmAddress"]'),
    ],
  },
  {
    id: 'envelope-payload',
    says: 'An envelope has a payload object',
    covers: ['c80d44221332'],
    tests: [
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [
      change(
        envelopeFile,
        '  payload: z.record(z.string(), z.unknown()),\n})\n\n/** A message before',
        '  payload: z.optional(z.record(z.string(), z.unknown())),\n})\n\n/** A message before',
      ),
    ],
  },
  {
    id: 'terms',
    says: 'A tool builds the terms document; its settlement digest can be verified against the terms',
    covers: ['56b9536de721'],
    tests: [
      'packages/protocol/src/terms/terms.test.ts > a document with any one value changed is refused or does not verify',
      'test/tools/mcpAnswers.test.ts > a settlement digest is verified from the document and from the chain > a changed number is detected',
    ],
    mutations: [
      change(
        'packages/protocol/src/terms/terms.ts',
        'return document.criteriaHash === hashText(document) && document.settlementDigest === computeDigest(document)',
        'return document.criteriaHash === hashText(document)',
      ),
    ],
  },
]
