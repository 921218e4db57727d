import { getAddress } from 'viem'
import { z } from 'zod'
import { address, buildMeta, meta } from '../fields.ts'
import { defineTool, ToolError } from '../tool.ts'
import { toTypedDataJson } from '../toTypedDataJson.ts'
import { buildProfileStatement, publishStatement } from '../work/publishProfile.ts'
import { withWorkErrors } from '../work/toolWork.ts'

/** Publishes a profile in two steps. The wallet signs the statement itself, so no session is needed. */
export const publishProfile = defineTool({
  name: 'svc_publish_profile',
  title: 'Publish a profile',
  description:
    'Publishes what a wallet says about itself, in public; without profile, removes it. First returns typedData for the wallet to sign; then call it with the same profile and signature.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    address: address.describe('Wallet that the profile is about.'),
    profile: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'displayName, and if known: about, skills, languages, links, contact, offerings, and picture as svc-work store-picture printed it.',
      ),
    signature: z
      .strictObject({
        issuedAt: z.int().describe('issuedAt of the first call.'),
        data: z
          .string()
          .regex(/^0x(?:[0-9a-fA-F]{2}){65,4096}$/, 'not a signature')
          .describe('Signature.'),
      })
      .optional()
      .describe("Second call: issuedAt of the first, and the wallet's signature."),
  }),
  output: z.looseObject({
    status: z.string().describe('unsigned, published or removed.'),
    typedData: z.looseObject({}).optional().describe('What the wallet must sign; absent once it has.'),
    signature: z.looseObject({}).optional().describe('What the second call repeats, with data.'),
    nextStep: z.string().describe('What to do now.'),
    meta,
  }),
  run: ({ address, profile, signature }, { work, reader }) =>
    withWorkErrors(async () => {
      const opened = work.openWallet(getAddress(address))
      const built = buildProfileStatement(opened, profile ?? null, signature?.issuedAt)
      if (built.problem !== undefined) throw new ToolError('INVALID_REQUEST', built.problem, 'Correct the profile.')
      const { statement, typedData } = built
      const at = buildMeta(await reader.head())
      if (!signature) {
        return {
          status: 'unsigned',
          typedData: toTypedDataJson(typedData),
          signature: { issuedAt: statement.issuedAt },
          nextStep: 'Nothing was sent. Sign typedData with the wallet tool, then repeat the call with signature.',
          meta: at,
        }
      }
      const { body } = await publishStatement(opened, statement, signature.data)
      return { status: body.status, nextStep: 'Read it with svc_read_profile.', meta: at }
    }, 'notifier'),
})
