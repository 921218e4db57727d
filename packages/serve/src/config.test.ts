import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marketNames, saveDeployments, sharedNames } from '@svc/chain'
import { baseSepolia } from '@svc/protocol'
import { defaultRpcUrl } from '@svc/protocol/internal/base'
import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeDefaultRpc, parseEnv, readConfig, rpcUrls } from './config.ts'

const schema = z.object({ CHAIN_RPC_URL: rpcUrls, SVC_DEPLOYMENTS: z.string() })

test('mistakes in the environment and in the file it names are told together', async () => {
  const readEnv = (given: Readonly<Record<string, string | undefined>>) => parseEnv(schema, given)
  const broken = { CHAIN_RPC_URL: 'ftp://x', SVC_DEPLOYMENTS: 'nowhere.json' }
  await expect(readConfig(readEnv, broken)).rejects.toThrow(
    /CHAIN_RPC_URL\.0: not an http[\s\S]*SVC_DEPLOYMENTS: nowhere\.json[\s\S]*\.env\.example/,
  )
})

test('an empty variable is one that is not set', () => {
  expect(() => parseEnv(schema, { SVC_DEPLOYMENTS: '' })).toThrow(/SVC_DEPLOYMENTS/)
})

test('without an RPC URL the public endpoint is used, and a notice asks for three providers', () => {
  const { CHAIN_RPC_URL } = parseEnv(schema, { CHAIN_RPC_URL: '', SVC_DEPLOYMENTS: 'x' })
  expect(CHAIN_RPC_URL).toEqual([defaultRpcUrl])
  expect(describeDefaultRpc(CHAIN_RPC_URL)).toMatch(/mainnet\.base\.org.*three providers/)
  expect(describeDefaultRpc(['http://127.0.0.1:1'])).toBeNull()
  expect(describeDefaultRpc([defaultRpcUrl, 'http://127.0.0.1:1'])).toBeNull()
})

test('SVC_RPC_URL overrides CHAIN_RPC_URL', () => {
  const given = { CHAIN_RPC_URL: 'http://127.0.0.1:1', SVC_RPC_URL: 'http://127.0.0.1:2', SVC_DEPLOYMENTS: 'x' }
  expect(parseEnv(schema, given).CHAIN_RPC_URL).toEqual(['http://127.0.0.1:2'])
})

test('without an RPC URL the public endpoint is that of the chain of the deployment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'config-'))
  const file = join(folder, 'deployments.json')
  const fill = <N extends string>(names: readonly N[]) =>
    Object.fromEntries(names.map((name) => [name, zeroAddress])) as Record<N, typeof zeroAddress>
  const own = fill(marketNames)
  const markets = { standard: own, micro: own }
  await saveDeployments(file, { chainId: baseSepolia.id, startBlock: 0, shared: fill(sharedNames), markets })
  const { env } = await readConfig((given) => parseEnv(schema, given), { SVC_DEPLOYMENTS: file })
  expect(env.CHAIN_RPC_URL).toEqual([baseSepolia.rpcUrl])
  await rm(folder, { recursive: true })
})
