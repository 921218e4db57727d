import { limits } from '@svc/protocol'
import { type Environment, httpUrl, parseEnv, rpcUrls } from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  /** The chain's RPC; several are separated by commas. */
  CHAIN_RPC_URL: rpcUrls,
  /** The file with the contracts' addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  /** The local gateway, where a person approves what was prepared. */
  SVC_GATEWAY_URL: httpUrl.default(`http://127.0.0.1:${limits.ports.gateway}`),
  /** The HTTP API, asked for the posting quota, and by svc-verify for the task to verify; without it neither is told. */
  SVC_API_URL: httpUrl.optional(),
})

export type Env = z.infer<typeof schema>

/** The variables that the tools read. */
export const variables = Object.keys(schema.shape)

/** The environment, with every fault in it at the same time. No key is among it. */
export const readEnv = (environment: Environment): Env => parseEnv(schema, environment)
