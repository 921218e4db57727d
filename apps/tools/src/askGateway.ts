import { boundedText } from './boundedText.ts'
import { ToolError } from './tool.ts'

/** More than any answer of a gateway about one request. */
const maxBytes = 512 * 1024

/** Asks the local gateway for a path and reads JSON. Follows no redirect. Throws `ToolError`. */
export async function askGateway(gatewayUrl: string, path: string, timeoutMs = 35_000): Promise<unknown> {
  const response = await fetch(new URL(path, gatewayUrl), {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new ToolError(
      'GATEWAY_UNREACHABLE',
      'The local gateway does not answer.',
      'Start the gateway, or set SVC_GATEWAY_URL to where it listens, and ask again.',
      true,
    )
  })
  if (response.status === 404) {
    await response.body?.cancel()
    throw new ToolError(
      'REQUEST_NOT_FOUND',
      'The gateway has no request with this id.',
      'Prepare the action again with svc-prepare, which prints a new requestId.',
    )
  }
  const text = await boundedText(response, maxBytes)
  if (text === null) throw new ToolError('TOO_LARGE', 'The gateway answered with too much.', 'Ask its operator.')
  try {
    if (response.ok) return JSON.parse(text)
  } catch {
    // Told below.
  }
  throw new ToolError(
    'GATEWAY_UNREACHABLE',
    `The gateway answered with status ${response.status} and nothing that can be read.`,
    'Check that SVC_GATEWAY_URL is the gateway of this market, and ask again.',
    true,
  )
}
