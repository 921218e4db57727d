import { SwapRefusedError, UnknownTaskError } from '@svc/chain'
import { ServiceError } from '@svc/operations'
import { InvalidTermsError, TextTooLongError } from '@svc/protocol'
import { StatementRequiredError } from '@svc/protocol/internal/work'
import { z } from 'zod'
import { PrepareError } from './prepare/prepareError.ts'
import { createTaskNotFoundError } from './taskAnswer.ts'
import { ToolError, type ToolErrorJson } from './tool.ts'

/** Converts an error of preparing to that of a tool. Other errors are returned unchanged. */
export function toToolError(error: unknown): unknown {
  if (error instanceof UnknownTaskError) return createTaskNotFoundError(error.taskId)
  if (error instanceof StatementRequiredError || error instanceof SwapRefusedError)
    return new ToolError(error.code, error.message, error.hint ?? checkInput)
  if (error instanceof PrepareError) {
    const { message, details, exit } = error
    return new ToolError(chooseCode(error), message, details.hint ?? checkInput, exit === 'unreachable')
  }
  if (error instanceof ServiceError && error.code === 'QUOTA_REACHED')
    return new ToolError(error.code, error.message, buyPlan)
  if (error instanceof ServiceError) return new ToolError(error.code, error.message, error.hint ?? checkInput)
  if (error instanceof z.core.$ZodError)
    return new ToolError('INVALID_REQUEST', describeIssue(error, ['input']), checkInput)
  if (inputErrors.some((kind) => error instanceof kind))
    return new ToolError('INVALID_REQUEST', (error as Error).message, checkInput)
  return error
}

/** Describes the first problem of an input: the field and what it takes, never its value. */
export function describeIssue(
  { issues }: z.core.$ZodError,
  place: readonly PropertyKey[],
  expected = 'invalid value',
): string {
  const [issue] = issues
  // Other messages can repeat a value or a name, which a stranger may have chosen.
  const isPlain = issue && issue.code !== 'custom' && issue.code !== 'unrecognized_keys'
  const message = isPlain ? issue.message : expected
  return `${[...place, ...(issue?.path ?? [])].join('.')}: ${message}.`.replace(/\.\.$/, '.')
}

const buyPlan =
  'Call svc_prepare with action buy-plan and input {market, tier: "basic", payWith: "usdc"}. It applies at once. The count starts again at midnight UTC.'
const checkInput = 'Check the input schema of svc_prepare and call it again.'
const inputErrors = [InvalidTermsError, TextTooLongError]

function chooseCode({ code, exit }: PrepareError): ToolErrorJson['code'] {
  if (code === 'PRICE_UNKNOWN' || code === 'WOULD_REVERT') return code
  if (code === 'GATEWAY_DIFFERS') return 'GATEWAY_UNREACHABLE'
  return exit === 'usage' ? 'INVALID_REQUEST' : 'CHAIN_UNREACHABLE'
}
