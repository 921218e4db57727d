import { prepareActionJson, WrongChainError } from '@svc/chain'
import { type PreparedJson, preparedJson, type RequestJson, requestJson } from '@svc/operations'
import { parseTaskTerms } from '@svc/protocol'
import type { AnyAction } from '@svc/protocol/actions'
import { describeActionPrices } from '@svc/protocol/internal/actions'
import * as z from 'zod/mini'
import { adviseOnJudge, formatJudgeAdvice } from '../adviseOnJudge.ts'
import { findOtherPayment } from '../findOtherPayment.ts'
import { listDomains, type Markets } from '../market.ts'
import { checkPostingQuota, recordConfirmedPost } from '../postingQuota.ts'
import { type Call, type Command, requireWallet } from './command.ts'
import type { Field } from './field.ts'
import { fillInput } from './fillInput.ts'
import { listActionFields } from './listActionFields.ts'
import { PrepareError, toSentence } from './prepareError.ts'
import { requireFields } from './readFields.ts'
import { renderPreview } from './renderPreview.ts'
import { sendToGateway } from './sendToGateway.ts'

/** The result of an action: the prepared calls, or the request at the gateway. `note` says what to do without a gateway. */
export const actionAnswer = z.union([
  requestJson,
  z.extend(preparedJson, { note: z.optional(z.string()), terms: z.optional(z.unknown()) }),
])

/** Creates the command of an action. */
export function createActionCommand(action: AnyAction): Command {
  const fields = listActionFields(action)
  return {
    name: action.name,
    summary: action.explain,
    notes: describeActionPrices(action.name),
    fields,
    from: 'required',
    sends: true,
    waits: true,
    paysFrom: true,
    answer: actionAnswer,
    run: (call) => run(action, fields, call),
  }
}

async function run(action: AnyAction, fields: readonly Field[], call: Call) {
  const from = requireWallet(call)
  requireFields(
    fields.filter(({ name }) => !fromTerms.has(name) || call.input.terms === undefined),
    call.input,
  )
  const { env, markets } = await call.open()
  await assertChain(markets)
  const { input, json, lines } = await fillInput(action, call.input, { from, markets })
  requireFields(fields, input)
  const query = { action, input, from, domains: listDomains(env.SVC_API_URL), payFrom: call.payFrom }
  const prepared = await prepareActionJson(markets.providers, markets.places, query)
    .catch(nameFields(fields))
    .then((calls) => checkPostingQuota(calls, env.SVC_API_URL))
  if (prepared.simulation.status === 'refused') {
    const inUsdc = () => prepareActionJson(markets.providers, markets.places, { ...query, payFrom: 'usdc' })
    const other = call.payFrom === 'usdc' ? null : await findOtherPayment(markets.deployments, inUsdc)
    throw createRevertError(prepared, other && `You can pay ${other} instead: --pay-from usdc`)
  }
  const advice =
    action.name === 'post-task'
      ? formatJudgeAdvice(await adviseOnJudge(markets.reader, prepared.market, parseTaskTerms(input.terms)))
      : []
  const preview = {
    prepared,
    json,
    lines: [...lines, ...renderPreview(prepared), ...advice],
    onSettled: (request: RequestJson) => recordConfirmedPost(request, { env, markets }),
  }
  return sendToGateway(preview, env.SVC_GATEWAY_URL, call)
}

/** The inputs that a terms document provides. */
const fromTerms: ReadonlySet<string> = new Set(['text', 'worker'])

function createRevertError(prepared: PreparedJson, other: string | null): PrepareError {
  if (prepared.simulation.status !== 'refused') throw new TypeError('The simulation did not revert.')
  const { message, wayOut } = prepared.simulation.error
  return new PrepareError('refused', message, { code: 'WOULD_REVERT', hint: other ?? wayOut, prepared })
}

/** Converts zod's error to one that names the argument. */
const nameFields = (fields: readonly Field[]) => (error: unknown) => {
  if (!(error instanceof z.core.$ZodError)) throw error
  const [issue] = error.issues
  const field = fields.find(({ name }) => name === issue?.path[0])
  const rest = issue?.path.slice(1).join('.')
  const place = field ? `--${field.flag}${rest ? ` at ${rest}` : ''}` : 'the input'
  throw new PrepareError('usage', toSentence(`${place}: ${issue?.message ?? 'invalid value'}`))
}

/** Throws if every RPC provider is on another chain than the contracts, or has other code. */
export async function assertChain({ providers, deployments }: Markets): Promise<void> {
  // The first call of a provider waits until it has been checked.
  await providers
    .read(({ client }) => client.getChainId())
    .catch((error: unknown) => {
      if (!(error instanceof WrongChainError)) throw error
      throw new PrepareError('unreachable', error.message, {
        code: 'WRONG_CHAIN',
        hint: `Set CHAIN_RPC_URL to a provider of chain ${deployments.chainId}.`,
      })
    })
}
