import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { listStoreSecrets, readStoreEnv, variables } from './env.ts'

const key = `0x${'5a'.repeat(32)}`

test('the example environment has every variable and is valid', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readStoreEnv(example)).toMatchObject({ SVC_STORE_DOMAINS: ['127.0.0.1:8080'], SVC_STORE_FOLDER: 'work' })
})

test('reports all invalid variables at once, without the key', () => {
  const read = () =>
    readStoreEnv({ SVC_STORE_KEY: key.slice(2), SVC_STORE_DOMAINS: 'https://a', SVC_STORE_S3_URL: 'http://s3/b' })
  expect(read).toThrow(
    /SVC_DEPLOYMENTS[\s\S]*SVC_STORE_KEY[\s\S]*SVC_STORE_DOMAINS[\s\S]*SVC_STORE_S3_KEY_ID[\s\S]*SVC_STORE_S3_SECRET/,
  )
  expect(read).not.toThrow(/5a5a/)
  const both = { ...example, SVC_STORE_S3_URL: 'http://s3/b', SVC_STORE_S3_KEY_ID: 'a', SVC_STORE_S3_SECRET: 'b' }
  expect(() => readStoreEnv(both)).toThrow(/either it or SVC_STORE_S3_URL/)
})

test('keys and URLs with keys are secrets', () => {
  const s3 = { SVC_STORE_S3_SECRET: 'hush-hush', SVC_STORE_S3_SESSION_TOKEN: 'for-an-hour' }
  const env = readStoreEnv({ ...example, SVC_STORE_KEY_FILE: '', SVC_STORE_KEY: key, ...s3 })
  expect(listStoreSecrets(env)).toEqual(expect.arrayContaining([key, 'hush-hush', 'for-an-hour', env.SVC_DATABASE_URL]))
})
