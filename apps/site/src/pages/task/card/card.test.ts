import type { TaskDetailJson } from '@svc/client'
import { expect, test } from 'vitest'
import { buildCard } from './buildCard.ts'
import { type CardFacts, type CardState, cardStates, type Step } from './types.ts'

const now = 1_000_000
const [hour, day] = [3_600, 86_400]
const [poster, worker, judge, other] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const tok = (amount: number) => String(BigInt(amount) * 10n ** 18n)
const zero = `0x${'0'.repeat(40)}`

const base: TaskDetailJson = {
  id: 'v2:standard:7',
  market: 'standard',
  registryAddress: zero,
  state: 'POSTED',
  totalAmountTokWei: tok(3_000),
  fundedTokWei: tok(3_000),
  releasedTokWei: '0',
  refundedTokWei: '0',
  poster,
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  allowedWorker: null,
  arbitrator: null,
  store: null,
  receipted: false,
  underNotice: false,
  milestones: [{ amountTokWei: tok(3_000), durationSeconds: 5 * day, state: 'OPEN' }],
  currentMilestone: 0,
  maxRevisions: 1,
  revisions: 0,
  reviewWindowSeconds: 3 * day,
  postedAt: now - day,
  postedBlock: 1,
  claimDeadline: now + 3 * day,
  claimableUntil: now + 3 * day,
  claimedAt: null,
  deadline: null,
  reviewEnd: null,
  fundedAtClaim: false,
  workerBps: 0,
  ruled: false,
  phase: 'OPEN_FOR_CLAIM',
  criteriaHash: zero,
  terms: {
    poster,
    amountsTokWei: [tok(3_000)],
    durationsSeconds: [5 * day],
    reviewWindowSeconds: 3 * day,
    maxRevisions: 1,
    arbitrator: null,
    store: null,
    criteriaHash: zero,
    scope: 'OPEN',
    claimPolicy: 'ANYONE',
    claimDeadline: now + 3 * day,
    nonce: '1',
  },
  text: { title: 'A map', criteria: 'To scale.', milestones: ['The map'], canonical: true },
  deadlines: { claim: null, funding: null, vet: null, start: null, milestone: null, review: null },
  pendingActions: [],
  dispute: null,
  bundles: [],
  timeline: [],
}
const dispute: NonNullable<TaskDetailJson['dispute']> = {
  phase: 'EVIDENCE',
  ending: 'NONE',
  round: 1,
  openedBy: 'poster',
  amountTokWei: tok(3_000),
  stakeTokWei: tok(300),
  offerBps: 2_500,
  askBps: 8_000,
  posterSpoke: true,
  workerSpoke: true,
  named: null,
  posterProposal: null,
  workerProposal: null,
  judge,
  ruledFor: null,
  appealed: false,
  workerBps: null,
  bundles: [],
  openedAt: now - day,
  consentEnd: now + day,
  evidenceEnd: now + 2 * day,
  rulingEnd: now + 4 * day,
  appealEnd: now + 3 * day,
  courtEnd: now + 5 * day,
}
const step = (action: string, costs: Step['costs'] = []): Step => ({
  action,
  verb: action,
  title: action,
  explain: '',
  leadsTo: '',
  derived: {},
  required: [],
  costs,
  deadline: null,
  until: null,
})
const claim = step('claim-task', [
  { what: 'Access fee', amount: '1,000 TOK' },
  { what: 'Exit deposit from your wallet, returned when the task ends well', amount: '1,000 TOK' },
])
const talk = { applicants: 0, hasApplied: false, chosenUntil: null }
const short = { have: '0 USDC', need: '25 USDC', missing: '25 USDC', waitUntil: null }
const deadlines = (changes: Partial<TaskDetailJson['deadlines']>) => ({ deadlines: { ...base.deadlines, ...changes } })
const disputed = (changes: Partial<typeof dispute>, task: Partial<TaskDetailJson> = {}): Partial<TaskDetailJson> => ({
  ...task,
  worker,
  state: 'DISPUTED',
  phase: 'IN_DISPUTE',
  dispute: { ...dispute, ...changes },
})

interface Row {
  task?: Partial<TaskDetailJson>
  viewer?: CardFacts['viewer']
  wallet?: string
  steps?: readonly (string | Step)[]
  talk?: Partial<NonNullable<CardFacts['talk']>>
  blocked?: CardFacts['blocked']
  missing?: CardFacts['missing']
}
const asWorker = (task: Partial<TaskDetailJson>, ...steps: (string | Step)[]): Row => ({
  viewer: 'worker',
  wallet: worker,
  task: { worker, state: 'ACTIVE', ...task },
  steps,
})
const asPoster = (task: Partial<TaskDetailJson>, ...steps: (string | Step)[]): Row => ({
  viewer: 'poster',
  wallet: poster,
  task: { state: 'ACTIVE', ...task },
  steps,
})
const asOther = (task: Partial<TaskDetailJson>, ...steps: (string | Step)[]): Row => ({ wallet: other, task, steps })
const permit = { claimPolicy: 'PERMIT' } as const
const working = { phase: 'WORKING', ...deadlines({ milestone: now + 4 * day + 6 * hour }) } as const
const review = { phase: 'IN_REVIEW', ...deadlines({ review: now + 2 * day + 5 * hour }) } as const

/** What leads to each row. */
const rows: Readonly<Record<CardState, Row>> = {
  stranger: {},
  strangerApply: { task: permit },
  noMoney: {
    ...asOther({}),
    blocked: [{ action: 'claim-task', rule: 'USD 25', ...short, cure: { action: 'top-up', by: 'you', input: {} } }],
  },
  open: asOther({}, claim),
  notApplied: asOther(permit, claim),
  applied: { ...asOther(permit, claim), talk: { hasApplied: true } },
  chosen: { ...asOther(permit, claim), talk: { hasApplied: true, chosenUntil: now + 23 * hour } },
  notChosen: { ...asOther({ ...working, ...permit, worker, state: 'ACTIVE' }), talk: { hasApplied: true } },
  waiting: asWorker(
    { state: 'CLAIMED', phase: 'READY_TO_START', ...deadlines({ vet: now + 5 * hour, start: now + day }) },
    'leave-task',
  ),
  canStart: asWorker(
    { state: 'CLAIMED', phase: 'READY_TO_START', ...deadlines({ start: now + 17 * hour }) },
    'start-work',
    'leave-task',
  ),
  working: asWorker(working, 'submit-proof', 'leave-task'),
  notice: asWorker({ ...working, phase: 'UNDER_NOTICE' }, 'submit-proof', 'expire-task'),
  changes: asWorker(
    { ...working, revisions: 1, timeline: [event('MilestoneDelivered', { milestone: 0 })] },
    'submit-proof',
    'leave-task',
  ),
  inReview: asWorker(review, 'leave-task'),
  noReceipt: asWorker({ ...review, store: other }, 'submit-proof'),
  nextMilestone: asWorker(
    {
      ...working,
      currentMilestone: 1,
      releasedTokWei: tok(2_000),
      milestones: [...base.milestones, ...base.milestones],
      text: { title: 'A map', criteria: '', milestones: ['The map', 'The log'], canonical: true },
    },
    'submit-proof',
  ),
  missed: asWorker({ phase: 'OVERDUE' }, 'expire-task'),
  paid: asWorker({ phase: 'SETTLED', state: 'COMPLETED', releasedTokWei: tok(3_000) }),
  evidence: { ...asWorker(disputed({ workerSpoke: false }), 'submit-evidence') },
  withJudge: asWorker(disputed({}), 'submit-evidence'),
  judgeProposed: asWorker(disputed({ phase: 'OPEN', judge: null, posterProposal: judge }), 'propose-arbitrator'),
  waitingJudge: asWorker(disputed({ phase: 'OPEN', judge: null, named: judge }), 'propose-arbitrator'),
  noJudge: asWorker(disputed({ phase: 'COURT', judge: null })),
  findJudge: asWorker(disputed({ phase: 'OPEN', judge: null }), 'propose-arbitrator'),
  ruledAgainst: asWorker(disputed({ phase: 'RULED', ruledFor: 'poster' }), 'escalate'),
  ruledFor: asWorker(disputed({ phase: 'RULED', ruledFor: 'worker' })),
  posterNobody: asPoster({ state: 'POSTED' }, 'cancel-task'),
  posterApplicants: { ...asPoster({ state: 'POSTED', ...permit }, 'cancel-task'), talk: { applicants: 3 } },
  posterClosed: asPoster({ state: 'POSTED', phase: 'CLAIM_CLOSED' }, 'expire-task'),
  posterNotLocked: asPoster(
    { state: 'CLAIMED', phase: 'AWAITING_FUNDS', fundedTokWei: '0', ...deadlines({ funding: now + 23 * hour }) },
    'fund-task',
    'dismiss-worker',
  ),
  posterStart: asPoster(
    { state: 'CLAIMED', phase: 'READY_TO_START', ...deadlines({ vet: now + 5 * hour, start: now + day }) },
    'start-work',
  ),
  posterWorking: asPoster(working, 'accept-milestone', 'dismiss-worker'),
  posterReview: asPoster(review, 'accept-milestone', 'request-revision', 'open-dispute'),
  posterOverdue: asPoster({ phase: 'OVERDUE' }, 'expire-task', 'accept-milestone'),
  posterPaid: asPoster({ phase: 'SETTLED', state: 'COMPLETED', releasedTokWei: tok(3_000) }),
  posterNotice: asPoster({ ...working, phase: 'UNDER_NOTICE' }),
  posterNoReceipt: asPoster({ ...review, store: other }, 'accept-milestone', 'open-dispute'),
  judgeAsked: {
    wallet: judge,
    task: disputed({ phase: 'OPEN', judge: null, posterProposal: judge, workerProposal: judge }),
    steps: ['propose-arbitrator'],
  },
  judge: { wallet: judge, viewer: 'judge', task: disputed({}), steps: ['resolve-dispute', 'step-down'] },
  judgeReads: { wallet: judge, viewer: 'judge', task: disputed({}), steps: ['step-down'] },
  court: { wallet: other, task: disputed({ phase: 'COURT' }), steps: ['decide-dispute'] },
  due: asOther({ worker, state: 'ACTIVE', phase: 'REVIEW_LAPSED' }, 'release-lapsed'),
  running: asOther({ ...working, worker, state: 'ACTIVE' }),
  ended: asOther({ phase: 'SETTLED', state: 'CANCELLED' }),
}

function event(name: string, args: Record<string, unknown>): TaskDetailJson['timeline'][number] {
  const place = { contract: 'taskRegistry', blockNumber: 1, logIndex: 0, timestamp: now, transactionHash: zero }
  return { event: name, args, bundle: null, ...place }
}

const build = (
  { task, viewer = 'visitor', wallet, steps = [], talk: said, blocked = [], missing = null }: Row,
  canSwap = false,
) =>
  buildCard({
    task: { ...base, ...task },
    viewer,
    wallet,
    steps: steps.map((each) => (typeof each === 'string' ? step(each) : each)),
    blocked,
    talk: { ...talk, ...said },
    names: { poster: 'Clara', worker: 'Emeka', judge: 'Ruth' },
    canSwap,
    missing,
    now,
    money: (wei) => `$${Number(wei / 10n ** 18n) / 400}`,
    at: (moment) => `@${moment - now}`,
    span: (seconds) => (seconds >= day ? `${seconds / day} days` : `${seconds / hour} hours`),
  })

test.each(cardStates)('%s', (state) => {
  const card = build(rows[state])
  expect(card.state).toBe(state)
  const { sentence, clock, button, secondary, menu, isMine, label } = card
  const row = [
    `${isMine ? 'mine: ' : ''}${label} ${sentence}`,
    clock ? [clock.title, clock.note].filter(Boolean).join(' · ') : 'no clock',
    button ? `[${button.label}]` : 'no button',
    secondary.map((each) => each.label).join(', '),
    menu.map((each) => each.label).join(', '),
  ]
  expect(row.join(' | ')).toMatchSnapshot()
})

const inDispute = (changes: Partial<typeof dispute>, ...steps: string[]) => asWorker(disputed(changes), ...steps)
test.each<[when: string, row: Row, sentence: RegExp, button: string | undefined]>([
  // What leads on counts more than a judge or a court whose time is over.
  [
    'nobody took the case',
    inDispute({ phase: 'OPEN', judge: null }, 'resolve-timed-out'),
    /^No judge/,
    'Call the final court',
  ],
  ['the judge was silent', inDispute({}, 'submit-evidence', 'resolve-timed-out'), /^No judge/, 'Call the final court'],
  ['the court was silent', inDispute({ phase: 'COURT' }, 'resolve-timed-out'), /court didn’t/, 'End the dispute'],
  [
    'nobody appealed',
    inDispute({ phase: 'RULED', ruledFor: 'poster' }, 'finalize-dispute'),
    /^Nobody appealed/,
    'Carry out the ruling',
  ],
  [
    'only I proposed a judge',
    inDispute({ phase: 'OPEN', judge: null, workerProposal: judge }, 'propose-arbitrator'),
    /^You proposed/,
    undefined,
  ],
  [
    'the judge gave the case back',
    asWorker(
      {
        ...disputed({ phase: 'OPEN', judge: null, posterProposal: judge, workerProposal: judge }),
        timeline: [event('JudgeSeated', { judge }), event('JudgeSteppedDown', { judge })],
      },
      'propose-arbitrator',
    ),
    /gave the case back/,
    undefined,
  ],
])('in a dispute, %s', (_, row, sentence, button) => {
  const card = build(row)
  expect([card.sentence, card.button?.label]).toEqual([expect.stringMatching(sentence), button])
})

test('whoever was chosen without the deposit adds it and accepts in one receipt', () => {
  const { blocked = [] } = rows.noMoney
  const card = build({ ...rows.chosen, steps: [], blocked })
  expect([card.state, card.isMine, card.button]).toEqual([
    'noMoney',
    true,
    { do: 'accept', label: 'Add 25 USDC and accept' },
  ])
  expect(card.sentence).toMatch(/^Clara chose you\. You need/)
})

test('where TOK can be bought, whoever has none claims all the same, and turns the pay into USDC', () => {
  const blocked = [{ action: 'claim-task', rule: 'TOK', ...short, cure: null }]
  const missing = { usdcUnits: 30_040_000n, tokWei: 0n, amount: '$31' }
  expect(build({ ...rows.noMoney, blocked, missing }, true).button).toEqual({
    do: 'addMoney',
    label: 'Add $31',
    missing,
  })
  expect(build({ ...rows.noMoney, blocked }, true).button).toEqual({ do: 'claim', label: 'Claim this task' })
  expect(build(rows.paid, true).secondary[0]).toMatchObject({ do: 'sell', label: 'Turn into USDC' })
})

test('rare and costly steps are in the menu only, and a button is never there twice', () => {
  const rare = ['leave-task', 'cancel-task', 'dismiss-worker', 'mutual-cancel']
  for (const state of cardStates) {
    const { button, secondary, menu } = build(rows[state])
    const shown = [button, ...secondary].flatMap((each) => (each?.do === 'step' ? [each.step.action] : []))
    expect(
      shown.filter((each) => rare.includes(each)),
      state,
    ).toEqual([])
    const hidden = menu.flatMap((each) => (each.do === 'step' ? [each.step.action] : []))
    expect(
      hidden.filter((each) => shown.includes(each)),
      state,
    ).toEqual([])
  }
})
