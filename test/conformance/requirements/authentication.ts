import { contract, credentials, type Requirement, values } from './requirement.ts'

/** Section 5: authentication. */
export const authentication: readonly Requirement[] = [
  {
    id: 'writes-signer',
    says: 'Writes are signed by a wallet; PRIVATE_KEY is read only by commands that sign',
    covers: ['3c2a2f50130f'],
    tests: [
      'test/negotiation/command.test.ts > only commands that sign look at the key',
      'test/tools/mcp.test.ts > a key in the environment > is not mentioned in the source of the server',
      'test/tools/prepareOutput.test.ts > the source of the command never mentions the key',
    ],
  },
  {
    id: 'quota-no-key',
    says: 'Quota routes need a wallet address and no key or signature',
    covers: ['db483272485d', '20a889f61709'],
    checks: ['GET /api/posting/quota'],
  },
  {
    id: 'discovery-rpc',
    says: 'Discovery reads the chain at CHAIN_RPC_URL, a public or a provider URL',
    covers: ['42e98d0235b0', 'a3cc07e88006'],
    tests: [
      values('of the environment > CHAIN_RPC_URL is the public RPC of the chain unless it is set'),
      'test/chain/reader.test.ts > the %s market read from the chain > lists open tasks, newest first, in at most four calls',
    ],
  },
  {
    id: 'paid-discovery',
    says: 'Paid discovery charges each request by the 402 flow',
    covers: ['4b516cc01181'],
    tests: [
      'test/gateway/x402.test.ts > paid discovery > a stock client pays the price in USDC, on the chain, and gets the list',
    ],
  },
  {
    id: 'chat-forward',
    says: 'The chat is forwarded as JSON of model and messages, with the key as bearer token',
    covers: ['8ecd803a203a', '70b021221f73'],
    checks: ['POST /api/role-chat'],
    tests: ['test/api/chat.test.ts > POST /api/role-chat 200'],
  },
  {
    id: 'no-platform-key',
    says: 'No platform key exists',
    covers: ['4f7ade4227b0'],
    tests: [contract('the contract asks for no key')],
  },
  {
    id: 'no-401',
    says: 'Read routes never answer 401; private routes, which we added, are marked',
    covers: ['e6bc5e09d55c', 'e55101aa2624'],
    checks: [
      'GET /api/market/open',
      'GET /api/market/recent',
      'GET /api/market/task',
      'GET /api/poster/tasks',
      'GET /api/get-market-ledger',
      'GET /api/union/overview',
    ],
    tests: [credentials],
  },
  {
    id: 'reverts',
    says: 'A write by the wrong wallet reverts on chain',
    covers: ['5b57cc736eec', 'e9a32acb46fb'],
    checks: ['POST /api/actions/prepare'],
    tests: ['test/protocol/actions.test.ts > %s > is refused in a wrong state and to a wrong caller, in words'],
  },
  {
    id: 'key-stays',
    says: 'The key of the chat never reaches a browser',
    covers: ['bfcf517b32f5'],
    checks: ['POST /api/role-chat'],
    tests: [
      'test/api/chat.test.ts > POST /api/role-chat 200',
      'test/code/browserBundles.test.ts > the site loads no server code',
    ],
  },
  {
    id: 'env-rpc',
    says: 'CHAIN_RPC_URL defaults to the public RPC of the chain, and SVC_RPC_URL overrides it',
    covers: ['ac8ee5ba40b5'],
    tests: [
      values('of the environment > CHAIN_RPC_URL is the public RPC of the chain unless it is set'),
      values('of the environment > SVC_RPC_URL overrides CHAIN_RPC_URL'),
    ],
  },
  {
    id: 'env-chat',
    says: 'The chat is configured by LLM_GATEWAY_API_KEY, LLM_BASE_URL and SVC_LLM_MODEL',
    covers: ['ac8ee5ba40b5'],
    tests: [values('of the environment > the chat takes its key, base URL and model from three variables')],
  },
  {
    id: 'env-ports',
    says: 'SVC_GATEWAY_PORT and SVC_SITE_PORT set the ports',
    covers: ['ac8ee5ba40b5'],
    tests: [
      values('of the environment > the gateway listens on 4020 unless SVC_GATEWAY_PORT is set'),
      values('of the environment > the site listens on 8080 unless SVC_SITE_PORT is set'),
    ],
  },
  {
    id: 'env-xmtp',
    says: 'XMTP_DB_PATH is the database of the XMTP inbox',
    covers: ['ac8ee5ba40b5'],
    tests: [values('of the environment > the XMTP inbox is at XMTP_DB_PATH')],
  },
  {
    id: 'env-key',
    says: 'PRIVATE_KEY is for agents and the send-proposal command',
    covers: ['ac8ee5ba40b5'],
    tests: [
      values('of the environment > the example names every variable of the specification, and commits no secret'),
      'test/negotiation/command.test.ts > only commands that sign look at the key',
    ],
  },
  {
    id: 'secrets',
    says: 'Keys are supplied by the environment, and none is committed',
    covers: ['c54b2b1d044e'],
    tests: [
      values('of the environment > the example names every variable of the specification, and commits no secret'),
    ],
  },
  {
    id: 'env-wallets',
    says: 'The site needs no wallet-connect identifier: it loads nothing from third parties',
    covers: ['ac8ee5ba40b5'],
    tests: [
      'test/site/pages.test.ts > nothing inline but one style of a known hash, no third parties, and an integrity hash for every file',
    ],
  },
]
