import type { PayFrom } from '@svc/chain'
import type { PreparedJson, RequestJson } from '@svc/operations'
import type { Answer, Call } from './command.ts'
import { followRequest } from './followRequest.ts'
import { createGatewayClient, type GatewayClient, GatewayUnreachableError, startGatewayHint } from './gatewayClient.ts'
import type { Line } from './lines.ts'
import { PrepareError } from './prepareError.ts'
import { renderOutcome } from './renderOutcome.ts'
import { renderCalls } from './renderPreview.ts'

interface Preview {
  prepared: PreparedJson
  /** Additional fields of the result. */
  json: object
  lines: readonly Line[]
  /** Called after the wait for the request has ended. */
  onSettled: (request: RequestJson) => Promise<void>
}

/** Creates a request at the gateway and waits for it. Without a gateway, or with --dry-run, the result is the prepared calls. */
export async function sendToGateway(preview: Preview, url: string, call: Call): Promise<Answer> {
  const { prepared, json, lines, onSettled } = preview
  // Show the preview before asking for approval.
  call.show([...lines, ''])
  if (call.dryRun) return { json: { ...prepared, ...json }, lines: renderCalls(prepared) }
  const gateway = createGatewayClient(url)
  const created = await requestApproval(gateway, prepared, call.payFrom)
  if (!created) {
    const note = `No gateway is running at ${gateway.url}, so there is no request for approval. ${startGatewayHint}`
    return {
      json: { ...prepared, ...json, note },
      lines: [...renderCalls(prepared), '', ...note.split(/(?<=approval\.) /)],
    }
  }
  call.progress(`Approve it at ${created.approvalUrl}`)
  call.progress(`Request ${created.requestId}. Run svc-prepare status ${created.requestId} to check it again.`)
  const request = call.wait ? await followRequest(gateway, created.requestId, call) : created
  await onSettled(request)
  return { json: { ...json, ...request, ...ownQuota(prepared) }, lines: renderOutcome(request) }
}

/** The quota that was checked here. It replaces the warning of a gateway that could not check it. */
const ownQuota = ({ quota }: PreparedJson): Pick<PreparedJson, 'quota' | 'warnings'> =>
  quota ? { quota, warnings: undefined } : {}

/** Creates a request that a person can approve. Returns null if no gateway is running. Throws if it prepared another call. */
export async function requestApproval(
  gateway: GatewayClient,
  prepared: PreparedJson,
  payFrom?: PayFrom,
  asker = 'svc-prepare',
): Promise<RequestJson | null> {
  const { action, from } = prepared
  const created = await gateway
    .createRequest({ action, input: pinnedInput(prepared), from, asker, ...(payFrom && { payFrom }) })
    .catch((error: unknown) => {
      if (error instanceof GatewayUnreachableError && error.isDown) return null
      throw error
    })
  if (created) assertSameCall(prepared, created)
  return created
}

/** The complete input, decoded from the call that was shown, so that the gateway cannot derive other values later. */
function pinnedInput({ decoded, parts }: PreparedJson): Record<string, unknown> {
  const own = parts?.at(-1)
  if (own) return own.input
  const args = decoded.at(-1)?.args ?? []
  return Object.fromEntries(args.map(({ name, value }) => [name, JSON.parse(value)]))
}

/** Whether a batch does the same: the swap is quoted again at another block, so its limit may be a little worse, but no more. */
function hasSameParts(prepared: PreparedJson, request: RequestJson): boolean {
  const list = ({ parts = [] }: PreparedJson) => parts.map(({ action }) => action).join()
  const [shown, requested] = [prepared.swap, request.swap]
  if (list(prepared) !== list(request) || shown?.amountTokWei !== requested?.amountTokWei) return false
  if (!shown || !requested) return true
  const [was, is] = [BigInt(shown.limitUsdc), BigInt(requested.limitUsdc)]
  return (shown.side === 'buy' ? is - was : was - is) * 100n <= was
}

/** Throws if the request would sign something other than what was shown. Approvals before it can differ with the current allowance. */
function assertSameCall(prepared: PreparedJson, request: RequestJson): void {
  const [shown, requested] = [prepared.calls.at(-1), request.calls.at(-1)]
  const same = shown?.to === requested?.to && shown?.data === requested?.data && prepared.from === request.from
  if (same && hasSameParts(prepared, request)) return
  throw new PrepareError('refused', 'The gateway prepared a different call than the one shown here.', {
    code: 'GATEWAY_DIFFERS',
    hint: 'Do not approve it. Check SVC_GATEWAY_URL, and that the gateway uses the same SVC_DEPLOYMENTS.',
    prepared,
  })
}
