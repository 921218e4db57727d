import { accounts } from '@svc/devnet'
import { depositVaultAbi } from '@svc/protocol/abis'
import { erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import type { FakeWallet } from '../harness/fakeWallet.ts'
import { startForTests } from '../harness/startForTests.ts'
import { openSite } from './openSite.ts'
import { createPerson, findSign, listWalletCalls } from './person.ts'

const site = startForTests(openSite, 'close')

const owner = accounts.newcomer.address

/** Opens the receipt of a top-up that needs an allowance. */
async function openTopUp(amountUsdc: string, wallet: Partial<FakeWallet>) {
  const person = await createPerson(site.browser, site.stack, owner, wallet)
  await person.open('/do/top-up')
  await person.connect()
  await person.fill({ amountUsdc })
  await person.review()
  await findSign(person.page).waitFor()
  const listPrompts = () => listWalletCalls(person.page, 'eth_signTypedData_v4', 'eth_sendTransaction')
  return { ...person, listPrompts }
}

async function readMoney() {
  const { client, deployments } = site.stack.world.devnet
  const { depositVault: vault } = deployments.markets.standard
  const { usdc } = deployments.shared
  return {
    vault,
    usdc,
    deposit: await client.readContract({
      address: vault,
      abi: depositVaultAbi,
      functionName: 'balanceOf',
      args: [owner],
    }),
    allowance: await client.readContract({
      address: usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [owner, vault],
    }),
  }
}

test('a plain wallet signs a permit that the receipt explains, then sends one transaction', async () => {
  const before = await readMoney()
  const { page, sign, listPrompts, faults } = await openTopUp('25', {})
  const permit = page.locator('.receipt-permit')
  await permit.waitFor({ state: 'attached' })
  for (const says of ['25.00 USDC', 'the deposit vault', before.vault, '30 minutes']) {
    await expect.poll(() => permit.textContent()).toContain(says)
  }
  await sign()
  const [signed, sent, ...others] = await listPrompts()
  expect([signed?.method, sent?.method, others.length]).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction', 0])
  expect(JSON.parse(String(signed?.params[1]))).toMatchObject({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: before.usdc },
    primaryType: 'Permit',
    message: { owner, spender: before.vault, value: '25000000' },
  })
  expect(await readMoney()).toMatchObject({ deposit: before.deposit + 25_000_000n, allowance: 0n })
  expect(faults).toEqual([])
})

test.each<[string, Partial<FakeWallet>]>([
  ['does not sign typed data', { signsTypedData: false }],
  ['is a contract', { isContract: true }],
])('a wallet that %s sends an approval instead', async (_, wallet) => {
  const before = await readMoney()
  const { sign, listPrompts } = await openTopUp('26', wallet)
  await sign()
  const sent = (await listPrompts()).filter(({ method }) => method === 'eth_sendTransaction')
  expect(sent).toHaveLength(2)
  expect(await readMoney()).toMatchObject({ deposit: before.deposit + 26_000_000n, allowance: 0n })
})

test('a permit that is declined sends nothing', async () => {
  const { page, listPrompts } = await openTopUp('27', { rejectsAfter: 0 })
  await findSign(page).click()
  await page.getByText('You declined the request in your wallet').waitFor()
  expect((await listPrompts()).map(({ method }) => method)).toEqual(['eth_signTypedData_v4'])
})
