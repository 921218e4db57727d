import { prepareAction } from '@svc/chain'
import type { AnyAction } from '@svc/protocol/actions'
import { type PreparedJson, preparedJson, requestJson } from '@svc/protocol/http'
import * as z from 'zod/mini'
import { checkChain } from './checkChain.ts'
import { type Call, type Command, walletOf } from './command.ts'
import type { Field } from './field.ts'
import { fieldsOfAction } from './fieldsOfAction.ts'
import { fillInput } from './fillInput.ts'
import { PrepareError, sentence } from './prepareError.ts'
import { previewOf } from './preview.ts'
import { requireFields } from './readFields.ts'
import { sendToGateway } from './sendToGateway.ts'

/** A write action on the wire: prepared, or a request at the gateway. `note` says what to do with one that no gateway took. */
export const actionAnswer = z.union([
  requestJson,
  z.extend(preparedJson, { note: z.optional(z.string()), terms: z.optional(z.unknown()) }),
])

/** The command of a row of the action table. */
export function actionCommand(action: AnyAction): Command {
  const fields = fieldsOfAction(action)
  return {
    name: action.name,
    summary: action.summary,
    fields,
    from: 'required',
    sends: true,
    waits: true,
    answer: actionAnswer,
    run: (call) => run(action, fields, call),
  }
}

async function run(action: AnyAction, fields: readonly Field[], call: Call) {
  const from = walletOf(call)
  requireFields(
    fields.filter(({ name }) => !fromTerms.has(name) || call.input.terms === undefined),
    call.input,
  )
  const { env, markets } = await call.open()
  await checkChain(markets)
  const { input, json, lines } = await fillInput(action, call.input, { from, markets })
  requireFields(fields, input)
  const prepared = await prepareAction(markets.providers, markets.places, { action, input, from }).catch(named(fields))
  if (prepared.simulation.status === 'refused') throw wouldRevert(prepared)
  const told = { prepared, json, lines: [...lines, ...previewOf(prepared)] }
  return sendToGateway(told, env.SVC_GATEWAY_URL, call)
}

/** What a terms document answers. */
const fromTerms: ReadonlySet<string> = new Set(['text', 'worker'])

function wouldRevert(prepared: PreparedJson): PrepareError {
  if (prepared.simulation.status !== 'refused') throw new TypeError('The simulation was not refused.')
  const { message, wayOut } = prepared.simulation.error
  return new PrepareError('refused', message, { code: 'WOULD_REVERT', hint: wayOut, prepared })
}

/** Zod's error by the argument it is about. */
const named = (fields: readonly Field[]) => (error: unknown) => {
  if (!(error instanceof z.core.$ZodError)) throw error
  const [issue] = error.issues
  const field = fields.find(({ name }) => name === issue?.path[0])
  const rest = issue?.path.slice(1).join('.')
  const place = field ? `--${field.flag}${rest ? ` at ${rest}` : ''}` : 'the input'
  throw new PrepareError('usage', sentence(`${place}: ${issue?.message ?? 'cannot be read'}`))
}
