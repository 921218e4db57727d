import { change, gateway, type Requirement, values, world } from './requirement.ts'

const amountsFile = 'packages/protocol/src/amounts.ts'
const solidity = 'contracts/src/types/Market.sol'

/** Section 8: limits. */
export const limitsSection: readonly Requirement[] = [
  {
    id: 'free-posts',
    says: 'The free plan has 3 posts a day, by market and wallet',
    covers: ['d6207773c16d'],
    tests: [
      values('the free plan comes first and has three posts a day; basic is another'),
      world('posting > the free plan has three posts a day, by market and wallet'),
    ],
    mutations: [
      change('packages/protocol/src/plans.ts', "{ id: 'free', dailyLimit: 3 },", "{ id: 'free', dailyLimit: 4 },"),
    ],
  },
  {
    id: 'site-port',
    says: 'The site listens on 8080 unless SVC_SITE_PORT is set',
    covers: ['db9a6317ef89'],
    tests: [values('of the environment > the site listens on 8080 unless SVC_SITE_PORT is set')],
    mutations: [
      change('packages/protocol/src/limits.ts', 'site: 8080,', 'site: 8081,'),
      change(
        'apps/api/src/env.ts',
        'SVC_SITE_PORT: integer(0, 65_535).default(limits.ports.site)',
        'SVC_SITE_PORT: integer(0, 65_535).default(80)',
      ),
    ],
  },
  {
    id: 'entry-deposit',
    says: 'A post or claim takes a deposit of USD 25',
    covers: ['7452a6488e26'],
    tests: [
      values('of the fees > posting or claiming takes a deposit of USD 25'),
      gateway('the fees are served as constants'),
    ],
    mutations: [
      change(amountsFile, 'entryDeposit = 25n * usd', 'entryDeposit = 1n * usd'),
      change(solidity, 'ENTRY_DEPOSIT = 25e6', 'ENTRY_DEPOSIT = 1e6'),
    ],
  },
  {
    id: 'recommended-deposit',
    says: 'USD 45 are recommended',
    covers: ['33efc4630a2f'],
    tests: [values('of the fees > USD 45 are recommended'), gateway('the fees are served as constants')],
    mutations: [change(amountsFile, 'recommendedDeposit = 45n * usd', 'recommendedDeposit = 2n * usd')],
  },
  {
    id: 'pause',
    says: 'Below USD 8, entries pause',
    covers: ['ebf783dc32aa'],
    tests: [values('of the fees > below USD 8 entries pause'), gateway('the fees are served as constants')],
    mutations: [
      change(amountsFile, 'pauseThreshold = 8n * usd', 'pauseThreshold = 3n * usd'),
      change(solidity, 'PAUSE_THRESHOLD = 8e6', 'PAUSE_THRESHOLD = 3e6'),
    ],
  },
  {
    id: 'access-fee',
    says: 'A post, claim, dismissal or leave costs 1,000 tokens',
    covers: ['38e4fd9deb64'],
    tests: [
      values('of the fees > a post, claim, dismissal or leave costs 1,000 TOK'),
      'test/protocol/actions.test.ts > %s > leaves the state, the balances, the clock and the event that its row promises',
    ],
    mutations: [
      change(amountsFile, 'accessFee = 1_000n * 10n ** 18n', 'accessFee = 7n * 10n ** 18n'),
      change(solidity, 'ACCESS_FEE = 1_000e18', 'ACCESS_FEE = 7e18'),
    ],
  },
]
