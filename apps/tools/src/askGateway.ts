import { readBoundedText } from './readBoundedText.ts'
import { ToolError } from './tool.ts'

/** More than any response of a gateway about one request. */
const maxBytes = 512 * 1024

/** Gets JSON from a path of the local gateway. Follows no redirects. Throws `ToolError`. */
export async function askGateway(gatewayUrl: string, path: string, timeoutMs = 35_000): Promise<unknown> {
  const response = await fetch(new URL(path, gatewayUrl), {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new ToolError(
      'GATEWAY_UNREACHABLE',
      'The local gateway does not respond.',
      'Start the gateway, or set SVC_GATEWAY_URL to its address, then try again.',
      true,
    )
  })
  if (response.status === 404) {
    await response.body?.cancel()
    throw new ToolError(
      'REQUEST_NOT_FOUND',
      'The gateway has no request with this id.',
      'Prepare the action again with svc_prepare. It returns a new requestId.',
    )
  }
  const text = await readBoundedText(response, maxBytes)
  if (text === null)
    throw new ToolError(
      'TOO_LARGE',
      'The response of the gateway is too large.',
      'Report it to the operator of the gateway.',
    )
  try {
    if (response.ok) return JSON.parse(text)
  } catch {
    // Reported below.
  }
  throw new ToolError(
    'GATEWAY_UNREACHABLE',
    `The gateway responded with status ${response.status} and a body that is not JSON.`,
    'Check that SVC_GATEWAY_URL points to a gateway of this market, then try again.',
    true,
  )
}

/** Normalizes a link that a person will open. Only http and https are allowed. */
export function sanitizeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href.slice(0, 500) : ''
}
