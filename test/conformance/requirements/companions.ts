import { change, contract, gateway, type Requirement, schema, values } from './requirement.ts'

const createPagesFile = 'apps/gateway/src/pages/createPages.ts'
const endpointsFile = 'packages/operations/src/endpoints.ts'
const preparedJsonFile = 'packages/operations/src/json/prepared.ts'

/** Section 4: the local gateway and the companion tools. */
export const companions: readonly Requirement[] = [
  {
    id: 'gateway-port',
    says: 'The gateway listens on 4020 unless another port is set',
    covers: ['f4537654a26c', '89d7d9a6621d'],
    tests: [values('of the environment > the gateway listens on 4020 unless SVC_GATEWAY_PORT is set')],
    mutations: [
      change('packages/protocol/src/limits.ts', 'ports: { gateway: 4020,', 'ports: { gateway: 4999,'),
      change(
        'apps/gateway/src/env.ts',
        'SVC_GATEWAY_PORT: integer(1, 65_535).default(limits.ports.gateway)',
        'SVC_GATEWAY_PORT: integer(1, 65_535).default(4021)',
      ),
    ],
  },
  {
    id: 'page-hub',
    says: 'The gateway has a hub page',
    covers: ['191b1d4abac9'],
    tests: [gateway('there are four pages')],
    mutations: [change(createPagesFile, "    '/': hub,", "    '/hub.html': hub,")],
  },
  {
    id: 'page-market',
    says: 'The gateway has an explorer of open tasks',
    covers: ['410e3f4d7dc8'],
    tests: [gateway('there are four pages')],
    mutations: [change(createPagesFile, "    '/market.html': market,", "    '/tasks.html': market,")],
  },
  {
    id: 'page-leaderboard',
    says: 'The gateway has a page of reputation and verifier bonds',
    covers: ['d55e0d4406ec'],
    tests: [gateway('there are four pages')],
    mutations: [
      change(createPagesFile, "    '/leaderboard.html': leaderboard,", "    '/reputation.html': leaderboard,"),
    ],
  },
  {
    id: 'page-treasury',
    says: 'The gateway has a page of solvency by agent',
    covers: ['76af90b1033a'],
    tests: [gateway('there are four pages')],
    mutations: [
      change(createPagesFile, "    '/treasury-dashboard.html': treasury,", "    '/treasury.html': treasury,"),
    ],
  },
  {
    id: 'gateway-open',
    says: 'GET /v1/market/open shows claimable tasks',
    covers: ['9d0dd98c319e'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      'test/gateway/routes.test.ts > reads of %s > tasks: only claimable ones are open, pages have no gaps, and each task can be shown',
    ],
    mutations: [
      change(endpointsFile, "  listOpenTasks: 'GET /v1/market/open'", "  listOpenTasks: 'GET /v2/market/open'"),
    ],
  },
  {
    id: 'gateway-recent',
    says: 'GET /v1/market/recent shows recent tasks',
    covers: ['ed195bd7fca7'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      'test/gateway/routes.test.ts > reads of %s > %s is of its schema, at one block that it names',
    ],
    mutations: [
      change(endpointsFile, "  listRecentTasks: 'GET /v1/market/recent'", "  listRecentTasks: 'GET /v2/market/recent'"),
    ],
  },
  {
    id: 'gateway-task',
    says: 'GET /v1/tasks/:id shows one task',
    covers: ['e80976dd959c'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      'test/gateway/routes.test.ts > reads of %s > tasks: only claimable ones are open, pages have no gaps, and each task can be shown',
    ],
    mutations: [change(endpointsFile, "  getTask: 'GET /v1/tasks/:id'", "  getTask: 'GET /v2/tasks/:id'")],
  },
  {
    id: 'gateway-reputation',
    says: 'GET /v1/leaderboard/reputation ranks agents',
    covers: ['eec0bd9f95f7'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      'test/gateway/routes.test.ts > reads of %s > leaderboards: scores follow the published formula, best first; bonds largest first',
    ],
    mutations: [
      change(
        endpointsFile,
        "  listReputation: 'GET /v1/leaderboard/reputation'",
        "  listReputation: 'GET /v2/leaderboard/reputation'",
      ),
    ],
  },
  {
    id: 'gateway-verifiers',
    says: 'GET /v1/leaderboard/verifiers ranks verifier bonds',
    covers: ['195aa50c6a71'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      'test/gateway/routes.test.ts > reads of %s > leaderboards: scores follow the published formula, best first; bonds largest first',
    ],
    mutations: [
      change(
        endpointsFile,
        "  listVerifiers: 'GET /v1/leaderboard/verifiers'",
        "  listVerifiers: 'GET /v2/leaderboard/verifiers'",
      ),
    ],
  },
  {
    id: 'gateway-fees',
    says: 'GET /v1/fees shows the fees',
    covers: ['45cbdf748cec'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      gateway('the fees are served as constants'),
    ],
    mutations: [change(endpointsFile, "  getFees: 'GET /v1/fees'", "  getFees: 'GET /v2/fees'")],
  },
  {
    id: 'gateway-receipt',
    says: 'POST /v1/payment-receipt issues a readiness receipt',
    covers: ['e642a96f363e'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      'test/gateway/receipts.test.ts > a receipt is issued to those who can claim > and to nobody else, with every reason',
    ],
    mutations: [
      change(endpointsFile, "  issueReceipt: 'POST /v1/payment-receipt'", "  issueReceipt: 'POST /v2/payment-receipt'"),
    ],
  },
  {
    id: 'gateway-claim',
    says: 'POST /v1/tasks/:id/claim is 402 until it has a receipt in its header',
    covers: ['d7584c9e05f5', 'cafad01327aa', 'ed51e80a3ce1'],
    tests: [
      contract('the gateway has the eight routes of the specification'),
      gateway('a claim without a receipt is 402, and says where to get one'),
      'test/gateway/receipts.test.ts > hostile receipts > none of more than 300 gets anything or leaves a trace',
    ],
    mutations: [
      change(endpointsFile, "  claimTask: 'POST /v1/tasks/:id/claim'", "  claimTask: 'POST /v1/tasks/:id/claims'"),
      change(
        'packages/operations/src/errorCodes.ts',
        'PAYMENT_REQUIRED: { status: 402,',
        'PAYMENT_REQUIRED: { status: 403,',
      ),
    ],
  },
  {
    id: 'tool-names',
    says: 'The tool server has twelve tools with the prefix svc_',
    covers: ['c208d7bc04a6'],
    tests: [values('the tool server has the twelve tools of the specification')],
    mutations: [
      change(
        'apps/tools/src/tools/list_open_tasks.ts',
        "name: 'svc_list_open_tasks'",
        "name: 'svc_list_open_tasks_v2'",
      ),
      change('apps/tools/src/tools/get_task.ts', "name: 'svc_get_task'", "name: 'svc_get_task_v2'"),
      change(
        'apps/tools/src/tools/list_tasks_by_poster.ts',
        "name: 'svc_list_tasks_by_poster'",
        "name: 'svc_list_tasks_by_poster_v2'",
      ),
      change(
        'apps/tools/src/tools/list_tasks_by_worker.ts',
        "name: 'svc_list_tasks_by_worker'",
        "name: 'svc_list_tasks_by_worker_v2'",
      ),
      change(
        'apps/tools/src/tools/list_recent_tasks.ts',
        "name: 'svc_list_recent_tasks'",
        "name: 'svc_list_recent_tasks_v2'",
      ),
      change(
        'apps/tools/src/tools/task_next_steps.ts',
        "name: 'svc_task_next_steps'",
        "name: 'svc_task_next_steps_v2'",
      ),
      change(
        'apps/tools/src/tools/get_agent_reputation.ts',
        "name: 'svc_get_agent_reputation'",
        "name: 'svc_get_agent_reputation_v2'",
      ),
      change(
        'apps/tools/src/tools/onboarding_checklist.ts',
        "name: 'svc_onboarding_checklist'",
        "name: 'svc_onboarding_checklist_v2'",
      ),
      change(
        'apps/tools/src/tools/build_task_terms.ts',
        "name: 'svc_build_task_terms'",
        "name: 'svc_build_task_terms_v2'",
      ),
      change(
        'apps/tools/src/tools/build_xmtp_proposal.ts',
        "name: 'svc_build_xmtp_proposal'",
        "name: 'svc_build_xmtp_proposal_v2'",
      ),
      change(
        'apps/tools/src/tools/build_xmtp_acceptance_template.ts',
        "name: 'svc_build_xmtp_acceptance_template'",
        "name: 'svc_build_xmtp_acceptance_template_v2'",
      ),
      change(
        'apps/tools/src/tools/verify_settlement_digest.ts',
        "name: 'svc_verify_settlement_digest'",
        "name: 'svc_verify_settlement_digest_v2'",
      ),
    ],
  },
  {
    id: 'tool-proposal',
    says: 'svc_build_xmtp_proposal builds a TaskProposal envelope',
    covers: ['c208d7bc04a6'],
    tests: [
      'test/tools/mcpAnswers.test.ts > what an agent builds is valid on chain > a proposal signed by its sender starts a negotiation',
    ],
  },
  {
    id: 'tool-acceptance',
    says: 'svc_build_xmtp_acceptance_template builds the typed data that both parties sign',
    covers: ['c208d7bc04a6'],
    tests: [
      'test/tools/mcpAnswers.test.ts > what an agent builds is valid on chain > the acceptances, signed by both parties, create the task',
    ],
  },
  {
    id: 'prepare',
    says: 'The prepare command builds unsigned calldata',
    covers: ['1adde2ddc71e'],
    tests: [
      'test/tools/prepareActions.test.ts > %s > costs what the preview shows, does what the simulation shows, and explains failures',
    ],
  },
  {
    id: 'prepare-actions',
    says: 'The prepare command has 25 actions',
    covers: ['b9406385c2ba'],
    tests: [values('the prepare command has the 25 actions of the specification')],
    mutations: [
      change(
        'packages/protocol/src/actions/approve-usdc-vault.ts',
        "name: 'approve-usdc-vault'",
        "name: 'approve-usdc-vault-now'",
      ),
      change(
        'packages/protocol/src/actions/approve-tok-router.ts',
        "name: 'approve-tok-router'",
        "name: 'approve-tok-router-now'",
      ),
      change('packages/protocol/src/actions/top-up.ts', "name: 'top-up'", "name: 'top-up-now'"),
      change('packages/protocol/src/actions/claim-task.ts', "name: 'claim-task'", "name: 'claim-task-now'"),
      change('packages/protocol/src/actions/post-task.ts', "name: 'post-task'", "name: 'post-task-now'"),
      change('packages/protocol/src/actions/create-task.ts', "name: 'create-task'", "name: 'create-task-now'"),
      change('packages/protocol/src/actions/fund-task.ts', "name: 'fund-task'", "name: 'fund-task-now'"),
      change('packages/protocol/src/actions/start-work.ts', "name: 'start-work'", "name: 'start-work-now'"),
      change('packages/protocol/src/actions/submit-proof.ts', "name: 'submit-proof'", "name: 'submit-proof-now'"),
      change(
        'packages/protocol/src/actions/accept-milestone.ts',
        "name: 'accept-milestone'",
        "name: 'accept-milestone-now'",
      ),
      change('packages/protocol/src/actions/complete-task.ts', "name: 'complete-task'", "name: 'complete-task-now'"),
      change('packages/protocol/src/actions/open-dispute.ts', "name: 'open-dispute'", "name: 'open-dispute-now'"),
      change('packages/protocol/src/actions/leave-task.ts', "name: 'leave-task'", "name: 'leave-task-now'"),
      change('packages/protocol/src/actions/dismiss-worker.ts', "name: 'dismiss-worker'", "name: 'dismiss-worker-now'"),
      change(
        'packages/protocol/src/actions/emergency-top-up.ts',
        "name: 'emergency-top-up'",
        "name: 'emergency-top-up-now'",
      ),
      change(
        'packages/protocol/src/actions/register-arbitrator.ts',
        "name: 'register-arbitrator'",
        "name: 'register-arbitrator-now'",
      ),
      change(
        'packages/protocol/src/actions/propose-arbitrator.ts',
        "name: 'propose-arbitrator'",
        "name: 'propose-arbitrator-now'",
      ),
      change(
        'packages/protocol/src/actions/resolve-dispute.ts',
        "name: 'resolve-dispute'",
        "name: 'resolve-dispute-now'",
      ),
      change(
        'packages/protocol/src/actions/resolve-timed-out.ts',
        "name: 'resolve-timed-out'",
        "name: 'resolve-timed-out-now'",
      ),
      change('packages/protocol/src/actions/escalate.ts', "name: 'escalate'", "name: 'escalate-now'"),
      change('apps/tools/src/prepare/read.ts', "name: 'read'", "name: 'read-now'"),
      change('apps/tools/src/prepare/onboarding.ts', "name: 'onboarding'", "name: 'onboarding-now'"),
      change('apps/tools/src/prepare/hash-criteria.ts', "name: 'hash-criteria'", "name: 'hash-criteria-now'"),
      change('apps/tools/src/prepare/prepare-receipt.ts', "name: 'prepare-receipt'", "name: 'prepare-receipt-now'"),
      change('apps/tools/src/prepare/build-task-terms.ts', "name: 'build-task-terms'", "name: 'build-task-terms-now'"),
    ],
  },
  {
    id: 'prepare-requests',
    says: 'A prepared write has an approval URL and a request id, and is polled until it settles',
    covers: ['2a5ad307e525'],
    tests: [
      schema('a prepared request has an approval URL, a request id, and says whether it is settled'),
      'test/tools/prepareGateway.test.ts > an action prints where to approve it, waits, and ends when it is confirmed',
    ],
    mutations: [
      change(preparedJsonFile, 'approvalUrl: z.string()', 'approveUrl: z.string()'),
      change(preparedJsonFile, '  requestId: z\n', '  id: z\n'),
      change(preparedJsonFile, 'settled: z.boolean()', 'done: z.boolean()'),
    ],
  },
]
