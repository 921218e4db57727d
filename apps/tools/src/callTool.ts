import type { CallToolResult } from '@modelcontextprotocol/server'
import { ChainReadError, WrongChainError } from '@svc/chain'
import { getParameterErrorCode } from '@svc/operations'
import { explainIssue, formatIssue } from '@svc/protocol/internal/base'
import type { z } from 'zod'
import { type Tool, type ToolDeps, ToolError, type ToolErrorJson } from './tool.ts'

/** Runs a tool on the input of a client. Never throws: an error becomes a result with a next step and without internal details. */
export async function callTool(
  tool: Tool,
  given: unknown,
  deps: ToolDeps,
  onError: (error: unknown) => void,
): Promise<CallToolResult> {
  try {
    const input = tool.input.safeParse(given ?? {}, { error: explainIssue }) as z.ZodSafeParseResult<
      Record<string, unknown>
    >
    if (!input.success) return refusal(inputError(tool, input.error))
    const answer = await tool.run(input.data, deps)
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
  } catch (error) {
    if (error instanceof ToolError) return refusal(error.json)
    if (!(error instanceof ChainReadError)) onError(error)
    return refusal(error instanceof ChainReadError ? chainError(error) : internalError)
  }
}

// Only as text, because older clients validate structured content against the output schema even for errors.
const refusal = (json: ToolErrorJson): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(json) }],
  isError: true,
})

function inputError({ name }: Tool, { issues }: z.ZodError): ToolErrorJson {
  const [issue] = issues
  const path = issue?.path.join('.') ?? ''
  return {
    error: formatIssue(issue),
    code: getParameterErrorCode(path),
    retryable: false,
    nextStep: `Check the input schema of ${name} and call it again.`,
  }
}

/** Never contains messages of providers, because a provider's URL can contain a key. */
function chainError(error: ChainReadError): ToolErrorJson {
  const { retryable } = error
  if (error instanceof WrongChainError)
    return {
      error: `The RPC provider is refused: ${error.reason}.`,
      code: 'CHAIN_UNREACHABLE',
      retryable: false,
      nextStep: 'Set CHAIN_RPC_URL to a provider of the chain that has the contracts.',
    }
  return retryable
    ? {
        error: 'The chain cannot be read right now.',
        code: 'CHAIN_UNREACHABLE',
        retryable,
        nextStep: 'Try again in a few seconds. If it keeps failing, check CHAIN_RPC_URL.',
      }
    : {
        error: 'This is more than can be read directly from the chain.',
        code: 'TOO_LARGE',
        retryable,
        nextStep: 'Request less, or use the HTTP API, which has an index.',
      }
}

const internalError: ToolErrorJson = {
  error: 'Internal error.',
  code: 'INTERNAL',
  retryable: false,
  nextStep: 'Try another tool, and report the call that failed.',
}
