import { z } from 'zod'
import { checklistOf } from '../checklist.ts'
import { market, meta, metaOf, wallet } from '../fields.ts'
import { defineTool } from '../tool.ts'

export const onboardingChecklist = defineTool({
  name: 'svc_onboarding_checklist',
  title: 'Onboarding checklist',
  description:
    'What a wallet has and lacks to post or claim: chain, gas, fee, allowance, deposit; each with what to do.',
  input: z.strictObject({ address: wallet, market }),
  output: z.looseObject({
    ready: z.boolean(),
    items: z.array(z.looseObject({ item: z.string(), ok: z.boolean() })),
    meta,
  }),
  async run({ address, market }, { deployments, readWallet }) {
    const { block, ...facts } = await readWallet(market, address)
    const items = checklistOf(facts, deployments.chainId, market, address)
    return {
      address,
      ready: items.every(({ ok, required }) => ok || !required),
      items: items.map((each) => ({ ...each })),
      meta: metaOf(market, block),
    }
  },
})
