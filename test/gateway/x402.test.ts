import { createProviders, createRpc, createViemChain } from '@svc/chain'
import { readinessScheme } from '@svc/client/x402'
import { accounts, type Devnet, usdc } from '@svc/devnet'
import { requestJson } from '@svc/operations'
import { erc20Abi, type LocalAccount, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDiscovery } from '../../apps/gateway/src/discovery/discovery.ts'
import { createFacilitator } from '../../apps/gateway/src/discovery/facilitator.ts'
import {
  exactScheme,
  readPaymentRequired,
  readPaymentResponse,
  stockFetch,
} from '../../apps/gateway/test/stockClient.ts'
import { findFreePort } from '../harness/freePorts.ts'
import { postOpenTask, startFundedDevnet, startTestGateway, type TestGateway } from '../harness/gateway.ts'

const network = 'eip155:8453'
/** Pays only the gas of payments. */
const carrierKey = generatePrivateKey()
/** A wallet that counts signature requests. */
function countingSigner(account: LocalAccount) {
  const signTypedData = vi.fn(account.signTypedData)
  return { signer: { ...account, signTypedData } as LocalAccount, signTypedData }
}

let devnet: Devnet
let gateway: TestGateway
beforeAll(async () => {
  devnet = await startFundedDevnet()
  await devnet.client.setBalance({ address: privateKeyToAddress(carrierKey), value: parseEther('1') })
  const port = await findFreePort()
  const { all } = createProviders([createRpc({ name: 'anvil', url: devnet.rpcUrl })], createViemChain(8453))
  const [provider] = all
  if (!provider) throw new Error('no provider')
  const discovery = createDiscovery({
    baseUrl: `http://127.0.0.1:${port}`,
    chainId: 8453,
    price: '$0.01',
    payTo: accounts.treasury.address,
    facilitator: createFacilitator(provider, carrierKey),
  })
  gateway = await startTestGateway(devnet, { port, discovery })
})
afterAll(async () => {
  await gateway?.stop()
  await devnet?.stop()
})

const readBalance = (wallet: LocalAccount) =>
  devnet.client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [wallet.address] })

describe('claiming', () => {
  test('a stock client with our scheme gets past the 402 by itself', async () => {
    const id = await postOpenTask(devnet)
    const pay = stockFetch(readinessScheme(accounts.ivo.address))
    const response = await pay(`${gateway.url}/v1/tasks/${id}/claim`, { method: 'POST' })
    const request = requestJson.parse(await response.json())
    expect(request).toMatchObject({ action: 'claim-task', taskId: id, from: accounts.ivo.address, status: 'pending' })
    const paid = readPaymentResponse(response)
    expect(paid).toMatchObject({ success: true, payer: accounts.ivo.address, transaction: '' })
  })

  test('a stock client without our scheme signs nothing', async () => {
    const id = await postOpenTask(devnet)
    const { signer, signTypedData } = countingSigner(accounts.ivo)
    const pay = stockFetch(exactScheme(signer))
    await expect(pay(`${gateway.url}/v1/tasks/${id}/claim`, { method: 'POST' })).rejects.toThrow(/svc-readiness|scheme/)
    expect(signTypedData).not.toHaveBeenCalled()
  })

  test('a wallet that is not ready learns why from its own client', async () => {
    const id = await postOpenTask(devnet)
    const pay = stockFetch(readinessScheme(accounts.newcomer.address))
    await expect(pay(`${gateway.url}/v1/tasks/${id}/claim`, { method: 'POST' })).rejects.toThrow(/25\.00 USDC/)
  })

  test('the 402 asks for nothing that moves money', async () => {
    const id = await postOpenTask(devnet, { market: 'micro' })
    const response = await gateway.post(`/v1/tasks/${encodeURIComponent(id)}/claim`)
    expect(response.status).toBe(402)
    const required = readPaymentRequired(response)
    expect(required.accepts).toEqual([
      {
        scheme: 'svc-readiness',
        network,
        asset: devnet.deployments.shared.tokToken,
        amount: '0',
        payTo: devnet.deployments.markets.micro.paymentGateway,
        maxTimeoutSeconds: 600,
        extra: {
          taskId: id,
          resourceUrl: `${gateway.url}/v1/tasks/${id}/claim`,
          receiptUrl: `${gateway.url}/v1/payment-receipt`,
          header: 'PAYMENT-RECEIPT',
          accessFeeTokWei: '1000000000000000000000',
          price: expect.objectContaining({
            action: 'claim-task',
            side: 'worker',
            feeTokWei: '1000000000000000000000',
            exitDepositTokWei: '1000000000000000000000',
            reserveUsdc: '13000000',
            requiredUsdc: '25000000',
          }),
        },
      },
    ])
  })
})

describe('paid discovery', () => {
  const path = '/v1/discovery/open?limit=5'

  test('a stock client pays the price in USDC, on the chain, and gets the list', async () => {
    await postOpenTask(devnet)
    const [payer, payee] = [await readBalance(accounts.newcomer), await readBalance(accounts.treasury)]
    const pay = stockFetch(exactScheme(accounts.newcomer))
    const response = await pay(`${gateway.url}${path}`)
    expect(response.status).toBe(200)
    const free = await (await gateway.fetch('/v1/market/open?limit=5')).json()
    expect(((await response.json()) as { tasks: unknown }).tasks).toEqual((free as { tasks: unknown }).tasks)
    expect(await readBalance(accounts.newcomer)).toBe(payer - 10_000n)
    expect(await readBalance(accounts.treasury)).toBe(payee + 10_000n)
    const { transaction } = readPaymentResponse(response)
    expect(await devnet.client.getTransactionReceipt({ hash: transaction as `0x${string}` })).toMatchObject({
      status: 'success',
    })
    expect(response.headers.get('cache-control')).toMatch(/no-store|private/)
  })

  test('one signature pays once, even if it is used many times at once', async () => {
    const headers: string[] = []
    const spy: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      const given = request.headers.get('payment-signature')
      if (given) headers.push(given)
      return fetch(request)
    }
    const pay = stockFetch(exactScheme(accounts.newcomer), spy)
    const before = await readBalance(accounts.newcomer)
    await pay(`${gateway.url}${path}`)
    const again = await Promise.all(
      Array.from({ length: 5 }, () => gateway.fetch(path, { headers: { 'payment-signature': headers[0] ?? '' } })),
    )
    expect(again.map(({ status }) => status)).toEqual([402, 402, 402, 402, 402])
    expect(await readBalance(accounts.newcomer)).toBe(before - 10_000n)
  })

  test.each([['garbage'], [btoa('{"x402Version":1}')], [btoa('{"x402Version":2}')]])(
    '%s pays nothing',
    async (given) => {
      const error = vi.spyOn(console, 'error')
      const warn = vi.spyOn(console, 'warn')
      const response = await gateway.fetch(path, { headers: { 'payment-signature': given, accept: 'text/html' } })
      expect(response.status).toBe(402)
      expect(await response.json()).toMatchObject({ code: 'PAYMENT_REQUIRED' })
      expect([error.mock.calls, warn.mock.calls]).toEqual([[], []])
    },
  )

  test.each([
    '/v1/discovery/op%65n',
    '/v1/discovery%2Fopen',
    '/v1/discovery/open/',
    '/v1//discovery/open',
    '/V1/discovery/open',
    '/v1/discovery/open;x',
    '/v1/discovery/open?limit=5&x=/v1/market/open',
  ])('%s does not evade the price', async (around) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      expect(await (await gateway.fetch(around, { method })).text(), method).not.toContain('"tasks"')
    }
  })

  test('the Bazaar can list it by its own URL, not by the Host header', async () => {
    const response = await gateway.fetch(path, { headers: { host: `localhost:${gateway.port}` } })
    const required = readPaymentRequired(response)
    expect(required.resource.url).toBe(`${gateway.url}/v1/discovery/open`)
    expect(required.extensions).toHaveProperty('bazaar')
    expect(required.accepts).toMatchObject([{ scheme: 'exact', amount: '10000', asset: usdc }])
    const status = (await (await gateway.fetch('/v1/status')).json()) as object
    expect(status).toMatchObject({ paidDiscovery: { url: `${gateway.url}/v1/discovery/open`, price: '$0.01' } })
  })
})
