import { type AbiParameter, type Address, getAddress, hexToString } from 'viem'
import { SvcError } from '../base/svcError.ts'

/**
 * Reads the value whose word starts at `at`. Offsets of dynamic values are relative to `base`. Both count hex digits of `hex`,
 * which is lower case and has no prefix.
 */
export type ReadValue = (hex: string, at: number, base: number) => unknown

const wordLength = 64

/** Creates the reader of an ABI type. The reader throws `NonCanonicalEncodingError` for anything that Solidity would not write. */
export function createReader(parameter: AbiParameter): ReadValue {
  const { type } = parameter
  if (type === 'address') return readAddress
  if (type === 'bool') return readBool
  if (type === 'bytes32') return readHash
  if (type === 'string') return readString
  if (type === 'tuple' && 'components' in parameter) return tupleReader(parameter.components)
  if (type.endsWith('[]')) return arrayReader({ ...parameter, type: type.slice(0, -2) })
  const [, bits] = /^uint(\d+)$/.exec(type) ?? []
  if (bits === undefined) return refuse
  // Like viem: up to 48 bits as number, above as bigint.
  return Number(bits) > 48 ? readBigInt : readNumber
}

function wordAt(hex: string, at: number): string {
  const end = at + wordLength
  if (end > hex.length) throw new NonCanonicalEncodingError()
  return hex.slice(at, end)
}

const readBigInt = (hex: string, at: number): bigint => BigInt(`0x${wordAt(hex, at)}`)

const readHash = (hex: string, at: number): string => `0x${wordAt(hex, at)}`

/** 48 bits hold every offset, length, enum and small integer. */
const smallDigits = 12
const smallZeros = /*#__PURE__*/ '0'.repeat(wordLength - smallDigits)

function readNumber(hex: string, at: number): number {
  const word = wordAt(hex, at)
  if (!word.startsWith(smallZeros)) throw new NonCanonicalEncodingError()
  return Number.parseInt(word.slice(-smallDigits), 16)
}

function readBool(hex: string, at: number): boolean {
  const number = readNumber(hex, at)
  if (number > 1) throw new NonCanonicalEncodingError()
  return number === 1
}

/** A cache, because each checksum costs a hash and the same wallets appear often. */
const checksummed = /*#__PURE__*/ new Map<string, Address>()
const maxChecksummed = 50_000

function readAddress(hex: string, at: number): Address {
  const digits = wordAt(hex, at).slice(-40)
  const known = checksummed.get(digits)
  if (known) return known
  const address = getAddress(`0x${digits}`)
  if (checksummed.size >= maxChecksummed) checksummed.clear()
  checksummed.set(digits, address)
  return address
}

function readString(hex: string, at: number, base: number): string {
  const start = base + 2 * readNumber(hex, at)
  const length = 2 * readNumber(hex, start)
  const from = start + wordLength
  if (from + length > hex.length) throw new NonCanonicalEncodingError()
  return length === 0 ? '' : hexToString(`0x${hex.slice(from, from + length)}`)
}

function arrayReader(element: AbiParameter): ReadValue {
  if (isDynamic(element) || element.type === 'tuple') return refuse
  const read = createReader(element)
  return (hex, at, base) => {
    const start = base + 2 * readNumber(hex, at)
    const length = readNumber(hex, start)
    const from = start + wordLength
    if (from + length * wordLength > hex.length) throw new NonCanonicalEncodingError()
    return Array.from({ length }, (_, index) => read(hex, from + index * wordLength, from))
  }
}

/** Reads a struct with a dynamic member, like all structs in events: its head is behind an offset. */
function tupleReader(components: readonly AbiParameter[]): ReadValue {
  if (!components.some(isDynamic) || components.some(({ type }) => type === 'tuple')) return refuse
  const members = components.map((component) => ({ name: component.name ?? '', read: createReader(component) }))
  return (hex, at, base) => {
    const start = base + 2 * readNumber(hex, at)
    const value: Record<string, unknown> = {}
    for (let i = 0; i < members.length; i++) {
      const { name, read } = members[i] as (typeof members)[number]
      value[name] = read(hex, start + i * wordLength, start)
    }
    return value
  }
}

function isDynamic({ type }: AbiParameter): boolean {
  return type === 'string' || type === 'bytes' || type.endsWith('[]')
}

function refuse(): never {
  throw new NonCanonicalEncodingError()
}

/** Thrown for an encoding or a type that is left to viem. */
export class NonCanonicalEncodingError extends SvcError {
  override name = 'NonCanonicalEncodingError'

  constructor() {
    super('NON_CANONICAL_ENCODING', 'The log is not in the canonical encoding of Solidity.')
  }
}
