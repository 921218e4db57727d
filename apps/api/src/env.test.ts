import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEnv, variables } from './env.ts'

const example = Object.fromEntries(
  readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => line.split('=', 2)),
) as Record<string, string>

test('the example has every variable, and the API starts with it', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readEnv(example)).toMatchObject({ SVC_SITE_PORT: 8080 })
})

test.each([
  'https://user:secret@rpc.example',
  'https://rpc.example/?key=secret',
  'https://rpc.example/v2/kX3vJ8sQ0aPz7LmN4bTq9wE2',
])('a public RPC that looks keyed is refused: %s', (SVC_PUBLIC_RPC_URL) => {
  expect(() => readEnv({ ...example, SVC_PUBLIC_RPC_URL })).toThrow(/SVC_PUBLIC_RPC_URL: looks as if it carried a key/)
})
