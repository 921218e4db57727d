/** Text of the page about fees. */
export const feesText = {
  title: 'Fees',
  lead: 'What you pay, what you lock and get back, and what a mistake costs. Nobody takes a share of the pay.',
  price: (fee: string, usd: string) => `Today ${fee} is worth about ${usd}.`,
  noPrice: 'There is no price of TOK right now, so this page shows no dollars for it.',
  inTotal: 'In dollars',
  what: 'What',
  amount: 'Amount',
  outcome: 'What becomes of it',
  enter: {
    heading: 'To post or claim',
    description: 'The same for both sides of every task.',
    fee: 'Fee to post or to claim',
    feeThen: (union: string) =>
      `Spent. ${union} go to the Union of this market, the rest to the treasury. An Action Credit pays it instead.`,
    exit: 'Hold',
    exitThen:
      'Comes back when the task ends well. Leaving or removing the worker spends it, and so does a missed duty or a lost dispute.',
    deposit: 'Deposit in your wallet’s name',
    depositThen: (reserve: string, locked: string) =>
      `Stays yours. A running task sets ${reserve} aside, and ${locked} more stay in while anything runs. Take it out when nothing does.`,
    share: 'Share of the pay',
    none: '0 %',
    shareThen: 'The worker gets all of it.',
    pay: 'The pay itself',
    payAmount: 'You decide',
    payThen: 'The poster locks it before the work starts. What is not paid out goes back.',
    carries: (deposits: readonly string[]) =>
      `A deposit of ${deposits[0]} carries one running task, ${deposits[1]} two, ${deposits[2]} three.`,
    pauses: (threshold: string) => `Below ${threshold} you cannot enter new tasks; running ones go on.`,
    recommended: (deposit: string) => `${deposit} leave room for a lost dispute or a second task.`,
  },
  ways: {
    heading: 'Ways out',
    description:
      'What each end costs from the claim on, besides the fee to post or claim. The TOK of a missed duty go to the Union of the market, its USDC to the treasury.',
    worker: 'If you work',
    poster: 'If you post',
    costs: 'Costs you',
    nothing: 'Nothing',
    deliver: 'You deliver and are paid',
    leave: 'You leave',
    miss: 'You miss the deadline',
    stop: 'The poster ends the work and you deliver nothing',
    giveUp: 'You give everything up in a dispute',
    loseWork: 'You lose a dispute',
    payGood: 'You pay for good work',
    dismissEarly: (window: string) =>
      `You remove the worker before the work starts; ${window} after the claim your record shows it`,
    dismissLate: 'You end work that has started; your record shows it',
    silent: 'You neither lock the pay nor start what was claimed',
    concede: 'You dispute good work and give in before anybody has the case',
    losePost: 'You dispute good work and lose',
    ofMilestone: (share: string, isUpTo: boolean) => `${isUpTo ? 'up to ' : ''}${share} of the milestone`,
  },
  dispute: {
    heading: 'Disputes',
    description:
      'Each side names the share it finds fair. The gap is what lies between the two; a ruling picks one of them.',
    stake: 'Stake of a poster who opens one',
    stakeThen: (gap: string, min: string) =>
      `Comes back. Of a poster who loses, ${gap} of the gap go to the worker, at least ${min} of the milestone.`,
    ruling: 'The loser pays whoever ruled',
    rulingThen: (rest: string) =>
      `Out of what it set aside. The other ${rest} of it go to the winner. The loser’s hold is lost too.`,
    court: 'The final court also gets',
    courtThen: (max: string) => `Out of the disputed milestone, if it decided. At most ${max}.`,
    appeal: 'Appeal to the final court',
    appealThen: (paid: string) =>
      `Paid to the court, however it decides. If it overturns the ruling, the other side pays you ${paid}.`,
    settle: 'Settle with each other',
    settleThen:
      'From a poster who opened the dispute to the worker. A judge or court that has the case gets half of the ruling fee from each.',
    ofMilestone: (share: string) => `${share} of the milestone`,
    ofGap: (share: string) => `${share} of the gap`,
  },
  judge: {
    heading: 'Judges',
    description:
      'A judge earns the ruling fee and answers for the ruling with its bond. What it loses is burnt: nobody gains from it.',
    bond: 'Bond to become one',
    bondThen: (cooldown: string) => `Stays yours. It leaves ${cooldown} after you ask for it.`,
    lock: 'Locked for a case',
    lockThen: (min: string) => `Until the case closes, or you give it back, which is free. At least ${min}.`,
    overturned: 'Lost if the final court overturns it',
    overturnedThen: (min: string) => `At least ${min}.`,
    silent: 'Lost if it takes a case and does not rule',
    silentThen: 'The final court then decides.',
  },
  plans: {
    heading: 'Posting plans',
    description: 'How many open tasks a wallet may post in a day (UTC). Most never need more than the free plan.',
    names: { free: 'Free', basic: 'Basic', pro: 'Pro' },
    perDay: (posts: number) => `${posts} posts a day`,
    free: 'No charge',
    month: 'for 30 days',
    inTok: (amount: string, discount: string) => `or about ${amount}, ${discount} off`,
    choose: 'See the plans',
  },
  source:
    'Fees, deposits and penalties are fixed in the contracts: nobody can change them. The prices of plans can change.',
} as const
