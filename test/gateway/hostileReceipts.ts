import { buildReceiptTypedData, formatReceiptHeader, parseTaskId, type Receipt } from '@svc/protocol'
import { formatClaimResource } from '@svc/protocol/internal/money'
import { type Address, type Hex, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A claim without a valid receipt: its task and its headers, in the order they are sent. */
export interface HostileCase {
  name: string
  task: string
  headers: [name: string, value: string][]
}

export interface HostileContext {
  baseUrl: string
  /** The gateway's own key. Some receipts are signed by it and invalid nonetheless. */
  key: Hex
  wallet: Address
  /** The task of the valid receipt, and tasks that it is not for. */
  task: string
  otherTask: string
  otherMarket: string
  good: Receipt
  now: number
}

const own = 'PAYMENT-RECEIPT'
const alias = 'X-PAYMENT-RECEIPT'
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** Creates every hostile case. */
export async function createHostileCases(ground: HostileContext): Promise<HostileCase[]> {
  const { task, otherTask, otherMarket, good } = ground
  const value = formatReceiptHeader(good)
  const here = (name: string, ...headers: [string, string][]): HostileCase => ({ name, task, headers })
  const cases = [
    here('nothing'),
    here('an empty header', [own, '']),
    here('another header', ['PAYMENT', value]),
    here('the receipt as JSON', [own, JSON.stringify(good)]),
    here('the receipt twice in base64', [own, Buffer.from(value).toString('base64')]),
    here('twice', [own, value], [own, value]),
    here('twice under its other name', [alias, value], [alias, value]),
    here('garbage and good', [own, 'garbage'], [alias, value]),
    here('good and garbage', [own, value], [alias, 'garbage']),
    here('a version 1 payment', ['X-PAYMENT', value]),
    { name: 'replayed at another task', task: otherTask, headers: [[own, value]] as [string, string][] },
    { name: 'replayed in another market', task: otherMarket, headers: [[own, value]] as [string, string][] },
    {
      name: 'replayed at a task that is not there',
      task: 'v2:standard:999999',
      headers: [[own, value]] as [string, string][],
    },
  ]
  for (const [name, receipt] of await signed(ground)) cases.push(here(name, [own, formatReceiptHeader(receipt)]))
  for (const [name, given] of misshapen(good)) cases.push(here(name, [own, encode(given)]))
  for (const [name, payment] of payments(ground, value)) {
    cases.push({
      name,
      task: name.includes('another task') ? otherTask : task,
      headers: [['PAYMENT-SIGNATURE', encode(payment)]],
    })
  }
  // Without its padding it is still complete.
  for (let length = 1; length < value.replace(/=+$/, '').length; length++)
    cases.push(here(`cut to ${length}`, [own, value.slice(0, length)]))
  for (let digit = 2; digit < good.signature.length; digit++) {
    const flipped = (Number.parseInt(good.signature[digit] ?? '0', 16) ^ (1 << (digit % 4))).toString(16)
    const signature = `${good.signature.slice(0, digit)}${flipped}${good.signature.slice(digit + 1)}`
    cases.push(
      here(`bit flipped in digit ${digit} of the signature`, [own, formatReceiptHeader({ ...good, signature })]),
    )
  }
  return cases
}

/** Signed receipts that are not valid for this claim now. */
async function signed({ key, good, baseUrl, otherTask, wallet, now }: HostileContext): Promise<[string, Receipt][]> {
  const gateway = privateKeyToAccount(key)
  const forger = privateKeyToAccount(generatePrivateKey())
  const make = async (changes: Partial<Receipt['payload']>, by = gateway): Promise<Receipt> => {
    const payload = { ...good.payload, ...changes }
    return { format: 'eip712', payload, signature: await by.signTypedData(buildReceiptTypedData({ payload })) }
  }
  const unsigned = (changes: Partial<Receipt['payload']>): Receipt => ({
    ...good,
    payload: { ...good.payload, ...changes },
  })
  const elsewhere = formatClaimResource('http://gateway.example', parseTaskId('v2:standard:1'))
  return [
    ['forged by another key', await make({}, forger)],
    ['forged for another wallet', unsigned({ payer: forger.address })],
    ['forged for a later time', unsigned({ issuedAt: good.payload.issuedAt + 1 })],
    ['forged with a payment', unsigned({ transaction: `0x${'12'.repeat(32)}` })],
    ['expired', await make({ issuedAt: now - 602 })],
    ['expired long ago', await make({ issuedAt: 1 })],
    ['of the future', await make({ issuedAt: now + 120 })],
    ['of the far future', await make({ issuedAt: 2 ** 40 })],
    ['of another chain', await make({ network: 'eip155:1' })],
    ['of another kind of chain', await make({ network: 'solana:8453' })],
    ['of another host', await make({ resourceUrl: good.payload.resourceUrl.replace('127.0.0.1', 'localhost') })],
    ['of another gateway', await make({ resourceUrl: elsewhere })],
    ['of another task', await make({ resourceUrl: formatClaimResource(baseUrl, parseTaskId(otherTask)) })],
    ['of another route', await make({ resourceUrl: good.payload.resourceUrl.replace(/claim$/, 'release') })],
    ['of a longer route', await make({ resourceUrl: `${good.payload.resourceUrl}/` })],
    ['of an escaped route', await make({ resourceUrl: good.payload.resourceUrl.replaceAll('v2:', 'v2%3A') })],
    ['of a route in capitals', await make({ resourceUrl: good.payload.resourceUrl.toUpperCase() })],
    ['of nothing', await make({ resourceUrl: '' })],
    ['signed by the wallet itself', { ...good, signature: `0x${wallet.slice(2).padEnd(130, '0')}` as Hex }],
    ['signed by nobody', { ...good, signature: numberToHex(0n, { size: 65 }) }],
  ]
}

/** Receipts of a wrong shape. */
function misshapen(good: Receipt): [string, unknown][] {
  const { payload } = good
  const wrong = [null, true, 0, 1.5, '', 'x', [], {}, [payload.payer]]
  const fields = Object.keys(payload) as (keyof typeof payload)[]
  return [
    ...wrong.map((given, index): [string, unknown] => [`shape ${index} instead of a receipt`, given]),
    ...wrong.map((given, index): [string, unknown] => [
      `shape ${index} instead of a payload`,
      { ...good, payload: given },
    ]),
    ...wrong.map((given, index): [string, unknown] => [
      `shape ${index} instead of a signature`,
      { ...good, signature: given },
    ]),
    ...fields.flatMap((field) =>
      wrong
        .filter((given) => !(field === 'transaction' && given === ''))
        .map((given): [string, unknown] => [
          `${JSON.stringify(given)} as ${field}`,
          { ...good, payload: { ...payload, [field]: given } },
        ]),
    ),
    ...fields.map((field): [string, unknown] => [
      `without ${field}`,
      { ...good, payload: Object.fromEntries(Object.entries(payload).filter(([name]) => name !== field)) },
    ]),
    ['with another field', { ...good, admin: true }],
    ['with another field in its payload', { ...good, payload: { ...payload, admin: true } }],
    ['in another format', { ...good, format: 'jws' }],
    ['with a prototype', JSON.parse(`{"__proto__":${JSON.stringify(good)}}`)],
  ]
}

/** x402 payments without a receipt for this claim. */
function payments({ task, otherTask, baseUrl, good }: HostileContext, value: string): [string, unknown][] {
  const accepted = { scheme: 'svc-readiness', network: 'eip155:8453', amount: '0', extra: {} }
  const resource = { url: formatClaimResource(baseUrl, parseTaskId(otherTask)) }
  const whole = { x402Version: 2, accepted, resource, payload: { receipt: value } }
  return [
    ['a payment for this task, shown at another task that it names itself', whole],
    ['of another scheme', { ...whole, accepted: { ...accepted, scheme: 'exact' } }],
    ['of version 1', { ...whole, x402Version: 1 }],
    ['without a receipt', { ...whole, payload: {} }],
    ['with the receipt as an object', { ...whole, payload: { receipt: good } }],
    ['with the receipt in another place', { ...whole, payload: {}, receipt: value }],
    ['with nothing accepted', { x402Version: 2, payload: { receipt: value } }],
    [`with no payload for ${task}`, { x402Version: 2, accepted }],
  ]
}
