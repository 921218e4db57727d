import { formatAmount, formatTime } from '@svc/protocol'
import { market } from '@svc/protocol/internal/base'
import * as z from 'zod/mini'
import { courtBatchInput, formatCase, formatCourt, prepareCourtBatch, readCourtDesk } from '../court.ts'
import type { Command } from './command.ts'
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
