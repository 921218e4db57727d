import { z } from 'zod'
import { buildChecklist } from '../checklist.ts'
import { address, buildMeta, market, meta } from '../fields.ts'
import { defineTool } from '../tool.ts'

export const onboardingChecklist = defineTool({
  name: 'svc_onboarding_checklist',
  title: 'Onboarding checklist',
  description:
    'What a wallet has and needs to post or claim: gas, fee, exit deposit, allowance, deposit; each with the next step.',
  input: z.strictObject({ address, market }),
  output: z.looseObject({
    ready: z.boolean().describe('True if every required item is ok.'),
    items: z
      .array(
        z.looseObject({
          item: z.string().describe('Name of the item.'),
          ok: z.boolean().describe('True if nothing needs to be done.'),
        }),
      )
      .describe('What a wallet needs to post or claim.'),
    meta,
  }),
  async run({ address, market }, { deployments, readWallet }) {
    const { block, ...facts } = await readWallet(market, address)
    const items = buildChecklist(
      facts,
      deployments.chainId,
      market,
      address,
      (action, input) => `Call svc_prepare ${JSON.stringify({ action, input, address })}`,
    )
    return {
      address,
      ready: items.every(({ ok, required }) => ok || !required),
      items: items.map((each) => ({ ...each })),
      meta: buildMeta(block),
    }
  },
})
