import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { type AbiItem, type AbiParameter, encodeErrorResult, getAddress, type Hex, parseAbi, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ErrorContext } from './declared.ts'
import { explainError } from './explain.ts'
import { words } from './words.ts'

type ErrorItem = Extract<AbiItem, { type: 'error' }>

const folder = new URL('../abis/', import.meta.url)
const modules = await Promise.all(readdirSync(folder).map((file) => import(new URL(file, folder).href)))
const declared = [
  ...modules.flatMap((module) => Object.values<AbiItem[]>(module).flat()),
  ...parseAbi(['error Error(string reason)', 'error Panic(uint256 code)']),
].filter((item): item is ErrorItem => item.type === 'error')
const signatureOf = ({ name, inputs }: ErrorItem) =>
  `${name}(${inputs.map((input) => `${input.type} ${input.name}`).join(', ')})`
const bySignature = new Map(declared.map((item) => [signatureOf(item), item]))

test('every error of every contract has its words, and nothing else has', () => {
  expect(Object.keys(words).sort()).toEqual([...bySignature.keys()].sort())
})

test('a name means the same error in every contract', () => {
  expect(new Set(declared.map(({ name }) => name)).size).toBe(bySignature.size)
})

describe('whatever the arguments, both sentences are fit to be shown', () => {
  test.each([...bySignature])('%s', (_, item) => {
    fc.assert(
      fc.property(fc.tuple(...item.inputs.map(argument)), contexts, (args, context) => {
        const { name, args: named, message, wayOut } = explainError(encode(item, args), context)
        expect(name).toBe(item.name)
        expect(Object.entries(named)).toEqual(item.inputs.map((input, index) => [input.name, args[index]]))
        for (const sentence of [message, wayOut]) {
          expect(sentence).toMatch(/^(?:[A-Z]|0x|v2:|[\d,.]+ ).+[^.]\.$/u)
          expect(sentence).not.toMatch(/undefined|null|NaN|\[object|=>/)
          expect(sentence.replace(/0x[0-9a-fA-F]+/g, '')).not.toMatch(/(?<![.\d])\d{16,}/)
        }
      }),
      { numRuns: 25 },
    )
  })
})

const wallet = '0x00000000000000000000000000000000000000AA'

test.each<[string, readonly unknown[], ErrorContext, string, string]>([
  [
    'DepositTooLow',
    [wallet, 3_000_000n, 25_000_000n],
    {},
    `The deposit of ${wallet} is 3.00 USDC; this takes 25.00 USDC.`,
    'Top up the deposit by at least 22.00 USDC, then try again.',
  ],
  [
    'NotExpired',
    [7n, 1_794_718_800n],
    { market: 'standard' },
    'v2:standard:7 does not expire before 2026-11-15 05:00:00 UTC.',
    'Wait until after 2026-11-15 05:00:00 UTC, then expire it.',
  ],
  [
    'WrongState',
    [7n, 4],
    {},
    'Task 7 is DISPUTED, which does not allow this.',
    'Read the task again and choose one of its next steps.',
  ],
  [
    'DurationOutOfRange',
    [1n, 60n],
    { market: 'micro' },
    'A duration of 1 min for milestone 2 is outside the limits.',
    'Choose a duration from 15 min to 30 d.',
  ],
  [
    'NotFullyFunded',
    [7n, 15n * 10n ** 17n, 4n * 10n ** 18n],
    {},
    'Task 7 is funded with 1.5 TOK of 4 TOK.',
    'Have the poster fund the missing 2.5 TOK, then start.',
  ],
  [
    'ERC20InsufficientBalance',
    [wallet, 5_000_000n, 25_000_000n],
    { token: 'usdc' },
    `${wallet} has 5.00 USDC; this takes 25.00 USDC.`,
    'Get at least 20.00 USDC more.',
  ],
  [
    'TaskNotFound',
    [0n],
    { market: 'micro' },
    'There is no task 0.',
    'Check the number and the market: each market counts its own tasks from 1.',
  ],
])('%s in words', (name, args, context, message, wayOut) => {
  const item = declared.find((entry) => entry.name === name) as ErrorItem
  expect(explainError(encode(item, args), context)).toMatchObject({ name, message, wayOut })
})

test.each<[string, Hex, string]>([
  ['no data', '0x', 'The contract refused without saying why.'],
  ['an error of a stranger', '0xdeadbeef', 'The contract refused without saying why (selector 0xdeadbeef).'],
  // NotPoster without its arguments.
  ['half an error', '0x04eda257', 'The contract refused without saying why (selector 0x04eda257).'],
])('%s is unknown, and said to be', (_, data, message) => {
  expect(explainError(data)).toMatchObject({ name: 'Unknown', message })
})

function encode(item: ErrorItem, args: readonly unknown[]): Hex {
  return encodeErrorResult({ abi: [item], errorName: item.name, args })
}

const contexts = fc.record(
  { market: fc.constantFrom('standard' as const, 'micro' as const), token: fc.constantFrom('tok' as const, 'usdc') },
  { requiredKeys: [] },
)

// Sentences show these as they are; all other numbers are as large as a stranger can make them.
const plainNumber =
  /^(taskId|milestone|current|live|slots|openCases|length|maxLength|amounts|durations|maxRevisions|limit|drawBlock|workerBps|currentNonce)$/

function argument({ type, name = '' }: AbiParameter): fc.Arbitrary<unknown> {
  if (type === 'address') return bytes(20).map((address) => getAddress(address))
  if (type === 'bytes32') return fc.oneof(bytes(32), fc.constant(toHex('basic', { size: 32 })))
  if (type === 'string') return fc.constantFrom('', 'ERC20: transfer amount exceeds balance', 'No.', '\u0000\n')
  if (type === 'uint8' || type === 'uint16') return fc.nat(type === 'uint8' ? 255 : 65_535)
  return fc.bigInt(0n, plainNumber.test(name) ? 10n ** 8n : 2n ** 255n - 1n)
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((found) => toHex(found))
