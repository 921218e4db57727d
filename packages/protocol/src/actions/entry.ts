import { isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { market } from '../base/marketSchema.ts'
import { address, bytes32, payee, signature, tokWei } from '../base/wire.ts'
import { paidPlans } from '../money/plans.ts'
import { taskId } from '../tasks/taskIdSchema.ts'
import { maxTextBytes } from '../tasks/taskText.ts'
import { termsWire } from '../terms/terms.ts'
import { defineAction } from './action.ts'

/** The text is what `criteriaHash` of the terms is the hash of: see `formatTermsText`. */
export const postTask = defineAction({
  name: 'post-task',
  verb: 'Post task',
  title: 'Post a task',
  done: 'Posted the task',
  explain:
    'Posts a task that anyone can claim, with all, some or none of its budget in escrow; locks an exit deposit until the task ends.',
  operation: { task: 'post' },
  side: 'poster',
  input: z.strictObject({
    market,
    terms: termsWire,
    text: z.string().check(z.maxLength(maxTextBytes)),
    fundAmountTokWei: tokWei,
  }),
  contract: 'taskRegistry',
  functions: ['post(TaskTerms terms, string text, uint256 fundAmountTokWei)'],
  pays: ({ fundAmountTokWei }) => ({ tokWei: fundAmountTokWei }),
  deadline: 'claim',
  proof: ['TaskPosted'],
})

/** Anyone who holds both acceptances may send them in; each party pays its own fee and reserve. */
export const createTask = defineAction({
  name: 'create-task',
  verb: 'Create private task',
  title: 'Create a private task',
  done: 'Created the private task',
  explain:
    'Creates a private task from the signed acceptances of both parties; each pays the access fee and locks an exit deposit.',
  operation: { task: 'create' },
  sideFor: ({ terms, worker }, from) =>
    isAddressEqual(from, terms.poster) ? 'poster' : isAddressEqual(from, worker) ? 'worker' : null,
  input: z
    .strictObject({
      market,
      terms: termsWire,
      worker: payee,
      posterAcceptance: signature,
      workerAcceptance: signature,
    })
    .check(
      // Both are spent in the poster's one space of nonces.
      z.refine(
        ({ terms, posterAcceptance }) => terms.nonce !== posterAcceptance.nonce,
        'the terms and the acceptance of the poster need different nonces',
      ),
    ),
  contract: 'taskRegistry',
  functions: ['create(TaskTerms terms, address worker, Signature posterAcceptance, Signature workerAcceptance)'],
  deadline: 'funding',
  proof: ['TaskCreated'],
})

export const fundTask = defineAction({
  name: 'fund-task',
  verb: 'Fund task',
  title: 'Lock the pay',
  done: 'Locked the pay',
  explain: 'Puts TOK for your task into escrow.',
  operation: { task: 'fund' },
  side: 'poster',
  input: z.strictObject({ taskId, amountTokWei: tokWei }),
  contract: 'taskRegistry',
  functions: ['fund(uint256 taskId, uint256 amountTokWei)'],
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  // What is missing, or as much of it as the wallet has.
  derive: {
    amountTokWei: ({ task: { total, funded }, account }, wallet) => {
      const { tok } = account(wallet)
      return funded + tok < total ? tok : total - funded
    },
  },
  proof: ['TaskFunded'],
})

/** Instead of a signed permit, for posters whose key cannot sign one. The zero address takes it back. */
export const allowWorker = defineAction({
  name: 'allow-worker',
  verb: 'Choose worker',
  title: 'Choose who may claim',
  done: 'Chose who may claim',
  explain: 'Lets one wallet claim your task, if a claim needs your permit; it holds for one claim.',
  operation: { task: 'allowWorker' },
  input: z.strictObject({ taskId, worker: address }),
  contract: 'taskRegistry',
  functions: ['allowWorker(uint256 taskId, address worker)'],
  proof: ['WorkerAllowed'],
})

/** The digest is that of the terms the worker read, with the worker in them: nobody can slip in others. */
export const claimTask = defineAction({
  name: 'claim-task',
  verb: 'Claim task',
  title: 'Claim the task',
  done: 'Claimed the task',
  explain: 'Claims an open task and makes you its worker; locks an exit deposit until the task ends.',
  operation: { task: 'claim' },
  side: 'worker',
  input: z.strictObject({ taskId, settlementDigest: bytes32, permit: z.optional(signature) }),
  contract: 'taskRegistry',
  functions: [
    'claimWithPermit(uint256 taskId, bytes32 settlementDigest, Signature permit)',
    'claim(uint256 taskId, bytes32 settlementDigest)',
  ],
  required: ({ task }, wallet) => (task.claimPolicy === 'PERMIT' && task.allowedWorker !== wallet ? ['permit'] : []),
  deadline: 'funding',
  proof: ['TaskClaimed'],
})

export const startWork = defineAction({
  name: 'start-work',
  verb: 'Start work',
  title: 'Start the work',
  done: 'Started the work',
  explain: 'Starts work on a funded task; the deadline of its first milestone begins to run.',
  operation: { task: 'activate' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['activate(uint256 taskId)'],
  deadline: 'milestone',
  proof: ['TaskActivated'],
})

/** The price is the chain's; `maxAmount` is in units of the asset, and what is not needed of it stays in the wallet. */
export const buyPlan = defineAction({
  name: 'buy-plan',
  verb: 'Buy plan',
  title: 'Buy a posting plan',
  done: 'Bought the posting plan',
  explain: 'Buys 30 days of a posting plan, for yourself or for another wallet.',
  input: z.strictObject({
    market,
    tier: z.enum(paidPlans),
    beneficiary: payee,
    payWith: z.enum(['tok', 'usdc']),
    maxAmount: tokWei,
  }),
  contract: 'paymentGateway',
  functions: ['buyPlan(bytes32 tier, address beneficiary, address payWith, uint256 maxAmount)'],
  withPermit:
    'buyPlanWithPermit(bytes32 tier, address beneficiary, address payWith, uint256 maxAmount, TokenPermit permit)',
  pays: ({ payWith, maxAmount }) =>
    payWith === 'tok' ? { tokWei: maxAmount } : { usdc: { amount: maxAmount, spender: 'paymentGateway' } },
  deadline: 'plan',
  proof: ['PlanPurchased'],
})
