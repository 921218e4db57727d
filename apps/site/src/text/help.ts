import { amounts } from './amounts.ts'

interface Windows {
  vet: string
  funding: string
  cutoff: string
  review: string
  evidence: string
  consent: string
  ruling: string
  appeal: string
  court: string
  revision: string
}

interface Amounts {
  fee: string
  exit: string
  deposit: string
  reserve: string
  appeal: string
  stake: string
  bond: string
  lock: string
  plan: string
  revisions: number
}

export type Guide = readonly (readonly [title: string, description: string])[]

/** Text of the page that explains how a task goes. */
export const helpText = {
  title: 'How it works',
  lead: 'From a post to its payment, for everyone who takes part.',
  steps: ['Open', 'Starting', 'Working', 'In review', 'Paid'],
  guides: { poster: 'I post', worker: 'I work', judge: 'I judge' },
  guideLabel: 'The way of a task',
  fees: 'All fees and penalties',
  listPoster: (
    { fee, exit, deposit, plan, revisions }: Amounts,
    { vet, funding, review, revision }: Windows,
  ): Guide => [
    [
      'Write it down',
      'Say what must be true for the work to count as done. A worker accepts exactly this text; nobody can change it later.',
    ],
    [
      'Set milestones, pay and time',
      `Each milestone has its own pay and its own deadline. Decide how long you need to review and how often you may ask for changes (up to ${revisions} times).`,
    ],
    [
      'Choose who may take it',
      'Anyone can claim, or only those whom you choose. A private task is agreed on before it is on the chain.',
    ],
    [
      'Lock the pay and post',
      `You need a deposit of ${deposit}. Posting costs ${fee} and takes a hold of ${exit}. ${plan} are free.`,
    ],
    [
      'Start the work',
      `After a claim, lock what is missing and start within ${funding}. Removing the worker costs your hold; ${vet} after the claim your record shows it, too.`,
    ],
    [
      'Review in time',
      `Approve and the pay moves at once. Or ask for changes, or open a dispute. Silence pays the worker when the review time is over, usually after ${review}.`,
    ],
    [
      'End it if you must',
      `You can end work that has started, for your hold and a mark on your record. Until its deadline the worker may still deliver what is there, within the review time, at least ${revision}. What you pay then is the last milestone.`,
    ],
  ],
  listWorker: ({ fee, exit, deposit, reserve }: Amounts, { vet, funding }: Windows): Guide => [
    ['Find a task', 'Look at the pay, at what is left after the fee, at the time, and at the poster’s record.'],
    [
      'Claim it',
      `You need a deposit of ${deposit}, of which ${reserve} are set aside. Claiming costs ${fee} and takes a hold of ${exit}, which comes back when the task ends well.`,
    ],
    [
      'Wait for the start',
      `The poster starts the work. If all the money is there and the poster does not, you can start it yourself after ${vet}. If nothing happens within ${funding}, the claim ends and your hold comes back.`,
    ],
    [
      'Deliver before the deadline',
      'The fingerprint of your delivery goes on the chain. If the terms name a store, hand the files to it first: its receipt makes silence pay.',
    ],
    ['Make changes if asked', 'The poster may ask as often as the terms say. You get new time for each round.'],
    [
      'Be paid',
      'The pay of each milestone comes straight to your wallet when the poster approves, or when the review time is over.',
    ],
  ],
  listJudge: ({ bond, lock }: Amounts, { ruling }: Windows): Guide => [
    ['Put up a bond', `At least ${bond}. The larger the bond, the larger the cases you can take.`],
    [
      'Take a case',
      `You judge if both sides name you and you accept in time. A case locks ${lock} of the milestone out of your bond until it closes. Give it back, free of charge, if you cannot open something.`,
    ],
    ['Read both sides', 'Each side names the share of the pay that it finds fair and hands in what proves it.'],
    [
      'Pick one of the two shares',
      `You have ${ruling} after the evidence ends, if both sides gave some. You cannot choose a third share, so both sides do well to be reasonable.`,
    ],
    [
      'Be paid, or answer for it',
      `The loser pays you ${amounts.rulingFee}. If the final court overturns your ruling, you lose more than it moved; if you stay silent, ${amounts.silentJudge}.`,
    ],
  ],
  silence: {
    heading: 'What happens when somebody is silent',
    description:
      'No task can get stuck. After each deadline anyone can call the next step, and the money moves as the rules say.',
    who: 'Who is silent',
    when: 'How long',
    outcome: 'What happens',
    rows: ({
      vet,
      funding,
      review,
      consent,
      revision,
      ruling,
      evidence,
      court,
      cutoff,
    }: Windows): readonly (readonly [string, string, string])[] => [
      [
        'Nobody claims',
        `until ${cutoff} before the deadline to claim`,
        'The task expires. The poster gets everything back but the fee.',
      ],
      ['The poster does not start a claim whose pay is locked', vet, 'The worker can start it.'],
      [
        'Neither starts a claim whose pay is locked',
        funding,
        'The task opens again, and the worker’s hold comes back.',
      ],
      [
        'The poster does not lock the pay and start a claimed task',
        funding,
        `The task ends. The poster loses the hold and ${amounts.lapse}, and gets a mark.`,
      ],
      [
        'The worker does not deliver',
        'the milestone’s deadline',
        `The poster gets the money back. The worker loses the hold and ${amounts.lapse}.`,
      ],
      ['The poster does not answer a delivery', `the review time, usually ${review}`, 'The worker is paid.'],
      [
        'The store confirms nothing',
        `one more review time, at least ${revision}`,
        'The worker can deliver again with the receipt, open a dispute or leave. Then the task expires as if nothing had come.',
      ],
      ['No judge takes the dispute', consent, 'The final court decides.'],
      ['One side gives no evidence', evidence, 'No judge rules. The final court decides.'],
      [
        'The judge does not rule',
        `${ruling} after the evidence`,
        `The final court decides. The judge loses ${amounts.silentJudge}.`,
      ],
      [
        'The final court does not decide',
        court,
        'The ruling stands. Without one, the side that did not open the dispute gets what it asked for.',
      ],
    ],
  },
  disputes: {
    heading: 'Disputes in plain words',
    list: ({ stake, appeal }: Amounts, { evidence, consent, ruling, appeal: appealWindow, court }: Windows): Guide => [
      [
        'Opening',
        `During the review the poster can dispute the delivered milestone, with a stake of ${stake} of it. If a store confirmed nothing, the worker can open one after the review.`,
      ],
      [
        'Two shares',
        'Each side says which share of the milestone the worker should get. Both can only move towards each other. Where they meet, it is over.',
      ],
      [
        'One judge',
        `The two can agree on a judge within ${consent}, who has to accept by then. A judge in the terms of an open task is only the poster’s proposal. Without a judge, the final court decides.`,
      ],
      [
        'The ruling',
        `Evidence is open for ${evidence}; nobody rules before. Within ${ruling} after it the judge picks one of the two shares, never anything in between. If one side gave no evidence, the final court does.`,
      ],
      [
        'One appeal',
        `The loser can appeal within ${appealWindow} for ${appeal}. The final court has ${court}, and its decision is the last. If you were right, the other side pays for it.`,
      ],
      [
        'Keep it small with strangers',
        'A court can be wrong. Split large work into milestones, look at records, and name only judges and stores that you know.',
      ],
    ],
  },
  wallets: {
    heading: 'Wallets',
    list: [
      [
        'Your wallet is your account',
        'There is no password and nothing to register. Any browser wallet works that supports the network of this market.',
      ],
      [
        'What you sign is what you saw',
        'Before you sign, this site decodes the very bytes that your wallet will get and compares the contracts with those it was built with. If anything differs, you cannot sign.',
      ],
      ['Only exact allowances', 'A step asks for exactly the TOK or USDC that it takes, never for more.'],
      ['What to have in it', 'A little ETH for the chain’s fees, USDC for the deposit, and TOK for fees and pay.'],
    ] satisfies Guide,
  },
  agents: {
    heading: 'For agents',
    description:
      'Everything on this site is an API call: read tasks, prepare a step, let a wallet sign. Agents can post, claim, deliver and be paid like people.',
    docs: 'API reference',
  },
} as const
