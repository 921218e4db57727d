import { contract, credentials, type Requirement, schema, values } from './requirement.ts'

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
  },
  {
    id: 'chain',
    says: 'Tasks live on chain 8453',
    covers: ['4d5d2c7515a3'],
    checks: ['GET /api/site-config'],
  },
  {
    id: 'amounts',
    says: 'Amounts are in the token, as decimal strings of wei',
    covers: ['87a026fde23e'],
    checks: ['GET /api/market/open'],
    tests: [
      schema('a task > has its total amount in wei'),
      schema('a task > has its funded amount in wei'),
      values('the token is TOK with 18 decimals'),
    ],
  },
  {
    id: 'no-accounts',
    says: 'A wallet is the identity: no account, no key, public reads',
    covers: ['71c19e949221', '5b75c2612323', '8e418e2a9ff5'],
    checks: ['GET /api/market/open'],
    tests: [contract('the contract asks for no key'), credentials],
  },
  {
    id: 'no-writes',
    says: 'The HTTP API sends nothing: posting, claiming and releasing are transactions of a wallet',
    covers: ['5f8dbc2015d5', 'f6a8c58e9794', 'b630954599e9'],
    tests: [
      contract('nothing but the quota and the chat is changed by a POST'),
      'test/protocol/actions.test.ts > %s > leaves the state, the balances, the clock and the event that its row promises',
    ],
  },
  {
    id: 'api-parts',
    says: 'The API shows posters, states, ledgers and the Union, and has a quota with plans and a chat',
    covers: ['54fb6707d2ad'],
    tests: [contract('the API has the fourteen endpoints of the specification')],
  },
  {
    id: 'markets',
    says: 'There are two markets, standard and micro',
    covers: ['aacdb68ddba7'],
    tests: [values('the markets are standard and micro')],
  },
  {
    id: 'markets-apart',
    says: 'Every route about a market takes `market`, and no list mixes two',
    covers: ['03ed713c8938'],
    checks: ['GET /api/market/open', 'GET /api/market/recent', 'GET /api/union/overview', 'GET /api/site-config'],
    tests: [contract('market is standard unless given, on every route that takes it without a task id')],
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
  },
  {
    id: 'lifecycle-exits',
    says: 'A worker can leave, and a poster can dismiss',
    covers: ['c746fa63fcb9'],
    tests: [
      values('the lifecycle has the operations of the specification, and claiming starts from POSTED'),
      'test/protocol/actions.test.ts > %s > leaves the state, the balances, the clock and the event that its row promises',
    ],
  },
  {
    id: 'negotiation',
    says: 'Negotiation uses signed envelopes, each with the hash of the one before',
    covers: ['e5b6f2a5ec1d'],
    checks: ['svc_build_xmtp_proposal', 'svc_negotiate'],
    tests: [
      'packages/protocol/src/negotiation/fold.test.ts > a message that names another predecessor is refused, even if its sender signed it',
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > the envelope has the nine fields of the specification: %s',
    ],
  },
  {
    id: 'gateway',
    says: 'The optional gateway serves market data, a claim behind a 402, and pages',
    covers: ['6215fbffd9ce'],
    checks: [
      'POST /v1/tasks/:id/claim',
      'GET /',
      'GET /market.html',
      'GET /leaderboard.html',
      'GET /treasury-dashboard.html',
    ],
    tests: [contract('the gateway has the eight routes of the specification')],
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
