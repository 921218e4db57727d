import { type Requirement, values } from './requirement.ts'

/** Section 8: limits. */
export const limitsSection: readonly Requirement[] = [
  {
    id: 'free-posts',
    says: 'The free plan has 3 posts a day, by market and wallet',
    covers: ['d6207773c16d'],
    checks: ['GET /api/posting/quota', 'POST /api/posting/check'],
    tests: [values('the free plan comes first and has three posts a day; basic is another')],
  },
  {
    id: 'site-port',
    says: 'The site listens on 8080 unless SVC_SITE_PORT is set',
    covers: ['db9a6317ef89'],
    tests: [values('of the environment > the site listens on 8080 unless SVC_SITE_PORT is set')],
  },
  {
    id: 'entry-deposit',
    says: 'A post or claim takes a deposit of USD 25',
    covers: ['7452a6488e26'],
    checks: ['GET /v1/fees'],
    tests: [values('of the fees > posting or claiming takes a deposit of USD 25')],
  },
  {
    id: 'recommended-deposit',
    says: 'USD 45 are recommended',
    covers: ['33efc4630a2f'],
    checks: ['GET /v1/fees'],
    tests: [values('of the fees > USD 45 are recommended')],
  },
  {
    id: 'pause',
    says: 'Below USD 8, entries pause',
    covers: ['ebf783dc32aa'],
    checks: ['GET /v1/fees'],
    tests: [values('of the fees > below USD 8 entries pause')],
  },
  {
    id: 'access-fee',
    says: 'A post, claim, dismissal or leave costs 1,000 tokens',
    covers: ['38e4fd9deb64'],
    tests: [
      values('of the fees > a post, claim, dismissal or leave costs 1,000 TOK'),
      'test/protocol/actions.test.ts > %s > leaves the state, the balances, the clock and the event that its row promises',
    ],
  },
]
