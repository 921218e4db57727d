import { signedStatement } from '@svc/protocol/internal/work'
import { beginSignIn, completeSignIn, type DeviceKeys } from '@svc/work'
import { z } from 'zod'
import { address, buildMeta, meta } from '../fields.ts'
import { defineTool, ToolError } from '../tool.ts'
import { connectOwnStore, type WorkWallet } from '../work/place.ts'
import { withWorkErrors } from '../work/toolWork.ts'

/** Signs a wallet in, in two steps. The wallet signs with its own tool, so this server never sees its key. */
export const workSignIn = defineTool({
  name: 'svc_work_sign_in',
  title: 'Sign in for work',
  description:
    'Signs a wallet in at the store, for 180 days; moves no money. First returns the message to sign with personal_sign of a wallet tool; then call it with message and signature.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    address: address.describe('Wallet that signs in.'),
    message: z.string().max(4_096).optional().describe('Message of the first call.'),
    signature: z.string().max(8_194).optional().describe("The wallet's signature over it."),
  }),
  output: z.looseObject({
    signedIn: z.boolean().describe('True if the wallet is signed in on this machine.'),
    message: z
      .string()
      .optional()
      .describe('What the wallet must sign with personal_sign; absent once it is signed in.'),
    statement: z.looseObject({}).optional().describe('The key statement {message, signature}; absent before.'),
    nextStep: z.string().describe('What to do now.'),
    meta,
  }),
  run: ({ address, message, signature }, { work, reader }) =>
    withWorkErrors(async () => {
      const opened = work.openWallet(address)
      const at = buildMeta(await reader.head())
      if ((message === undefined) !== (signature === undefined)) {
        throw new ToolError('INVALID_REQUEST', 'message and signature belong together.', 'Pass both, or neither.')
      }
      if (message !== undefined) {
        const statement = z.safeParse(signedStatement, { message, signature })
        if (!statement.success) {
          throw new ToolError(
            'INVALID_REQUEST',
            'signature is not 0x and hex digits.',
            'Pass what personal_sign returned.',
          )
        }
        return { ...(await describe(opened, await completeSignIn(statement.data, opened.signIn))), meta: at }
      }
      const begun = await beginSignIn(opened.signIn)
      if (begun.message === null) return { ...(await describe(opened, begun.keys)), meta: at }
      return {
        signedIn: false,
        message: begun.message,
        meta: at,
        nextStep:
          'Sign message with personal_sign of the wallet tool, then call svc_work_sign_in with message and signature.',
      }
    }),
})

/** Gives the statement to the market's store, if there is one, so that others find it. */
async function describe(opened: WorkWallet, keys: DeviceKeys) {
  const { statement } = keys
  const store = await connectOwnStore(opened, keys)
  if (store && statement) await store.calls.putStatement(statement)
  return {
    signedIn: true,
    ...(statement && { statement }),
    nextStep: 'Build or post terms, which name the store of the market, or call svc_send_work or svc_read_work.',
  }
}
