import { type Abi, type AbiParameter, encodeErrorResult, stringToHex } from 'viem'
import { explainError } from '../../../packages/protocol/src/errors/explainError.ts'

type AbiError = Extract<Abi[number], { type: 'error' }>

const wallet = '0x00000000000000000000000000000000000000AA'
const moment = 1_794_718_800n

/** Returns the protocol's message for an error, with sample values for its arguments. */
export function describeAbiError(error: AbiError): string {
  const data = encodeErrorResult({
    abi: [error],
    args: error.inputs.map((input, index) => createSample(error.name, input, index)),
  })
  // The only token among these contracts is TOK.
  const token = error.name.startsWith('ERC20') ? 'tok' : undefined
  const { message, wayOut } = explainError(data, { market: 'standard', token })
  return `${message} - ${wayOut}`
}

/** Creates a plausible sample. Later arguments are larger than earlier ones, as in most errors. */
function createSample(error: string, { type, name = '' }: AbiParameter, index: number): unknown {
  const many = BigInt(index + 1)
  if (type === 'address') return wallet
  if (type === 'bool') return true
  if (type === 'string') return 'text'
  if (type === 'bytes32') return stringToHex(name === 'planId' ? 'basic' : 'hash', { size: 32 })
  if (type.startsWith('bytes')) return '0x'
  if (type === 'uint8' || type === 'uint16') return type === 'uint8' ? 1 : 6_000
  if (name === 'taskId') return 7n
  if (name === 'workerBps') return 10_500n
  if (/slots|live/.test(name)) return 2n
  if (name === 'length') return 64n
  if (/^milestone$|nonce|current|cases|revisions|limit|amounts|durations|bits/i.test(name)) return many
  if (/balance|needed|free/.test(name) && !error.startsWith('ERC20')) return 8_000_000n * many
  if (/credits/.test(name)) return 500_000_000_000_000_000n
  if (/window$|^duration$|^m(?:in|ax)$|maxAge|grace/i.test(name) && !/Deadline/.test(error)) return 3_600n * many
  if (
    /amount|missing|held|asked|staked|balance|needed|bond$|minimum|total|funded|received|expected|value|allow/i.test(
      name,
    )
  )
    return 1_000_000_000_000_000_000_000n * many
  return moment + 3_600n * many
}
