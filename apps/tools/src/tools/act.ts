import type { Grant, Signer } from '@svc/agent'
import { actionList, actions, decodeCalls, encodeActionInput } from '@svc/protocol/actions'
import { isActionName } from '@svc/protocol/internal/actions'
import { type Hex, isHex } from 'viem'
import { z } from 'zod'
import { parsePreparedInput } from '../preparedInput.ts'
import { defineTool, type Tool, ToolError } from '../tool.ts'
import { toToolError } from '../toToolError.ts'

const hex = z.custom<Hex>((value) => isHex(value))
const call = z.object({ to: hex, data: hex, value: z.literal('0x0') })
const names = actionList.map(({ name }) => name).filter(isActionName)

/** Creates the one tool that acts: the signer of a grant decides. This process has no key. */
export const createActTool = (grant: Pick<Grant, 'account'>, signer: Signer): Tool =>
  defineTool({
    name: 'svc_act',
    title: 'Act within the grant',
    description:
      'Acts for the account of the grant, if its limits allow it: returns confirmed, needsApproval with approvalUrl for a person, or refused. Fields that the task implies may be left out.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    input: z.strictObject({
      action: z.enum(names).describe('Name of the action.'),
      input: z.looseObject({}).default({}).describe('Such as {taskId}; as for svc_prepare.'),
      text: z.string().max(100_000).optional().describe('Text to hash for proofHash or reasonHash.'),
    }),
    output: z.looseObject({ status: z.enum(['confirmed', 'needsApproval', 'refused']), nextStep: z.string() }),
    async run({ action: name, input, text }, { prepare, deployments }) {
      const { prepared } = await prepare(
        actions[name],
        parsePreparedInput(actions[name], input, text),
        grant.account,
      ).catch((error: unknown) => {
        throw toToolError(error)
      })
      const { shared, markets } = deployments
      const places = { standard: { ...shared, ...markets.standard }, micro: { ...shared, ...markets.micro } }
      const calls = z.array(call).parse(prepared.calls)
      const decoded = decodeCalls(calls, places)
      if (decoded?.name !== name)
        throw new ToolError('TERMS_REFUSED', `${name} was prepared as something else.`, 'Report it.')
      const result = await signer.act({ action: name, input: encodeActionInput(decoded.action, decoded.input), calls })
      const nextStep = {
        confirmed: 'Call svc_task_next_steps.',
        needsApproval: 'Give the person approvalUrl.',
        refused: 'Stay within the grant.',
      }
      return { ...result, nextStep: nextStep[result.status] }
    },
  })
