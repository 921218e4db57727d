import type { CourtStep } from '@svc/chain'
import { formatAmount, formatTime } from '@svc/protocol'
import { market, nonZeroHash } from '@svc/protocol/internal/base'
import { taskId } from '@svc/protocol/internal/tasks'
import * as z from 'zod/mini'
import {
  courtBatchInput,
  formatCase,
  formatCourt,
  prepareCourtBatch,
  prepareCourtStep,
  readCourtDesk,
} from '../court.ts'
import { type Command, requireWallet } from './command.ts'
import { listFields } from './field.ts'

const listInput = z.strictObject({ market })
const descriptions = {
  market: 'the market',
  decisions: 'a list of taskId, case, offerBps, askBps, forWorker, reasonHash',
}

/** Lists what waits for the final court. */
export const courtCases: Command = {
  name: 'court-cases',
  summary: 'List the cases that wait for the final court: what closes within a day first, then the largest sum.',
  fields: listFields(listInput, { market: 'standard' }, descriptions),
  answer: z.looseObject({ court: z.looseObject({}), cases: z.array(z.looseObject({})), truncated: z.boolean() }),
  async run({ input: given, open }) {
    const { market } = listInput.parse(given)
    const { markets } = await open()
    const desk = await readCourtDesk(markets, market)
    const cases = desk.cases.map((each) => formatCase(each, market))
    const now = desk.block.timestamp
    return {
      json: { court: formatCourt(desk, market), cases, truncated: desk.truncated },
      lines: [
        { heading: `${cases.length} cases wait for the final court ${desk.court.address} (${desk.court.kind})` },
        ...desk.cases.flatMap(({ gap, decideFrom, courtEnd, ...each }, at) => [
          `  ${cases[at]?.taskId} case ${each.round}  ${formatAmount(gap, 'tok')} between ${each.offerBps} and ${each.askBps} bps  until ${formatTime(courtEnd)}`,
          `    ${each.appealAgainst ? `appeal of a ruling for the ${each.appealAgainst}` : `opened by the ${each.openedBy}`}${each.silent.map((side) => `, the ${side} is silent`).join('')}${now < decideFrom ? `, can be decided from ${formatTime(decideFrom)}` : ''}`,
        ]),
        ...(desk.truncated ? ['', 'The oldest tasks were not looked at.'] : []),
      ],
    }
  },
}

/** Builds the file with which a Safe decides. */
export const courtBatch: Command = {
  name: 'court-batch',
  summary:
    'Build the file with which the owners of a Safe decide cases as the final court. It sends and signs nothing.',
  notes: ['Load the output in the transaction builder of the Safe: svc-prepare court-batch … --json > batch.json'],
  fields: listFields(courtBatchInput, { market: 'standard' }, descriptions),
  answer: z.looseObject({ version: z.literal('1.0'), transactions: z.array(z.looseObject({})) }),
  async run({ input, open }) {
    const { markets } = await open()
    const batch = await prepareCourtBatch(markets, courtBatchInput.parse(input))
    return {
      json: batch,
      lines: [
        { heading: `${batch.transactions.length} decisions for the Safe ${batch.meta.createdFromSafeAddress}` },
        batch.meta.description,
        '',
        'With --json the output is the file for its transaction builder.',
      ],
    }
  },
}

const wei = z.string().check(z.regex(/^\d{1,30}$/))

/** A command for a step of a case at a court that asks the public. */
function createStepCommand<Shape extends Record<string, z.ZodMiniType>>(
  name: string,
  summary: string,
  shape: Shape,
  describe: Readonly<Record<string, string>>,
  build: (input: z.output<z.ZodMiniObject<Shape>>) => CourtStep,
): Command {
  const input = z.object(shape)
  const withTask = z.object({ taskId, ...shape })
  return {
    name,
    summary: `${summary} For a court that asks the public. It sends and signs nothing.`,
    notes: ['Send the call of the output with any wallet: to, data, value.'],
    fields: listFields(withTask, {}, { taskId: 'the task', ...describe }),
    from: 'required',
    answer: z.looseObject({ to: z.string(), data: z.string(), value: z.string(), about: z.string() }),
    async run(call) {
      const { markets } = await call.open()
      const { taskId: id } = z.object({ taskId }).parse(call.input)
      const prepared = await prepareCourtStep(markets, id, requireWallet(call), build(input.parse(call.input)))
      const { to, data, value, about } = prepared
      return { json: prepared, lines: [{ heading: about }, `to     ${to}`, `value  ${value} wei`, `data   ${data}`] }
    },
  }
}

/** What parties and the public do about a case. */
export const courtSteps: readonly Command[] = [
  createStepCommand(
    'court-publish',
    'Say where everybody can open your evidence, before the case is asked.',
    { evidenceHash: nonZeroHash, uri: z.string() },
    { evidenceHash: 'its hash', uri: 'where it can be opened: up to 256 characters' },
    ({ evidenceHash, uri }) => ({ kind: 'publish', evidenceHash, uri }),
  ),
  createStepCommand(
    'court-ask',
    'Put a case to the public.',
    { bountyWei: z._default(wei, '0') },
    { bountyWei: 'what the final answer gets besides, in wei' },
    ({ bountyWei }) => ({ kind: 'ask', bountyWei: BigInt(bountyWei) }),
  ),
  createStepCommand(
    'court-answer',
    'Answer a case with a bond, for the worker or the poster.',
    { forWorker: z.boolean(), bondWei: z.optional(wei) },
    { forWorker: 'true for the share of the worker', bondWei: 'the bond, in wei; default: the least that counts now' },
    ({ forWorker, bondWei }) => ({
      kind: 'answer',
      forWorker,
      bondWei: bondWei === undefined ? null : BigInt(bondWei),
    }),
  ),
  createStepCommand('court-carry', 'Carry the final answer to the market.', {}, {}, () => ({ kind: 'carry' })),
]
