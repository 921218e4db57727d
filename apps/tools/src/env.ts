import { limits } from '@svc/protocol'
import { chainVariables, type Environment, filePath, httpUrl, parseEnv } from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  /** The RPC URL of the chain; separate several with commas. Default: the chain's public endpoint. */
  CHAIN_RPC_URL: chainVariables.CHAIN_RPC_URL,
  /** The file with the contract addresses. Without it, they are those of SVC_API_URL. */
  SVC_DEPLOYMENTS: filePath.optional(),
  /** The local gateway, where a person approves prepared requests. */
  SVC_GATEWAY_URL: httpUrl.default(`http://127.0.0.1:${limits.ports.gateway}`),
  /** The HTTP API: for the contract addresses, the posting quota, and the task that svc-verify verifies. */
  SVC_API_URL: httpUrl.optional(),
  /** The store that holds encrypted work. Default: that of the API's site config. */
  SVC_STORE_URL: httpUrl.optional(),
  /** The folder whose files the MCP server may send, and into which it saves what it receives. Without it, it does neither. */
  SVC_WORK_FOLDER: filePath.optional(),
})

export type ToolsEnv = z.infer<typeof schema>

/** The variables that the tools read. */
export const toolsVariables = Object.keys(schema.shape)

/** Reads the environment and reports all problems at once. It contains no key. */
export const readToolsEnv = (environment: Environment): ToolsEnv =>
  parseEnv(schema, environment, ({ SVC_DEPLOYMENTS, SVC_API_URL }) =>
    SVC_DEPLOYMENTS || SVC_API_URL
      ? []
      : ['SVC_API_URL: needed, or pass --api <url>; SVC_DEPLOYMENTS can name a file instead'],
  )
