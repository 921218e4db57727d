import { type AbiParameter, type Address, getAddress, hexToString } from 'viem'

/**
 * Reads the value whose word begins at `at`; offsets of dynamic values count from `base`. Both count hex digits of `hex`,
 * which has no prefix and only lower-case digits.
 */
export type Read = (hex: string, at: number, base: number) => unknown

const wordLength = 64

/** The reader of a type of the ABI. It throws `UnusualWordError` at whatever Solidity would not have written. */
export function readerOf(parameter: AbiParameter): Read {
  const { type } = parameter
  if (type === 'address') return readAddress
  if (type === 'bool') return readBool
  if (type === 'bytes32') return readHash
  if (type === 'string') return readString
  if (type === 'tuple' && 'components' in parameter) return tupleReader(parameter.components)
  if (type.endsWith('[]')) return arrayReader({ ...parameter, type: type.slice(0, -2) })
  const [, bits] = /^uint(\d+)$/.exec(type) ?? []
  if (bits === undefined) return refuse
  // The border between number and bigint that viem draws.
  return Number(bits) > 48 ? readBigInt : readNumber
}

function wordAt(hex: string, at: number): string {
  const end = at + wordLength
  if (end > hex.length) throw new UnusualWordError()
  return hex.slice(at, end)
}

const readBigInt = (hex: string, at: number): bigint => BigInt(`0x${wordAt(hex, at)}`)

const readHash = (hex: string, at: number): string => `0x${wordAt(hex, at)}`

/** 48 bits: what every offset, length, enum and small integer fits. */
const smallDigits = 12
const smallZeros = /*#__PURE__*/ '0'.repeat(wordLength - smallDigits)

function readNumber(hex: string, at: number): number {
  const word = wordAt(hex, at)
  if (!word.startsWith(smallZeros)) throw new UnusualWordError()
  return Number.parseInt(word.slice(-smallDigits), 16)
}

function readBool(hex: string, at: number): boolean {
  const number = readNumber(hex, at)
  if (number > 1) throw new UnusualWordError()
  return number === 1
}

/** Checksums cost a hash each, and a market's wallets come again and again. */
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
  if (from + length > hex.length) throw new UnusualWordError()
  return length === 0 ? '' : hexToString(`0x${hex.slice(from, from + length)}`)
}

function arrayReader(element: AbiParameter): Read {
  if (isDynamic(element) || element.type === 'tuple') return refuse
  const read = readerOf(element)
  return (hex, at, base) => {
    const start = base + 2 * readNumber(hex, at)
    const length = readNumber(hex, start)
    const from = start + wordLength
    if (from + length * wordLength > hex.length) throw new UnusualWordError()
    return Array.from({ length }, (_, index) => read(hex, from + index * wordLength, from))
  }
}

/** Of a struct with a dynamic member, as all structs in events are: its head lies behind an offset. */
function tupleReader(components: readonly AbiParameter[]): Read {
  if (!components.some(isDynamic) || components.some(({ type }) => type === 'tuple')) return refuse
  const members = components.map((component) => ({ name: component.name ?? '', read: readerOf(component) }))
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
  throw new UnusualWordError()
}

/** A word, or a type, that this reader leaves to viem. */
export class UnusualWordError extends Error {
  override name = 'UnusualWordError'

  constructor() {
    super('The log is not encoded as Solidity encodes it.')
  }
}
