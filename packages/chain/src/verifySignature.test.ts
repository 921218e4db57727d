import { createPublicClient, custom, numberToHex, serializeErc6492Signature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createViemChain } from './providers.ts'
import { createClientVerifier } from './verifySignature.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const hash = `0x${'ab'.repeat(32)}` as const

/** A verifier over a provider that answers calls with this function. */
const createVerifier = (answerCall: (to: string | undefined) => string) =>
  createClientVerifier(
    createPublicClient({
      chain: createViemChain(8453),
      transport: custom(
        {
          async request({ method, params }) {
            if (method === 'eth_getCode') return '0x'
            if (method === 'eth_chainId') return '0x1'
            if (method === 'eth_call') return answerCall(params[0].to)
            throw new Error(`Unexpected: ${method}`)
          },
        },
        { retryCount: 0 },
      ),
    }),
  )

test('a signature that nobody made is refused, and one of the key needs no provider', async () => {
  const verify = createVerifier((to) => (to ? '0x01' : '0x00'))
  const signature = await account.sign({ hash })
  expect(await verify({ address: account.address, hash, signature })).toBe(true)
  expect(await verify({ address: account.address, hash, signature: `0x${'11'.repeat(64)}1b` })).toBe(false)
})

test('a provider that fails calls is not taken for a wrong signature', async () => {
  const verify = createVerifier(() => {
    throw new Error('The provider is overloaded.')
  })
  const check = { address: account.address, hash, signature: `0x${'11'.repeat(64)}1b` } as const
  await expect(verify(check)).rejects.toThrow(/overloaded/)
})

test.each([
  ['0x', 'without code, a wallet is deployed first'],
  ['0x6001', 'a wallet that is there is asked directly'],
])('code that strangers choose has little gas: %s', async (code) => {
  const calls: { gas: string; isWrapped: boolean }[] = []
  const account6492 = serializeErc6492Signature({
    address: account.address,
    data: `0x${'feed'.repeat(16)}`,
    signature: '0x1234',
  })
  const client = createPublicClient({
    chain: createViemChain(8453),
    transport: custom({
      async request({ method, params }) {
        if (method === 'eth_getCode') return code
        if (method !== 'eth_call') return '0x1'
        calls.push({ gas: params[0].gas, isWrapped: String(params[0].data).includes('feed'.repeat(16)) })
        return '0x00'
      },
    }),
  })
  await createClientVerifier(client)({ address: account.address, hash, signature: account6492 })
  expect(calls[0]).toEqual({ gas: numberToHex(3_000_000), isWrapped: code === '0x' })
})
