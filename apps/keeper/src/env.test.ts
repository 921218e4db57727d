import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { readKeeperEnv, readKeeperKey, variables } from './env.ts'

const key = `0x${'5a'.repeat(32)}`

test('the example environment has every variable and is valid', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readKeeperEnv(example)).toMatchObject({
    SVC_KEEPER_MARKETS: ['standard', 'micro'],
    SVC_KEEPER_WALLETS: [],
    SVC_KEEPER_HOUR_WEI: 1_000_000_000_000_000n,
  })
})

test('reports all invalid variables at once, without the key', () => {
  const secret = `0x${'5a'.repeat(31)}`
  const broken = {
    SVC_KEEPER_KEY: secret,
    SVC_KEEPER_MARKETS: 'standard,nano',
    SVC_KEEPER_HOUR_WEI: '0.1',
    SVC_KEEPER_WALLETS: '0x12',
  }
  const read = () => readKeeperEnv(broken)
  expect(read).toThrow(
    /SVC_DEPLOYMENTS[\s\S]*SVC_KEEPER_KEY[\s\S]*SVC_KEEPER_MARKETS[\s\S]*SVC_KEEPER_WALLETS[\s\S]*SVC_KEEPER_HOUR_WEI/,
  )
  expect(read).not.toThrow(new RegExp(secret))
  const both = { ...example, SVC_KEEPER_KEY: key, SVC_KEEPER_KEY_FILE: 'key' }
  expect(() => readKeeperEnv(both)).toThrow(/either it or SVC_KEEPER_KEY/)
})

test('the key comes from a file or from the environment, and is in no error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keeper-env-'))
  const file = join(folder, 'key')
  const env = readKeeperEnv({ ...example, SVC_KEEPER_KEY_FILE: file })
  await expect(readKeeperKey(env)).rejects.toThrow(/cannot read/)
  await writeFile(file, `${key}\n`)
  expect(await readKeeperKey(env)).toBe(key)
  await writeFile(file, key.slice(0, -1))
  const refused = readKeeperKey(env)
  await expect(refused).rejects.toThrow(/not a private key/)
  await expect(refused).rejects.not.toThrow(/5a5a/)
  await rm(folder, { recursive: true })
  expect(await readKeeperKey(readKeeperEnv({ ...example, SVC_KEEPER_KEY_FILE: '', SVC_KEEPER_KEY: key }))).toBe(key)
})
