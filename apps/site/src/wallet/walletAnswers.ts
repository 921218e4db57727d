import { type Address, type Hex, isAddress, isHex } from 'viem'
import { actionText } from '../text/signing.ts'

// Written by hand: a library of schemas would be a tenth of the first page.

class UnreadableError extends Error {}

function fail(): never {
  throw new UnreadableError()
}

/** Reads a field of an object. */
export function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

const parseHex = (value: unknown): Hex => (isHex(value) ? value : fail())
const parseQuantity = (value: unknown): Hex => (isHex(value) && value.length > 2 ? value : fail())
const parseHash = (value: unknown): Hex => (isHex(value) && value.length === 66 ? value : fail())
const parseAddress = (value: unknown): Address =>
  typeof value === 'string' && isAddress(value, { strict: false }) ? value : fail()
const parseText = (value: unknown): string => (typeof value === 'string' ? value : fail())
const parseNumber = (value: unknown): number => (typeof value === 'number' ? value : fail())
const parseList = <T>(value: unknown, parse: (item: unknown) => T): T[] =>
  Array.isArray(value) ? value.map((item) => parse(item)) : fail()
const parseNullable =
  <T>(parse: (value: unknown) => T) =>
  (value: unknown): T | null =>
    value === null ? null : parse(value)

export interface WalletLog {
  address: Address
  topics: Hex[]
  data: Hex
}

const parseLog = (value: unknown): WalletLog => ({
  address: parseAddress(readField(value, 'address')),
  topics: parseList(readField(value, 'topics'), parseHex),
  data: parseHex(readField(value, 'data')),
})

/** Logs only tell the service about a new post early, so wrong ones do not make a receipt useless. */
function parseLogs(value: unknown): WalletLog[] {
  try {
    return parseList(value, parseLog)
  } catch {
    return []
  }
}

export interface WalletReceipt {
  status: Hex
  blockNumber: Hex
  logs: WalletLog[]
}

const parseReceipt = (value: unknown): WalletReceipt => ({
  status: parseHex(readField(value, 'status')),
  blockNumber: parseQuantity(readField(value, 'blockNumber')),
  logs: parseLogs(readField(value, 'logs')),
})

/** What wallets answer, by method. Only the fields that are used. */
const parsers = {
  eth_sendTransaction: parseHash,
  // Before its final version, EIP-5792 had wallets return the bare id.
  wallet_sendCalls: (value: unknown) => ({
    id: parseText(typeof value === 'string' ? value : readField(value, 'id')),
  }),
  wallet_getCallsStatus: parseNullable((value) => {
    const receipts = readField(value, 'receipts') ?? null
    return {
      status: parseNumber(readField(value, 'status')),
      receipts:
        receipts === null
          ? null
          : parseList(receipts, (each) => ({
              ...parseReceipt(each),
              transactionHash: parseHash(readField(each, 'transactionHash')),
            })),
    }
  }),
  eth_getTransactionReceipt: parseNullable(parseReceipt),
  eth_getTransactionByHash: parseNullable((value) => ({ nonce: parseQuantity(readField(value, 'nonce')) })),
  eth_getTransactionCount: parseQuantity,
  eth_getBlockByNumber: parseNullable((value) => ({
    number: parseQuantity(readField(value, 'number')),
    timestamp: parseQuantity(readField(value, 'timestamp')),
  })),
  eth_call: parseHex,
}
type Answers = { [Method in WalletMethod]: ReturnType<(typeof parsers)[Method]> }
export type WalletMethod = keyof typeof parsers

/** Reads the chain that a wallet is on. Most answer `eth_chainId` in hex; WalletConnect answers with a number. */
export function readChainId(answer: unknown): number | null {
  const id = typeof answer === 'number' || typeof answer === 'string' ? Number(answer) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** A wallet answered, but not as the standard says. */
export class WalletAnswerError extends Error {
  override name = 'WalletAnswerError'

  constructor(method: string) {
    super(actionText.problems.unreadable(method))
  }
}

/** Parses the answer of a wallet. Throws `WalletAnswerError` if it is not what the method returns. */
export function parseWalletAnswer<Method extends WalletMethod>(method: Method, answer: unknown): Answers[Method] {
  const all: { [Each in WalletMethod]: (value: unknown) => Answers[Each] } = parsers
  try {
    return all[method](answer)
  } catch {
    throw new WalletAnswerError(method)
  }
}
