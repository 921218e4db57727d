import { accounts, mockFeed } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { arbitrationAbi, depositVaultAbi } from '@svc/protocol/abis'
import { minBond } from '@svc/protocol/internal/money'
import {
  encodeFunctionData,
  erc20Abi,
  keccak256,
  type LocalAccount,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Draft, PlannedChain } from './plannedChain.ts'

/** The initial balances of each wallet. */
const [tok, usdc, deposit] = [parseUnits('30000000', 18), parseUnits('20000', 6), parseUnits('4000', 6)]

/** How many of the wallets are arbitrators too. */
const arbitratorCount = 6

/** Lists the wallets that are arbitrators. */
export const listJudgeWallets = (wallets: readonly LocalAccount[]): readonly LocalAccount[] =>
  wallets.slice(-arbitratorCount)

/** Creates funded wallets with deposits; every second one gives the payment gateway an unlimited TOK allowance. */
export async function fundWallets(chain: PlannedChain, count: number): Promise<LocalAccount[]> {
  const { client, deployments, mine } = chain
  const wallets = Array.from({ length: count }, (_, index) => privateKeyToAccount(keccak256(toHex(`wallet ${index}`))))
  for (const { address } of wallets) await client.setBalance({ address, value: parseEther('1000') })
  const { shared } = deployments
  const draft = (by: LocalAccount, to: Draft['to'], data: Draft['data']): Draft => ({ by, to, data })
  const { treasury } = accounts
  const transfer = (to: LocalAccount) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to.address, tok] })
  const mint = (to: LocalAccount) =>
    encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [to.address, usdc] })
  const approve = (spender: Draft['to'], amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  await mine(
    wallets.flatMap((wallet) => [
      draft(treasury, shared.tokToken, transfer(wallet)),
      draft(treasury, shared.usdc, mint(wallet)),
    ]),
  )
  for (const market of markets) {
    const { depositVault, paymentGateway, arbitration } = deployments.markets[market]
    const topUp = (wallet: LocalAccount) =>
      encodeFunctionData({ abi: depositVaultAbi, functionName: 'topUpFor', args: [wallet.address, deposit] })
    await mine(
      wallets.flatMap((wallet, index) => [
        draft(wallet, shared.usdc, approve(depositVault, deposit)),
        draft(wallet, depositVault, topUp(wallet)),
        ...(index % 2 === 0 ? [draft(wallet, shared.tokToken, approve(paymentGateway, maxUint256))] : []),
      ]),
    )
    await mine(
      listJudgeWallets(wallets).flatMap((wallet, index) => {
        const bond = minBond * BigInt(index + 4)
        const register = encodeFunctionData({ abi: arbitrationAbi, functionName: 'register', args: [bond] })
        return [
          draft(wallet, shared.tokToken, approve(paymentGateway, maxUint256)),
          draft(wallet, arbitration, register),
        ]
      }),
    )
  }
  // Buying a plan with TOK needs a fresh price.
  const time = BigInt(chain.head().timestamp)
  const price = encodeFunctionData({ abi: feedAbi, functionName: 'set', args: [250_000n, time, time] })
  await mine([draft(accounts.keeper, mockFeed, price)])
  return wallets
}

const feedAbi = parseAbi(['function set(int256 answer, uint256 startedAt, uint256 updatedAt)'])
const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])
