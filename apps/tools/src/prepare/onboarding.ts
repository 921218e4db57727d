import { buildResponseMeta, metaJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { market } from '@svc/protocol/internal/base'
import * as z from 'zod/mini'
import { buildChecklist } from '../checklist.ts'
import { agentFlags, formatPrepareCommand } from '../prepareCommand.ts'
import { readWallet } from '../readWallet.ts'
import { type Command, requireWallet } from './command.ts'
import { listFields } from './field.ts'

const item = z.object({
  item: z.string(),
  ok: z.boolean(),
  required: z.boolean(),
  have: z.string(),
  need: z.string(),
  nextStep: z.nullable(z.string()),
})

/** Shows what a wallet still needs before it can post or claim. */
export const onboarding: Command = {
  name: 'onboarding',
  summary: 'Show what your wallet still needs to post or claim, and how to get it.',
  fields: listFields(z.strictObject({ market }), { market: 'standard' }),
  from: 'required',
  answer: z.object({ address: z.string(), ready: z.boolean(), items: z.array(item), meta: metaJson }),
  async run(call) {
    const address = requireWallet(call)
    const chosen = (call.input.market ?? 'standard') as Market
    const { providers, places, deployments } = (await call.open()).markets
    const { block, ...facts } = await readWallet(providers, places, chosen, address)
    const items = buildChecklist(
      facts,
      deployments.chainId,
      chosen,
      address,
      (action, { amountUsdc, ...given }) =>
        `Run: ${formatPrepareCommand(action, { ...given, ...(amountUsdc && { amountUsdcUnits: amountUsdc }), from: address })}`,
    )
    const ready = items.every(({ ok, required }) => ok || !required)
    return {
      json: { address, ready, items, meta: buildResponseMeta(chosen, block) },
      lines: [
        { heading: ready ? `Ready to post and claim in the ${chosen} market` : 'Not ready to post or claim yet' },
        ...items.flatMap(({ item, ok, required, have, need, nextStep }) => [
          `  ${ok ? 'done' : required ? 'todo' : 'tip '}  ${item}: ${have}; needed: ${need}`,
          // A person can wait, and reads no JSON.
          ...(nextStep ? [`        ${nextStep.replace(` ${agentFlags}`, '')}`] : []),
        ]),
      ],
    }
  },
}
