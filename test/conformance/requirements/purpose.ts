import { change, contract, gateway, type Requirement, schema, service, values, world } from './requirement.ts'

const unitsFile = 'packages/protocol/src/units.ts'
const endpointsFile = 'packages/operations/src/endpoints.ts'
const lifecycleFile = 'packages/protocol/src/lifecycle.ts'

/** Section 1: what the service does. */
export const purpose: readonly Requirement[] = [
  {
    id: 'names',
    says: 'Identifiers say `tok` for the token and `svc` for the service; the key of the chat gateway is LLM_GATEWAY_API_KEY',
    covers: ['93815286a33a', 'd89b2a06fc01'],
    tests: [
      values('the token is TOK with 18 decimals'),
      values('the tool server has the twelve tools of the specification'),
      values('of the environment > the chat takes its key, base URL and model from three variables'),
    ],
    mutations: [change(unitsFile, "tok: { symbol: 'TOK', decimals: 18 }", "tok: { symbol: 'TKN', decimals: 18 }")],
  },
  {
    id: 'chain',
    says: 'Tasks live on chain 8453',
    covers: ['4d5d2c7515a3'],
    tests: [
      service('the site config has the chain, the contracts of the market, and the plans'),
      world('reads > the chain id is that of the chain, 8453'),
    ],
    mutations: [
      change('apps/api/src/calls/service.ts', '      chainId,\n      chainName', '      chainId: 1,\n      chainName'),
    ],
  },
  {
    id: 'amounts',
    says: 'Amounts are in the token, as decimal strings of wei',
    covers: ['87a026fde23e'],
    tests: [
      schema('a task > has its total amount in wei'),
      schema('a task > has its funded amount in wei'),
      values('the token is TOK with 18 decimals'),
    ],
    mutations: [
      change(
        'packages/operations/src/json/scalars.ts',
        'export const amountText = z.string().regex(/^(?:0|[1-9][0-9]{0,77})$/)',
        'export const amountText = z.string().regex(/^[0-9.]+$/)',
      ),
      change(unitsFile, "tok: { symbol: 'TOK', decimals: 18 }", "tok: { symbol: 'TOK', decimals: 6 }"),
    ],
  },
  {
    id: 'no-accounts',
    says: 'A wallet is the identity: no account, no key, public reads',
    covers: ['71c19e949221', '5b75c2612323', '8e418e2a9ff5'],
    tests: [contract('the contract asks for no key'), service('reads need no key and never answer 401')],
    mutations: [change('packages/serve/src/openapi/buildOpenapi.ts', 'security: [],', 'security: [{ key: [] }],')],
  },
  {
    id: 'no-writes',
    says: 'The HTTP API sends nothing: posting, claiming and releasing are transactions of a wallet',
    covers: ['5f8dbc2015d5', 'f6a8c58e9794', 'b630954599e9'],
    tests: [
      contract('nothing but the quota and the chat is changed by a POST'),
      'test/protocol/actions.test.ts > %s > leaves the state, the balances, the clock and the event that its row promises',
    ],
    mutations: [change(endpointsFile, "getWallet: 'GET /api/wallet'", "getWallet: 'POST /api/wallet'")],
  },
  {
    id: 'api-parts',
    says: 'The API shows posters, states, ledgers and the Union, and has a quota with plans and a chat',
    covers: ['54fb6707d2ad'],
    tests: [contract('the API has the fourteen endpoints of the specification')],
    mutations: [
      change(endpointsFile, "getLedger: 'GET /api/get-market-ledger'", "getLedger: 'GET /api/market/ledger'"),
    ],
  },
  {
    id: 'markets',
    says: 'There are two markets, standard and micro',
    covers: ['aacdb68ddba7'],
    tests: [values('the markets are standard and micro')],
    mutations: [
      change(
        'packages/protocol/src/market.ts',
        "export const markets = ['standard', 'micro'] as const",
        "export const markets = ['standard', 'mini'] as const",
      ),
    ],
  },
  {
    id: 'markets-apart',
    says: 'Every route about a market takes `market`, and no list mixes two',
    covers: ['03ed713c8938'],
    tests: [
      contract('market is standard unless given, on every route that takes it without a task id'),
      service('a market is standard unless it is given, and nothing but standard or micro'),
      world('reads > the lists of the two markets share nothing'),
    ],
    mutations: [
      change('packages/operations/src/market/getUnion.ts', 'input: z.object({ market }),', 'input: z.object({}),'),
      change(
        'packages/operations/src/posting/checkQuota.ts',
        'input: z.object({ address, market }),',
        'input: z.object({ address }),',
      ),
    ],
  },
  {
    id: 'lifecycle-order',
    says: 'A task goes from negotiated terms over both signatures, posting, funding, claim, start, proof and acceptance to its completion or a dispute',
    covers: ['18e1ae0dff30'],
    tests: [
      values('the lifecycle has the operations of the specification, and claiming starts from POSTED'),
      'test/negotiation/agreement.test.ts > two processes come from a proposal to a paid task over files, and the transcript alone proves it',
      'packages/devnet/src/world.test.ts > the demo world of the %s market > every scenario ends in its expected state',
    ],
    mutations: [
      change(
        lifecycleFile,
        "operation: 'openDispute',\n    from: 'ACTIVE',\n    when: 'silence pays',",
        "operation: 'dispute',\n    from: 'ACTIVE',\n    when: 'silence pays',",
      ),
    ],
  },
  {
    id: 'lifecycle-exits',
    says: 'A worker can leave, and a poster can dismiss',
    covers: ['c746fa63fcb9'],
    tests: [
      values('the lifecycle has the operations of the specification, and claiming starts from POSTED'),
      'test/protocol/actions.test.ts > %s > leaves the state, the balances, the clock and the event that its row promises',
    ],
    mutations: [
      change(
        lifecycleFile,
        "operation: 'dismiss',\n    from: 'CLAIMED',\n    when: 'in the vet window',",
        "operation: 'remove',\n    from: 'CLAIMED',\n    when: 'in the vet window',",
      ),
    ],
  },
  {
    id: 'negotiation',
    says: 'Negotiation uses signed envelopes, each with the hash of the one before',
    covers: ['e5b6f2a5ec1d'],
    tests: [
      'packages/protocol/src/negotiation/fold.test.ts > a message that names another predecessor is refused, even if its sender signed it',
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
    mutations: [
      change(
        'packages/protocol/src/negotiation/chain.ts',
        "assertAllowed(previousHash === head, 'its previousHash is not the hash of the previous message.')",
        "assertAllowed(previousHash !== '', 'its previousHash is not the hash of the previous message.')",
      ),
    ],
  },
  {
    id: 'gateway',
    says: 'The optional gateway serves market data, a claim behind a 402, and pages',
    covers: ['6215fbffd9ce'],
    tests: [
      gateway('a claim without a receipt is 402, and says where to get one'),
      gateway('there are four pages'),
      contract('the gateway has the eight routes of the specification'),
    ],
    mutations: [
      change(
        'apps/gateway/src/calls/index.ts',
        "throw new ServiceError('PAYMENT_REQUIRED', problem, {",
        "throw new ServiceError('INVALID_REQUEST', problem, {",
      ),
    ],
  },
  {
    id: 'tools',
    says: 'The tool server reads, negotiates and prepares unsigned calldata',
    covers: ['b80bfd0dbd88'],
    tests: [
      values('the tool server has the twelve tools of the specification'),
      values('the prepare command has the 25 actions of the specification'),
      'test/tools/mcp.test.ts > every tool matches its schema > with mcporter over stdio',
    ],
  },
]
