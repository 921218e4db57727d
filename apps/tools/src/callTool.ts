import type { CallToolResult } from '@modelcontextprotocol/server'
import { ChainReadError } from '@svc/chain'
import { codeOf } from '@svc/serve'
import type { z } from 'zod'
import { type AnyTool, type ToolDeps, ToolError, type ToolErrorJson } from './tool.ts'

/** Runs a tool on what a client sent. Never throws: what goes wrong is an answer with a way out, and tells nothing of ours. */
export async function callTool(
  tool: AnyTool,
  given: unknown,
  deps: ToolDeps,
  onFault: (error: unknown) => void,
): Promise<CallToolResult> {
  try {
    const input = tool.input.safeParse(given ?? {}) as z.ZodSafeParseResult<Record<string, unknown>>
    if (!input.success) return refusal(inputError(tool, input.error))
    const answer = await tool.run(input.data, deps)
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
  } catch (error) {
    if (error instanceof ToolError) return refusal(error.json)
    if (!(error instanceof ChainReadError)) onFault(error)
    return refusal(error instanceof ChainReadError ? chainError(error) : fault)
  }
}

// As text alone: older clients hold every structured answer against the schema of the right ones.
const refusal = (json: ToolErrorJson): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(json) }],
  isError: true,
})

function inputError({ name }: AnyTool, { issues }: z.ZodError): ToolErrorJson {
  const [issue] = issues
  const path = issue?.path.join('.') ?? ''
  // A stranger's words may have been passed on as a name.
  const names = issue?.code === 'unrecognized_keys' ? issue.keys.filter((key) => /^\w{1,30}$/.test(key)).join(', ') : ''
  const unknown = issue?.code === 'unrecognized_keys' ? `there is no such field${names && ` as ${names}`}` : null
  return {
    error: `${path || 'The input'}: ${unknown ?? issue?.message ?? 'cannot be read'}.`.replace(/\.\.$/, '.'),
    code: codeOf(path),
    retryable: false,
    nextStep: `Look at the input schema of ${name}, and call it again.`,
  }
}

/** Words of providers stay here: a provider's URL may carry a key. */
function chainError({ retryable }: ChainReadError): ToolErrorJson {
  return retryable
    ? {
        error: 'The chain cannot be read now.',
        code: 'CHAIN_UNREACHABLE',
        retryable,
        nextStep: 'Ask again in a few seconds; if it stays so, check CHAIN_RPC_URL.',
      }
    : {
        error: 'This is more than can be read from the chain directly.',
        code: 'TOO_LARGE',
        retryable,
        nextStep: 'Ask for less, or ask the HTTP API, which has an index.',
      }
}

const fault: ToolErrorJson = {
  error: 'A fault of ours.',
  code: 'INTERNAL',
  retryable: false,
  nextStep: 'Try another way, and report what you called.',
}
