import { setTimeout as wait } from 'node:timers/promises'
import {
  type Deployments,
  getLogs,
  getMarketDeployment,
  type Providers,
  prepareActionJson,
  toViemLog,
} from '@svc/chain'
import type { PreparedJson, QuotaJson, RequestJson } from '@svc/operations'
import { type Market, postingPlans } from '@svc/protocol'
import { paymentGatewayAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { encodePlanId, paidPlans } from '@svc/protocol/internal/money'
import { type Hex, parseEventLogs } from 'viem'
import { listActionFields } from '../../apps/tools/src/prepare/listActionFields.ts'
import { buildArgv, type Preparing } from '../../test/tools/preparing.ts'
import type { PlannedAction } from './chooseAction.ts'
import { type HttpAnswer, type HttpClient, jsonPost } from './httpClient.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Tally } from './tally.ts'

/** The ways to prepare an action. */
export type SurfaceName = 'api' | 'gateway' | 'svc-prepare' | 'direct'

/** A request at the gateway, and what became of its transaction. */
export interface GatewayRequest {
  id: string
  from: string
  action: string
  /** The hash of the last call, once it is signed. */
  hash: Hex | null
  /** The x402 receipt, if the request came with one. */
  receipt: string | null
}

export interface SurfacesOptions {
  chain: PlannedChain
  deployments: Deployments
  /** Straight to the chain, without faults. */
  providers: Providers
  http: HttpClient
  tally: Tally
  apiUrls: readonly string[]
  gatewayUrl: string
  preparing: Preparing
}

/** Prepares actions in every way there is. All of them must prepare the same at the same block. */
export function createSurfaces(options: SurfacesOptions) {
  const { chain, deployments, providers, http, tally, apiUrls, gatewayUrl, preparing } = options
  const places = getMarketDeployment(deployments)
  const requests: GatewayRequest[] = []
  const isAtHead = ({ body }: { body: PreparedJson }) => body.block?.hash === chain.head().hash
  const isFinal = (got: HttpAnswer) => isQuotaRefusal(got.body) || isAtHead(got)

  const prepareWithApi = async ({ action, input, by }: PlannedAction): Promise<PreparedJson> => {
    const urls = apiUrls.map((url) => `${url}/api/actions/prepare`)
    return (await http.requestUntil('api', urls, jsonPost({ action: action.name, input, from: by.address }), isFinal))
      .body
  }
  const trackRequest = (body: RequestJson, { by, action }: PlannedAction, receipt: string | null): PreparedJson => {
    requests.push({ id: body.requestId, from: by.address, action: action.name, hash: null, receipt })
    return body
  }
  const prepareWithGateway = async (planned: PlannedAction): Promise<PreparedJson | QuotaRefusalBody> => {
    const { action, input, by } = planned
    if (action.name === 'claim-task' && !('permit' in input)) return claimWithReceipt(planned)
    const body = jsonPost({ action: action.name, input, from: by.address })
    const answer = await http.requestUntil('gateway', [`${gatewayUrl}/v1/requests`], body, isFinal)
    return isQuotaRefusal(answer.body) ? answer.body : trackRequest(answer.body, planned, null)
  }
  /** Claims as an agent does: 402, a receipt, then the claim, sent twice to check that it makes one request. */
  const claimWithReceipt = async (planned: PlannedAction): Promise<PreparedJson> => {
    const { by, input } = planned
    const url = `${gatewayUrl}/v1/tasks/${input.taskId}/claim`
    await http.requestUntil('gateway', [url], jsonPost({}), ({ status }) => status === 402)
    for (let tries = 0; tries < 50; tries++) {
      const asked = jsonPost({ taskId: input.taskId, address: by.address })
      const { body } = await http.requestUntil(
        'gateway',
        [`${gatewayUrl}/v1/payment-receipt`],
        asked,
        ({ status }) => status === 200,
      )
      const shown = jsonPost({}, { [body.header.name]: body.header.value })
      const [first, again] = [await http.request('gateway', url, shown), await http.request('gateway', url, shown)]
      if (first?.status === 200 && again?.status === 200 && first.body.requestId !== again.body.requestId) {
        tally.fail(`One receipt made two requests: ${first.body.requestId}, ${again.body.requestId}`)
      }
      const granted = [first, again].find((got) => got?.status === 200)?.body
      if (granted) {
        const request = trackRequest(granted, planned, body.header.value)
        if (isAtHead({ body: granted })) return request
      }
    }
    throw new Error(`The gateway did not prepare the claim of ${input.taskId}.`)
  }
  const prepareWithCommand = async ({ action, input, by }: PlannedAction): Promise<PreparedJson> => {
    const argv = [action.name, ...(await buildArgv(listActionFields(action), input, preparing.file, true))]
    let last: unknown
    for (let tries = 0; tries < 50; tries++) {
      const { json, exit } = await preparing.run([...argv, '--from', by.address, '--dry-run', '--json'])
      tally.count('requests', 'svc-prepare')
      tally.count('answers', `svc-prepare exit ${exit}`)
      if (isQuotaRefusal(json) || (exit === 0 && isAtHead({ body: json }))) return json
      if (exit === 2) throw new Error(`svc-prepare rejected the arguments ${argv.join(' ')}: ${JSON.stringify(json)}`)
      last = json
    }
    throw new Error(`svc-prepare did not prepare ${argv.join(' ')}: ${JSON.stringify(last)}`)
  }
  const prepareDirectly = ({ action, input, by }: PlannedAction): Promise<PreparedJson> => {
    tally.count('requests', 'direct')
    return prepareActionJson(providers, places, { action, input, from: by.address })
  }
  /** Whether a refused wallet has posted as many tasks as its best plan allows. Posts of earlier days are not told apart. */
  const isRightRefusal = async ({ action, by, input }: PlannedAction, { used, limit }: QuotaJson) => {
    const { taskRegistry, paymentGateway } = deployments.markets[input.market as Market]
    const { number, timestamp } = chain.head()
    const logs = await providers.read(({ rpc }) => getLogs(rpc, { address: taskRegistry }, { from: 0n, to: number }))
    const posts = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs: logs.map(toViemLog) })
    const own = posts.filter(({ args }) => args.poster === by.address).length
    const paid = await Promise.all(
      paidPlans.map(async (plan) => {
        const args = [by.address, encodePlanId(plan)] as const
        const contract = { address: paymentGateway, abi: paymentGatewayAbi, functionName: 'paidUntil' } as const
        return Number(await chain.client.readContract({ ...contract, args })) > timestamp ? plan : null
      }),
    )
    const plan = postingPlans.findLast(({ id }) => id === 'free' || paid.some((each) => each === id))
    return action.name === 'post-task' && used >= limit && own >= limit && plan?.dailyLimit === limit
  }
  const preparers: Record<SurfaceName, (planned: PlannedAction) => Promise<PreparedJson | QuotaRefusalBody>> = {
    api: prepareWithApi,
    gateway: prepareWithGateway,
    'svc-prepare': prepareWithCommand,
    direct: prepareDirectly,
  }

  return {
    requests,
    /** Prepares an action. A post that the quota refuses is prepared directly: the contracts do not know the quota. */
    async prepare(name: SurfaceName, planned: PlannedAction): Promise<PreparedJson> {
      for (let tries = 0; tries < maxRefusals; tries++) {
        const answer = await preparers[name](planned)
        if (!isQuotaRefusal(answer)) return answer
        tally.count('quota refusals', name)
        if (await isRightRefusal(planned, answer.quota)) return prepareDirectly(planned)
        // The service may be behind a reorganisation that removed posts.
        await wait(100)
      }
      throw new Error(`${name} keeps refusing ${describePlannedAction(planned)} by ${planned.by.address}: the quota.`)
    },
    /** Reports the transaction of a request to the gateway. */
    async reportSubmitted(request: GatewayRequest, hash: Hex): Promise<void> {
      request.hash = hash
      const report = jsonPost({ account: request.from, transactionHashes: [hash] })
      const url = `${gatewayUrl}/v1/requests/${request.id}/submitted`
      await http.requestUntil('gateway', [url], report, ({ status }) => status === 200)
    },
  }
}

export type Surfaces = ReturnType<typeof createSurfaces>

interface QuotaRefusalBody {
  code: 'QUOTA_REACHED'
  quota: QuotaJson
}

const isQuotaRefusal = (body: PreparedJson | QuotaRefusalBody): body is QuotaRefusalBody =>
  'code' in body && body.code === 'QUOTA_REACHED'

/** How often a refusal that the chain does not confirm is tried again. A service is back within seconds. */
const maxRefusals = 200

/** Names an action and its task, for messages. */
export const describePlannedAction = ({ action, run, input }: PlannedAction): string =>
  `${action.name} of ${input.taskId ?? (run ? `run ${run.index}` : input.market)}`
