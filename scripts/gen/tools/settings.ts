import { defaultRpcUrl, limits } from '../../../packages/protocol/src/base/limits.ts'

/** A variable of the server, as installers ask for it. */
export interface Setting {
  variable: string
  title: string
  description: string
  isRequired: boolean
  isSecret: boolean
  isFile: boolean
  default?: string
}

/** The variables of the tools that the MCP server reads. */
export const settings: readonly Setting[] = [
  {
    variable: 'SVC_API_URL',
    title: 'API of the market',
    description: 'Its contracts are verified on chain at the first start, and pinned.',
    isRequired: true,
    isSecret: false,
    isFile: false,
  },
  {
    variable: 'CHAIN_RPC_URL',
    title: 'Chain RPC URL',
    description: 'RPC of the chain; several are separated by commas. It may carry the key of your provider.',
    isRequired: false,
    isSecret: true,
    isFile: false,
    default: defaultRpcUrl,
  },
  {
    variable: 'SVC_GATEWAY_URL',
    title: 'Local gateway',
    description: 'Where a person approves what was prepared.',
    isRequired: false,
    isSecret: false,
    isFile: false,
    default: `http://127.0.0.1:${limits.ports.gateway}`,
  },
]
