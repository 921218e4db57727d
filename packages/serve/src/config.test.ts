import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseEnv, readConfig, rpcUrls } from './config.ts'

const schema = z.object({ CHAIN_RPC_URL: rpcUrls, SVC_DEPLOYMENTS: z.string() })

test('mistakes in the environment and in the file it names are told together', async () => {
  const readEnv = (given: Readonly<Record<string, string | undefined>>) => parseEnv(schema, given)
  const broken = { CHAIN_RPC_URL: 'ftp://x', SVC_DEPLOYMENTS: 'nowhere.json' }
  await expect(readConfig(readEnv, broken)).rejects.toThrow(
    /CHAIN_RPC_URL\.0: not an http[\s\S]*SVC_DEPLOYMENTS: nowhere\.json[\s\S]*\.env\.example/,
  )
})

test('an empty variable is one that is not set', () => {
  expect(() => parseEnv(schema, { CHAIN_RPC_URL: '', SVC_DEPLOYMENTS: 'x' })).toThrow(/CHAIN_RPC_URL/)
})

test('SVC_RPC_URL overrides CHAIN_RPC_URL', () => {
  const given = { CHAIN_RPC_URL: 'http://127.0.0.1:1', SVC_RPC_URL: 'http://127.0.0.1:2', SVC_DEPLOYMENTS: 'x' }
  expect(parseEnv(schema, given).CHAIN_RPC_URL).toEqual(['http://127.0.0.1:2'])
})
