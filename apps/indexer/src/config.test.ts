import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'

test('mistakes in the environment and in the file it names are told together', async () => {
  const broken = { CHAIN_RPC_URL: 'http://127.0.0.1:1,http://127.0.0.1:1', SVC_DEPLOYMENTS: 'nowhere.json' }
  await expect(loadConfig(broken)).rejects.toThrow(
    /CHAIN_RPC_URL: a provider is listed twice[\s\S]*SVC_DATABASE_URL[\s\S]*SVC_DEPLOYMENTS: nowhere\.json/,
  )
})
