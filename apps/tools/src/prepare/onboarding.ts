import { type Market, market } from '@svc/protocol'
import { metaJson, metaJsonOf } from '@svc/protocol/http'
import * as z from 'zod/mini'
import { checklistOf } from '../checklist.ts'
import { readWallet } from '../readWallet.ts'
import { type Command, walletOf } from './command.ts'
import { fieldsOf } from './field.ts'

const item = z.object({
  item: z.string(),
  ok: z.boolean(),
  required: z.boolean(),
  have: z.string(),
  need: z.string(),
  nextStep: z.nullable(z.string()),
})

/** What a wallet still lacks before it can post or claim, step by step. */
export const onboarding: Command = {
  name: 'onboarding',
  summary: 'See what your wallet still lacks to post or claim, and how to get it.',
  fields: fieldsOf(z.strictObject({ market }), { market: 'standard' }),
  from: 'required',
  answer: z.object({ address: z.string(), ready: z.boolean(), items: z.array(item), meta: metaJson }),
  async run(call) {
    const address = walletOf(call)
    const chosen = (call.input.market ?? 'standard') as Market
    const { providers, places, deployments } = (await call.open()).markets
    const { block, ...facts } = await readWallet(providers, places, chosen, address)
    const items = checklistOf(facts, deployments.chainId, chosen, address)
    const ready = items.every(({ ok, required }) => ok || !required)
    return {
      json: { address, ready, items, meta: metaJsonOf(chosen, block, false) },
      lines: [
        { heading: ready ? `Ready to post and claim in the ${chosen} market` : 'Not ready to post or claim yet' },
        ...items.flatMap(({ item, ok, required, have, need, nextStep }) => [
          `  ${ok ? 'done' : required ? 'todo' : 'wise'}  ${item}: ${have}; needed: ${need}`,
          ...(nextStep ? [`        ${nextStep}`] : []),
        ]),
      ],
    }
  },
}
