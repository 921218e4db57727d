import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { type AbiItem, type AbiParameter, encodeErrorResult, getAddress, type Hex, parseAbi, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { errorMessages } from './errorMessages.ts'
import type { ErrorContext } from './errorTypes.ts'
import { explainError } from './explainError.ts'

type ErrorItem = Extract<AbiItem, { type: 'error' }>

const folder = new URL('../abis/', import.meta.url)
const modules = await Promise.all(readdirSync(folder).map((file) => import(new URL(file, folder).href)))
const declared = [
  ...modules.flatMap((module) => Object.values<AbiItem[]>(module).flat()),
  ...parseAbi(['error Error(string reason)', 'error Panic(uint256 code)']),
].filter((item): item is ErrorItem => item.type === 'error')
const formatSignature = ({ name, inputs }: ErrorItem) =>
  `${name}(${inputs.map((input) => `${input.type} ${input.name}`).join(', ')})`
const bySignature = new Map(declared.map((item) => [formatSignature(item), item]))

test('every error of every contract has a message, and there are no others', () => {
  expect(Object.keys(errorMessages).sort()).toEqual([...bySignature.keys()].sort())
})

test('a name means the same error in every contract', () => {
  expect(new Set(declared.map(({ name }) => name)).size).toBe(bySignature.size)
})

describe('both sentences are readable for any arguments', () => {
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
      { numRuns: runs(25) },
    )
  })
})

const wallet = '0x00000000000000000000000000000000000000AA'

test.each<[string, readonly unknown[], ErrorContext, string, string]>([
  [
    'DepositTooLow',
    [wallet, 3_000_000n, 25_000_000n],
    {},
    `${wallet} has 3.00 USDC of deposit available; this takes 25.00 USDC. 22.00 USDC are missing.`,
    'Add at least 22.00 USDC to the deposit, or wait until a task releases its reserve.',
  ],
  [
    'NotExpired',
    [7n, 1_794_718_800n],
    { market: 'standard' },
    'Task v2:standard:7 cannot expire before 2026-11-15 05:00:00 UTC.',
    'Wait until after 2026-11-15 05:00:00 UTC, then expire it.',
  ],
  [
    'WrongState',
    [7n, 4],
    {},
    'Task 7 is DISPUTED, which does not allow this.',
    'Reload the task and choose one of its next steps.',
  ],
  [
    'DurationOutOfRange',
    [1n, 60n],
    { market: 'micro' },
    'The duration of milestone 2, 1 min, is outside the limits.',
    'Choose a duration from 15 min to 30 d.',
  ],
  [
    'NotFullyFunded',
    [7n, 15n * 10n ** 17n, 4n * 10n ** 18n],
    {},
    'Only 1.5 TOK of 4 TOK is funded in task 7.',
    'Ask the poster to fund the missing 2.5 TOK, then start.',
  ],
  [
    'ERC20InsufficientBalance',
    [wallet, 5_000_000n, 25_000_000n],
    { token: 'usdc', caller: wallet },
    'You have 5.00 USDC; this takes 25.00 USDC. 20.00 USDC are missing.',
    'Add at least 20.00 USDC to your wallet.',
  ],
  [
    // A refusal with eighteen decimals cannot be read; what is missing is rounded up.
    'ERC20InsufficientBalance',
    [wallet, 1_999_123_456_789_012_345_678n, 2_000n * 10n ** 18n],
    { token: 'tok', caller: wallet },
    'You have 1,999 TOK; this takes 2,000 TOK. 0.8766 TOK are missing.',
    'Add at least 0.8766 TOK to your wallet.',
  ],
  [
    // Without the token, an amount could be wrong by twelve digits, so none is named.
    'ERC20InsufficientBalance',
    [wallet, 5_000_000n, 25_000_000n],
    {},
    `${wallet} has less of a token than this takes.`,
    'Add more of that token to that wallet.',
  ],
  [
    'ERC20InsufficientAllowance',
    [wallet, 5_000_000n, 25_000_000n],
    { token: 'usdc' },
    `${wallet} may take 5.00 USDC; this takes 25.00 USDC. 20.00 USDC are missing.`,
    `From the paying wallet, allow ${wallet} to take at least 25.00 USDC.`,
  ],
  [
    'TaskNotFound',
    [0n],
    { market: 'micro' },
    'Could not find task 0.',
    'Check the number and the market. Each market numbers its own tasks from 1.',
  ],
])('%s is explained', (name, args, context, message, wayOut) => {
  const item = declared.find((entry) => entry.name === name) as ErrorItem
  expect(explainError(encode(item, args), context)).toMatchObject({ name, message, wayOut })
})

test.each<[string, Hex, string]>([
  ['no data', '0x', 'The contract reverted without a known reason.'],
  ['an error of another contract', '0xdeadbeef', 'The contract reverted without a known reason (selector 0xdeadbeef).'],
  // NotPoster without its arguments.
  ['a truncated error', '0x04eda257', 'The contract reverted without a known reason (selector 0x04eda257).'],
])('%s is explained as Unknown', (_, data, message) => {
  expect(explainError(data)).toMatchObject({ name: 'Unknown', message })
})

function encode(item: ErrorItem, args: readonly unknown[]): Hex {
  return encodeErrorResult({ abi: [item], errorName: item.name, args })
}

const contexts = fc.record(
  { market: fc.constantFrom('standard' as const, 'micro' as const), token: fc.constantFrom('tok' as const, 'usdc') },
  { requiredKeys: [] },
)

// Sentences show these unformatted. All other numbers may be as large as the type allows.
const plainNumber =
  /^(taskId|milestone|current|live|slots|openCases|length|maxLength|amounts|durations|maxRevisions|limit|number|workerBps|currentNonce)$/

function argument({ type, name = '' }: AbiParameter): fc.Arbitrary<unknown> {
  if (type === 'address') return bytes(20).map((address) => getAddress(address))
  if (type === 'bytes32') return fc.oneof(bytes(32), fc.constant(toHex('basic', { size: 32 })))
  if (type === 'string') return fc.constantFrom('', 'ERC20: transfer amount exceeds balance', 'No.', '\u0000\n')
  if (type === 'uint8' || type === 'uint16') return fc.nat(type === 'uint8' ? 255 : 65_535)
  return fc.bigInt(0n, plainNumber.test(name) ? 10n ** 8n : 2n ** 255n - 1n)
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((found) => toHex(found))
