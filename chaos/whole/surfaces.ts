import { type Deployments, marketPlaces, type Providers, prepareAction } from '@svc/chain'
import type { PreparedJson, RequestJson } from '@svc/protocol/http'
import type { Hex } from 'viem'
import { fieldsOfAction } from '../../apps/tools/src/prepare/fieldsOfAction.ts'
import { argvOf, type Preparing } from '../../test/tools/preparing.ts'
import { type Call, posted } from './call.ts'
import type { Deed } from './choose.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Tally } from './tally.ts'

/** Where a deed is prepared. */
export type SurfaceName = 'api' | 'gateway' | 'svc-prepare' | 'direct'

/** A request that the gateway keeps, and what became of its transaction. */
export interface Kept {
  id: string
  from: string
  action: string
  /** Of the last call, once it was signed. */
  hash: Hex | null
  /** What the receipt was, where it came by one. */
  receipt: string | null
}

export interface SurfacesOptions {
  chain: PlannedChain
  deployments: Deployments
  /** Straight to the chain, without lies. */
  providers: Providers
  call: Call
  tally: Tally
  apiUrls: readonly string[]
  gatewayUrl: string
  preparing: Preparing
}

/** Every way to have a deed prepared. All must prepare the same at the same block. */
export function createSurfaces(options: SurfacesOptions) {
  const { chain, deployments, providers, call, tally, apiUrls, gatewayUrl, preparing } = options
  const places = marketPlaces(deployments)
  const kept: Kept[] = []
  const isNow = ({ body }: { body: PreparedJson }) => body.block?.hash === chain.head().hash

  const byApi = async ({ action, input, by }: Deed): Promise<PreparedJson> => {
    const urls = apiUrls.map((url) => `${url}/api/actions/prepare`)
    return (await call.until('api', urls, posted({ action: action.name, input, from: by.address }), isNow)).body
  }
  const keep = (body: RequestJson, { by, action }: Deed, receipt: string | null): PreparedJson => {
    kept.push({ id: body.requestId, from: by.address, action: action.name, hash: null, receipt })
    return body
  }
  const byGateway = async (deed: Deed): Promise<PreparedJson> => {
    const { action, input, by } = deed
    if (action.name === 'claim-task' && !('permit' in input)) return claim(deed)
    const body = posted({ action: action.name, input, from: by.address })
    return keep((await call.until('gateway', [`${gatewayUrl}/v1/requests`], body, isNow)).body, deed, null)
  }
  /** As an agent does it: 402, a receipt, and the claim with it, twice to see that it is one request. */
  const claim = async (deed: Deed): Promise<PreparedJson> => {
    const { by, input } = deed
    const url = `${gatewayUrl}/v1/tasks/${input.taskId}/claim`
    await call.until('gateway', [url], posted({}), ({ status }) => status === 402)
    for (let tries = 0; tries < 50; tries++) {
      const asked = posted({ taskId: input.taskId, address: by.address })
      const { body } = await call.until(
        'gateway',
        [`${gatewayUrl}/v1/payment-receipt`],
        asked,
        ({ status }) => status === 200,
      )
      const shown = posted({}, { [body.header.name]: body.header.value })
      const [first, again] = [await call.once('gateway', url, shown), await call.once('gateway', url, shown)]
      if (first?.status === 200 && again?.status === 200 && first.body.requestId !== again.body.requestId) {
        tally.fault(`One receipt made two requests: ${first.body.requestId}, ${again.body.requestId}`)
      }
      const granted = [first, again].find((got) => got?.status === 200)?.body
      if (granted) {
        const request = keep(granted, deed, body.header.value)
        if (isNow({ body: granted })) return request
      }
    }
    throw new Error(`The gateway grants no claim of ${input.taskId}.`)
  }
  const byCommand = async ({ action, input, by }: Deed): Promise<PreparedJson> => {
    const argv = [action.name, ...(await argvOf(fieldsOfAction(action), input, preparing.file, true))]
    for (let tries = 0; tries < 50; tries++) {
      const { json, exit } = await preparing.run([...argv, '--from', by.address, '--dry-run', '--json'])
      tally.count('requests', 'svc-prepare')
      tally.count('answers', `svc-prepare exit ${exit}`)
      if (exit === 0 && isNow({ body: json })) return json
      if (exit === 2) throw new Error(`svc-prepare does not understand ${argv.join(' ')}: ${JSON.stringify(json)}`)
    }
    throw new Error(`svc-prepare does not prepare ${argv.join(' ')}.`)
  }
  const direct = ({ action, input, by }: Deed): Promise<PreparedJson> => {
    tally.count('requests', 'direct')
    return prepareAction(providers, places, { action, input, from: by.address })
  }
  const ways: Record<SurfaceName, (deed: Deed) => Promise<PreparedJson>> = {
    api: byApi,
    gateway: byGateway,
    'svc-prepare': byCommand,
    direct,
  }

  return {
    kept,
    prepare: (name: SurfaceName, deed: Deed) => ways[name](deed),
    /** Tells the gateway what was sent for a request. */
    async submitted(request: Kept, hash: Hex): Promise<void> {
      request.hash = hash
      const told = posted({ account: request.from, transactionHashes: [hash] })
      const url = `${gatewayUrl}/v1/requests/${request.id}/submitted`
      await call.until('gateway', [url], told, ({ status }) => status === 200)
    },
  }
}

export type Surfaces = ReturnType<typeof createSurfaces>

/** The task of a deed in words, for messages. */
export const nameOf = ({ action, life, input }: Deed): string =>
  `${action.name} of ${input.taskId ?? (life ? `life ${life.index}` : input.market)}`
