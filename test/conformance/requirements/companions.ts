import { contract, type Requirement, schema, values } from './requirement.ts'

/** Section 4: the local gateway and the companion tools. */
export const companions: readonly Requirement[] = [
  {
    id: 'gateway-port',
    says: 'The gateway listens on 4020 unless another port is set',
    covers: ['f4537654a26c', '89d7d9a6621d'],
    tests: [values('of the environment > the gateway listens on 4020 unless SVC_GATEWAY_PORT is set')],
  },
  {
    id: 'page-hub',
    says: 'The gateway has a hub page',
    covers: ['191b1d4abac9'],
    checks: ['GET /'],
  },
  {
    id: 'page-market',
    says: 'The gateway has an explorer of open tasks',
    covers: ['410e3f4d7dc8'],
    checks: ['GET /market.html'],
  },
  {
    id: 'page-leaderboard',
    says: 'The gateway has a page of reputation and verifier bonds',
    covers: ['d55e0d4406ec'],
    checks: ['GET /leaderboard.html'],
  },
  {
    id: 'page-treasury',
    says: 'The gateway has a page of solvency by agent',
    covers: ['76af90b1033a'],
    checks: ['GET /treasury-dashboard.html'],
  },
  {
    id: 'gateway-open',
    says: 'GET /v1/market/open shows claimable tasks',
    covers: ['9d0dd98c319e'],
    checks: ['GET /v1/market/open'],
    tests: [contract('the gateway has the eight routes of the specification')],
  },
  {
    id: 'gateway-recent',
    says: 'GET /v1/market/recent shows recent tasks',
    covers: ['ed195bd7fca7'],
    checks: ['GET /v1/market/recent'],
    tests: [contract('the gateway has the eight routes of the specification')],
  },
  {
    id: 'gateway-task',
    says: 'GET /v1/tasks/:id shows one task',
    covers: ['e80976dd959c'],
    checks: ['GET /v1/tasks/:id'],
    tests: [contract('the gateway has the eight routes of the specification')],
  },
  {
    id: 'gateway-reputation',
    says: 'GET /v1/leaderboard/reputation ranks agents',
    covers: ['eec0bd9f95f7'],
    checks: ['GET /v1/leaderboard/reputation'],
    tests: [contract('the gateway has the eight routes of the specification')],
  },
  {
    id: 'gateway-verifiers',
    says: 'GET /v1/leaderboard/verifiers ranks verifier bonds',
    covers: ['195aa50c6a71'],
    checks: ['GET /v1/leaderboard/verifiers'],
    tests: [contract('the gateway has the eight routes of the specification')],
  },
  {
    id: 'gateway-fees',
    says: 'GET /v1/fees shows the fees',
    covers: ['45cbdf748cec'],
    checks: ['GET /v1/fees'],
    tests: [contract('the gateway has the eight routes of the specification')],
  },
  {
    id: 'gateway-receipt',
    says: 'POST /v1/payment-receipt issues a readiness receipt',
    covers: ['e642a96f363e'],
    checks: ['POST /v1/payment-receipt'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      'test/gateway/receipts.test.ts > a receipt is issued to those who can claim > and to nobody else, with every reason',
    ],
  },
  {
    id: 'gateway-claim',
    says: 'POST /v1/tasks/:id/claim is 402 until it has a receipt in its header',
    covers: ['d7584c9e05f5', 'cafad01327aa', 'ed51e80a3ce1'],
    checks: ['POST /v1/tasks/:id/claim'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      'test/gateway/receipts.test.ts > hostile receipts > none of more than 300 gets anything or leaves a trace',
    ],
  },
  {
    id: 'tool-names',
    says: 'The tool server has twelve tools with the prefix svc_',
    covers: ['c208d7bc04a6'],
    checks: [
      'svc_list_open_tasks',
      'svc_get_task',
      'svc_list_tasks_by_poster',
      'svc_list_tasks_by_worker',
      'svc_list_recent_tasks',
      'svc_task_next_steps',
      'svc_get_agent_reputation',
      'svc_onboarding_checklist',
      'svc_build_task_terms',
      'svc_verify_settlement_digest',
    ],
    tests: [values('the tool server has the twelve tools of the specification')],
  },
  {
    id: 'tool-proposal',
    says: 'svc_build_xmtp_proposal builds a TaskProposal envelope',
    covers: ['c208d7bc04a6'],
    checks: ['svc_build_xmtp_proposal'],
    tests: [
      'test/tools/mcpAnswers.test.ts > what an agent builds is valid on chain > a proposal signed by its sender starts a negotiation',
    ],
  },
  {
    id: 'tool-acceptance',
    says: 'svc_build_xmtp_acceptance_template builds the typed data that both parties sign',
    covers: ['c208d7bc04a6'],
    checks: ['svc_build_xmtp_acceptance_template'],
    tests: [
      'test/tools/mcpAnswers.test.ts > what an agent builds is valid on chain > the acceptances, signed by both parties, create the task',
    ],
  },
  {
    id: 'prepare',
    says: 'The prepare command builds unsigned calldata',
    covers: ['1adde2ddc71e'],
    checks: ['svc_prepare', 'POST /api/actions/prepare'],
    tests: [
      'test/tools/prepareActions.test.ts > %s > costs what the preview shows, does what the simulation shows, and explains failures',
    ],
  },
  {
    id: 'prepare-actions',
    says: 'The prepare command has 25 actions',
    covers: ['b9406385c2ba'],
    tests: [values('the prepare command has the 25 actions of the specification')],
  },
  {
    id: 'prepare-requests',
    says: 'A prepared write has an approval URL and a request id, and is polled until it settles',
    covers: ['2a5ad307e525'],
    checks: ['POST /v1/requests', 'GET /v1/requests/:id'],
    tests: [
      schema('a prepared request has an approval URL, a request id, and says whether it is settled'),
      'test/tools/prepareGateway.test.ts > an action prints where to approve it, waits, and ends when it is confirmed',
    ],
  },
]
