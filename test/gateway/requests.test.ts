import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts, createScene, type Devnet, sendCall, sendTokens, sendTopUp, sendTransaction } from '@svc/devnet'
import { type RequestJson, requestJson } from '@svc/operations'
import { parseAmount } from '@svc/protocol'
import { tokTokenAbi } from '@svc/protocol/abis'
import { type Address, concat, encodeFunctionData, type Hex, type LocalAccount, maxUint256, parseGwei } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postOpenTask, startFundedDevnet, startTestGateway, type TestGateway } from '../harness/gateway.ts'

let devnet: Devnet
let gateway: TestGateway
let folder: string
let ahead = 0
beforeAll(async () => {
  devnet = await startFundedDevnet()
  folder = await mkdtemp(join(tmpdir(), 'requests-'))
  gateway = await startGateway()
})
const startGateway = () =>
  startTestGateway(devnet, { now: () => Date.now() + ahead, stateFile: join(folder, 'state.sqlite') })
async function restart(): Promise<void> {
  await gateway.stop()
  gateway = await startGateway()
}
afterAll(async () => {
  await gateway?.stop()
  await devnet?.stop()
  await rm(folder, { recursive: true, force: true })
})

const json = async (response: Response) => requestJson.parse(await response.json())

async function prepare(action: string, input: object, from: Address): Promise<RequestJson> {
  return json(await gateway.post('/v1/requests', { action, input, from }))
}
const prepareTopUp = (amountUsdc: string, by: LocalAccount = accounts.emeka) =>
  prepare('top-up', { market: 'standard', amountUsdc }, by.address)
const poll = async (id: string, wait = 20) => json(await gateway.fetch(`/v1/requests/${id}?wait=${wait}`))
/** Waits until the request has none of these statuses. */
async function past(id: string, ...statuses: RequestJson['status'][]): Promise<RequestJson> {
  for (let tries = 0; ; tries++) {
    const request = await poll(id, 5)
    if (!statuses.includes(request.status) || tries > 4) return request
  }
}
const tell = (id: string, account: Address, transactionHashes: Hex[]) =>
  gateway.post(`/v1/requests/${id}/submitted`, { account, transactionHashes })

/** Sends the calls as a wallet would, even if they will revert. */
async function sign({ calls }: RequestJson, by: LocalAccount): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (const { to, data } of calls) {
    const serializedTransaction = await by.signTransaction({
      chainId: 8453,
      type: 'eip1559',
      nonce: await devnet.client.getTransactionCount({ address: by.address }),
      gas: 3_000_000n,
      maxFeePerGas: parseGwei('100'),
      maxPriorityFeePerGas: 1n,
      to: to as Address,
      data: data as Hex,
    })
    const { transactionHash } = await devnet.client.sendRawTransactionSync({ serializedTransaction })
    hashes.push(transactionHash)
  }
  return hashes
}

describe('the chain settles', () => {
  test('an unreported request by the event that proves it, and a long poll returns it', async () => {
    const request = await prepareTopUp('7000001')
    const heard = poll(request.requestId, 25)
    const [hash] = await sign(request, accounts.emeka)
    expect(await heard).toMatchObject({
      status: 'confirmed',
      statusCode: 200,
      settled: true,
      transactionHashes: [hash],
    })
  })

  test('one request by one event, even if two ask for the same', async () => {
    const [first, second] = [await prepareTopUp('7000002'), await prepareTopUp('7000002')]
    await sign(second, accounts.emeka)
    expect((await past(first.requestId, 'pending')).status).toBe('confirmed')
    expect((await poll(second.requestId, 1)).status).toBe('pending')
    await sign(second, accounts.emeka)
    expect((await past(second.requestId, 'pending')).status).toBe('confirmed')
  })

  test('R16: of two equal requests, one event confirms the one that reported it, and no other', async () => {
    const [first, second] = [await prepareTopUp('1000000'), await prepareTopUp('1000000')]
    const hashes = await sign(second, accounts.emeka)
    await tell(second.requestId, accounts.emeka.address, hashes)
    expect((await past(second.requestId, 'pending', 'submitted')).status).toBe('confirmed')
    // The same hash, reported for the other one, confirms nothing: its log is used.
    const told = await json(await tell(first.requestId, accounts.emeka.address, hashes))
    expect(told).toMatchObject({ status: 'pending', transactionHashes: [] })
    // Nor after a restart.
    await restart()
    await tell(first.requestId, accounts.emeka.address, hashes)
    expect((await poll(first.requestId, 1)).status).toBe('pending')
    expect((await poll(second.requestId, 0)).status).toBe('confirmed')
    const again = await sign(first, accounts.emeka)
    expect(await past(first.requestId, 'pending')).toMatchObject({ status: 'confirmed' })
    expect((await poll(first.requestId, 0)).transactionHashes).toEqual(expect.arrayContaining(again))
  })

  test('R16: after a reorganisation, the transaction confirms the request it confirmed before', async () => {
    const [first, second] = [await prepareTopUp('1000001'), await prepareTopUp('1000001')]
    const snapshot = await devnet.client.snapshot()
    const hashes = await sign(second, accounts.emeka)
    await tell(second.requestId, accounts.emeka.address, hashes)
    expect((await past(second.requestId, 'pending', 'submitted')).status).toBe('confirmed')
    await devnet.client.revert({ id: snapshot })
    await devnet.client.mine({ blocks: 1 })
    await expect.poll(async () => (await poll(second.requestId, 0)).status).toBe('submitted')
    expect(await sign(second, accounts.emeka)).toEqual(hashes)
    expect((await past(second.requestId, 'submitted')).status).toBe('confirmed')
    expect((await poll(first.requestId, 1)).status).toBe('pending')
  })

  test('R16: a reported transaction counts also where a reorganisation mines it below the block of its request', async () => {
    const snapshot = await devnet.client.snapshot()
    await devnet.client.mine({ blocks: 3 })
    const request = await prepareTopUp('1000002')
    await devnet.client.revert({ id: snapshot })
    const hashes = await sign(request, accounts.emeka)
    expect(await devnet.client.getBlockNumber({ cacheTime: 0 })).toBeLessThan(request.block.number)
    await tell(request.requestId, accounts.emeka.address, hashes)
    expect(await past(request.requestId, 'pending', 'submitted')).toMatchObject({
      status: 'confirmed',
      transactionHashes: hashes,
    })
  })

  test('nothing by the same event of another wallet, or of another amount', async () => {
    const request = await prepareTopUp('7000003')
    const scene = createScene(devnet.client, devnet.deployments, 'standard')
    await sendTopUp(scene, accounts.farah, 7_000_003n)
    await sendTopUp(scene, accounts.farah, 7_000_003n, accounts.emeka.address)
    await sendTopUp(scene, accounts.emeka, 7_000_004n)
    expect((await poll(request.requestId, 1)).status).toBe('pending')
  })

  test('a request of an account contract, whose transaction another sends', async () => {
    const wallet = '0x00000000000000000000000000000000C0FFEE01'
    // Calls the address in the first 20 bytes with the rest, and reverts if the call does.
    const forwarder = '0x6014360380601460003760006000916000600060003560601c5af160235760006000fd5b00'
    await devnet.client.setCode({ address: wallet, bytecode: forwarder })
    await sendTokens(devnet.client, devnet.deployments, wallet, { tok: parseAmount('5,000', 'tok'), usdc: 0n })
    const scene = createScene(devnet.client, devnet.deployments, 'standard')
    await sendTopUp(scene, accounts.ada, parseAmount('100', 'usdc'), wallet)
    const { tokToken, paymentGateway } = scene.contracts
    const forward = (to: Address, data: Hex) =>
      sendTransaction(devnet.client, accounts.keeper, { to: wallet, data: concat([to, data]) })
    await forward(
      tokToken,
      encodeFunctionData({ abi: tokTokenAbi, functionName: 'approve', args: [paymentGateway, maxUint256] }),
    )
    const id = await postOpenTask(devnet)
    const { header } = (await (await gateway.post('/v1/payment-receipt', { taskId: id, address: wallet })).json()) as {
      header: { value: string }
    }
    const request = await json(
      await gateway.post(`/v1/tasks/${id}/claim`, undefined, { 'payment-receipt': header.value }),
    )
    const [call] = request.calls
    const { transactionHash } = await forward(call?.to as Address, call?.data as Hex)
    const told = await tell(request.requestId, wallet, [transactionHash])
    expect(told.status).toBe(200)
    expect(await past(request.requestId, 'pending', 'submitted')).toMatchObject({
      status: 'confirmed',
      transactionHashes: [transactionHash],
    })
  })
})

describe('reports of the page are verified', () => {
  test('a hash of something else is ignored, and of another account refused', async () => {
    const request = await prepareTopUp('7000005')
    const scene = createScene(devnet.client, devnet.deployments, 'standard')
    const other = await sendCall(devnet.client, accounts.emeka, {
      address: scene.contracts.tokToken,
      abi: tokTokenAbi,
      functionName: 'transfer',
      args: [accounts.ada.address, 1n],
    })
    const strangers = await sendCall(devnet.client, accounts.ada, {
      address: scene.contracts.tokToken,
      abi: tokTokenAbi,
      functionName: 'transfer',
      args: [accounts.emeka.address, 1n],
    })
    for (const { transactionHash } of [other, strangers]) {
      const answer = await json(await tell(request.requestId, accounts.emeka.address, [transactionHash]))
      expect(answer).toMatchObject({ status: 'pending', transactionHashes: [] })
    }
    expect((await tell(request.requestId, accounts.ada.address, [])).status).toBe(400)
    // A hash that no node has yet may be valid. It is checked when the transaction appears.
    const unknown = `0x${'ab'.repeat(32)}` as const
    expect((await json(await tell(request.requestId, accounts.emeka.address, [unknown]))).status).toBe('submitted')
    await sign(request, accounts.emeka)
    expect((await past(request.requestId, 'submitted')).status).toBe('confirmed')
  })

  test('a failed transaction that is not one of the calls is ignored', async () => {
    const request = await prepareTopUp('7000006')
    const wrong = { ...request, calls: request.calls.map((call) => ({ ...call, data: '0xdeadbeef' })) }
    const hashes = await sign(wrong, accounts.emeka)
    expect((await json(await tell(request.requestId, accounts.emeka.address, hashes))).status).toBe('pending')
  })

  test('a failed call is reverted, and confirmed when it is sent again and succeeds', async () => {
    const request = await prepareTopUp('7000007', accounts.goran)
    const { depositVault, usdc } = createScene(devnet.client, devnet.deployments, 'standard').contracts
    const allow = (amount: bigint) =>
      sendCall(devnet.client, accounts.goran, {
        address: usdc,
        abi: tokTokenAbi,
        functionName: 'approve',
        args: [depositVault, amount],
      })
    await allow(0n)
    const hashes = await sign(request, accounts.goran)
    await tell(request.requestId, accounts.goran.address, hashes)
    expect(await past(request.requestId, 'pending', 'submitted')).toMatchObject({
      status: 'reverted',
      statusCode: 500,
      settled: true,
      transactionHashes: hashes,
    })
    await allow(maxUint256)
    await sign(request, accounts.goran)
    await expect.poll(async () => (await poll(request.requestId, 0)).status).toBe('confirmed')
  })
})

test('only a pending request can be rejected', async () => {
  const request = await prepareTopUp('7000008')
  const reject = () => gateway.post(`/v1/requests/${request.requestId}/reject`)
  expect((await json(await reject())).status).toBe('rejected')
  expect((await json(await reject())).status).toBe('rejected')
  const other = await prepareTopUp('7000009')
  await tell(other.requestId, accounts.emeka.address, [])
  const refused = await gateway.post(`/v1/requests/${other.requestId}/reject`)
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'REQUEST_SETTLED' }])
})

test('a request expires after 15 minutes, and the chain still settles it within the next hour', async () => {
  const [late, never] = [await prepareTopUp('7000010'), await prepareTopUp('7000011')]
  ahead += 15 * 60_000 + 1
  expect(await past(late.requestId, 'pending')).toMatchObject({ status: 'expired', statusCode: 400, settled: true })
  await sign(late, accounts.emeka)
  await expect.poll(async () => (await poll(late.requestId, 0)).status).toBe('confirmed')
  ahead += 60 * 60_000
  await sign(never, accounts.emeka)
  expect((await poll(never.requestId, 1)).status).toBe('expired')
})

test('a reorganisation undoes what it removes, and what is mined again counts again', async () => {
  const request = await prepareTopUp('7000012')
  const snapshot = await devnet.client.snapshot()
  await sign(request, accounts.emeka)
  expect((await past(request.requestId, 'pending')).status).toBe('confirmed')
  await devnet.client.revert({ id: snapshot })
  await devnet.client.mine({ blocks: 1 })
  await expect.poll(async () => (await poll(request.requestId, 0)).status).toBe('submitted')
  expect((await poll(request.requestId, 0)).transactionHashes).toEqual([])
  await sign(request, accounts.emeka)
  expect((await past(request.requestId, 'submitted')).status).toBe('confirmed')
})
