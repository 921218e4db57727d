import type { PreparedJson, RequestJson } from '@svc/protocol/http'
import type { Answer, Call } from './command.ts'
import { followRequest } from './follow.ts'
import { createGateway, GatewayAwayError, howToStart } from './gateway.ts'
import type { Line } from './line.ts'
import { PrepareError } from './prepareError.ts'
import { callsLines } from './preview.ts'
import { settledLines } from './settled.ts'

interface Told {
  prepared: PreparedJson
  /** What is shown of it besides. */
  json: object
  lines: readonly Line[]
}

/** Puts a prepared action before a person at the gateway and waits; without a gateway, or on a dry run, its calls are the answer. */
export async function sendToGateway({ prepared, json, lines }: Told, url: string, call: Call): Promise<Answer> {
  // Before anybody is asked to approve it.
  call.show([...lines, ''])
  if (call.dryRun) return { json: { ...prepared, ...json }, lines: callsLines(prepared) }
  const gateway = createGateway(url)
  const { action, from } = prepared
  const created = await gateway.create({ action, input: pinnedInput(prepared), from }).catch((error: unknown) => {
    if (error instanceof GatewayAwayError && error.nobody) return null
    throw error
  })
  if (!created) {
    const note = `No gateway answers at ${gateway.url}, so nothing waits for approval. ${howToStart}`
    return {
      json: { ...prepared, ...json, note },
      lines: [...callsLines(prepared), '', ...note.split(/(?<=approval\.) /)],
    }
  }
  checkSame(prepared, created)
  call.progress(`Approve it at ${created.approvalUrl}`)
  call.progress(`Request ${created.requestId}; svc-prepare status ${created.requestId} looks at it again.`)
  const request = call.wait ? await followRequest(gateway, created.requestId, call) : created
  return { json: { ...json, ...request }, lines: settledLines(request) }
}

/** The whole input as it was shown, read back from the call itself: the gateway must not fill in something else later. */
function pinnedInput({ decoded }: PreparedJson): Record<string, unknown> {
  const args = decoded.at(-1)?.args ?? []
  return Object.fromEntries(args.map(({ name, value }) => [name, JSON.parse(value)]))
}

/** Refuses a request that would sign something else than what was shown. Allowances before it may differ by what is allowed already. */
function checkSame(prepared: PreparedJson, request: RequestJson): void {
  const [shown, waiting] = [prepared.calls.at(-1), request.calls.at(-1)]
  const same = shown?.to === waiting?.to && shown?.data === waiting?.data && prepared.from === request.from
  if (same) return
  throw new PrepareError('refused', 'The gateway has prepared something else than what is shown here.', {
    code: 'GATEWAY_DIFFERS',
    hint: 'Do not approve it. Check SVC_GATEWAY_URL, and that the gateway uses the same SVC_DEPLOYMENTS.',
    prepared,
  })
}
