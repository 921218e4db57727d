import { market as marketName } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { addressText, amountText, count, moment, taskIdText } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'
import { market } from '../params.ts'

const side = z.enum(['poster', 'worker'])

/** The kinds of final courts. A wallet is for test chains only. */
const courtKinds = ['wallet', 'contract', 'safe', 'reality'] as const

export const courtJson = z
  .object({
    kind: z
      .enum(courtKinds)
      .describe('`safe`: its owners decide together. `reality`: the public decides at Reality.eth. `wallet`: one key.'),
    address: addressText.describe('Address of the final court.'),
    windowSeconds: count.describe('How long it can decide, in seconds, from when it has a case.'),
    feeUsdc: amountText.describe('What the side that loses pays it for a case, in USDC units.'),
    appealFeeUsdc: amountText.describe('What the side that appeals pays it, in USDC units.'),
    shareBps: count.describe('What it gets of the sum that its decision moves, in basis points.'),
    maxShareTokWei: amountText.describe('At most this, in TOK wei.'),
    signatures: z.nullable(count).describe('How many owners of a Safe must sign; null for other kinds.'),
    reality: z.nullable(addressText).describe('The Reality.eth that is asked; null for other kinds.'),
    policy: z.nullable(z.string()).describe('Where the rules for answers are published; null for other kinds.'),
    answerSeconds: z.nullable(count).describe('When a case can be asked: with so much of the window left, in seconds.'),
    timeoutSeconds: z.nullable(count).describe('How long an answer must stand before it is final, in seconds.'),
    minBondWei: z.nullable(amountText).describe("The least bond of an answer, in wei of the chain's coin."),
  })
  .describe('What the final court is.')

export type CourtJson = z.infer<typeof courtJson>

const caseJson = z.object({
  taskId: taskIdText.describe('Task id.'),
  case: count.describe('Which dispute of the task, from 1.'),
  amountTokWei: amountText.describe('The disputed milestone, in TOK wei.'),
  gapTokWei: amountText.describe('What the decision moves of it, in TOK wei.'),
  offerBps: count.describe('The share that the poster offers, in basis points.'),
  askBps: count.describe('The share that the worker asks for, in basis points.'),
  openedBy: side.describe('Who opened the dispute.'),
  appealAgainst: z.nullable(side).describe('For whom a judge ruled; null if no judge did.'),
  silent: z.array(side).describe('Who has said nothing.'),
  decideFrom: moment.describe('From when it can be decided, in unix seconds.'),
  courtEnd: moment.describe('Until when it can be decided, in unix seconds.'),
})

export const getCourt = defineCall('getCourt', {
  summary: 'Show the final court of a market and the cases that wait for it.',
  description:
    'What closes within a day comes first, then the largest sum: many small cases hide no large one. At most 100 cases are listed. Read straight from the chain.',
  tag: 'market',
  chainCost: 10,
  input: z.object({ market }),
  output: z.object({
    market: marketName.check(z.describe('Market of the court.')),
    court: courtJson,
    cases: z.array(caseJson).describe('In the order in which the court works on them.'),
    total: count.describe('How many there are.'),
    truncated: z.boolean().describe('True if the oldest tasks were not looked at.'),
    meta: metaJson,
  }),
})
