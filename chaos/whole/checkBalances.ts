import { accounts } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { arbitrationAbi, depositVaultAbi, escrowVaultAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { type Address, erc20Abi } from 'viem'
import { expectSame, type FinalState } from './finalState.ts'
import { readMarketHoldings, withdrawsAtEnd } from './withdrawAll.ts'

/** Checks, from contract storage, that the contracts hold exactly what they owe and that no token was created or lost. */
export async function checkBalances(final: FinalState): Promise<void> {
  const { chain, wallets, runs } = final
  const { client, deployments } = chain
  const { shared } = deployments
  const everybody = [
    ...new Set([...[...wallets, ...Object.values(accounts)].map(({ address }) => address), shared.treasury]),
  ]
  const balances = (token: Address, holders: readonly Address[]) =>
    client.multicall({
      allowFailure: false,
      contracts: holders.map(
        (holder) => ({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] }) as const,
      ),
    })
  const vaults: Address[] = []
  for (const market of markets) {
    const { escrowVault, depositVault, stakingVault, arbitration, paymentGateway, taskRegistry } =
      deployments.markets[market]
    vaults.push(escrowVault, depositVault, stakingVault, arbitration, paymentGateway, taskRegistry)
    const [escrowed = 0n, bonded = 0n, staked = 0n, passing = 0n] = await balances(shared.tokToken, [
      escrowVault,
      arbitration,
      stakingVault,
      paymentGateway,
    ])
    const [deposited] = await balances(shared.usdc, [depositVault])
    const escrow = { address: escrowVault, abi: escrowVaultAbi } as const
    const arbitrators = { address: arbitration, abi: arbitrationAbi } as const
    const deposits = { address: depositVault, abi: depositVaultAbi } as const
    const union = { address: stakingVault, abi: stakingVaultAbi } as const
    const read = await client.multicall({
      allowFailure: false,
      contracts: [
        { ...escrow, functionName: 'totalHeld' },
        { ...escrow, functionName: 'totalWithdrawable' },
        { ...escrow, functionName: 'totalExitDeposits' },
        { ...arbitrators, functionName: 'totalBonded' },
        { ...arbitrators, functionName: 'totalWithdrawable' },
        { ...arbitrators, functionName: 'totalStakes' },
        { ...deposits, functionName: 'totalDeposits' },
        { ...union, functionName: 'totalStakedTok' },
        { ...union, functionName: 'rewardReserve' },
        { address: taskRegistry, abi: taskRegistryAbi, functionName: 'taskCount' },
      ],
    })
    const [held, payable, exitDeposits, bonds, awards, openerStakes, deposit, stakes, reserve, count] = read
    const ofAll = async ({ address }: { address: Address }, functionName: 'withdrawableOf') =>
      sum(
        await client.multicall({
          allowFailure: false,
          // Both contracts have this function.
          contracts: everybody.map((each) => ({ address, abi: escrowVaultAbi, functionName, args: [each] }) as const),
        }),
      )
    const each = async (functionName: 'balanceOf' | 'reservedOf', of: readonly Address[]) =>
      sum(
        await client.multicall({
          allowFailure: false,
          contracts: of.map((wallet) => ({ ...deposits, functionName, args: [wallet] }) as const),
        }),
      )
    const numbers = Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))
    const escrowAccounts = await client.readContract({ ...escrow, functionName: 'accountsOf', args: [numbers] })
    const heldByTasks = sum(escrowAccounts.map(({ funded, released, refunded }) => funded - released - refunded))
    const open = runs.filter((run) => run.market === market && !run.isOver).length
    expectSame(
      final,
      `the escrow of ${market}`,
      { balance: escrowed, held },
      { balance: held + payable + exitDeposits, held: heldByTasks },
    )
    expectSame(final, `what can be withdrawn of ${market}`, payable, await ofAll(escrow, 'withdrawableOf'))
    expectSame(final, `the bonds of ${market}`, bonded, bonds + awards + openerStakes)
    expectSame(final, `the awards of ${market}`, awards, await ofAll(arbitrators, 'withdrawableOf'))
    expectSame(final, `the deposits of ${market}`, [deposited, deposit], [deposit, await each('balanceOf', everybody)])
    expectSame(final, `the stakes of ${market}`, staked >= stakes + reserve, true)
    expectSame(final, `the payment gateway of ${market}`, passing, 0n)
    expectSame(
      final,
      `open runs of ${market}`,
      { open, held, exitDeposits, openerStakes, reserved: await each('reservedOf', everybody) },
      { open: 0, held: 0n, exitDeposits: 0n, openerStakes: 0n, reserved: 0n },
    )
    expectSame(final, `tasks of ${market}`, count, BigInt(runs.filter((run) => run.market === market).length))
    for (const wallet of wallets.filter(withdrawsAtEnd)) {
      const { arbitrator, ...left } = await readMarketHoldings(chain, wallet, market)
      expectSame(
        final,
        `what was left behind of ${wallet.address}, ${market}`,
        { ...left, bond: arbitrator.bond },
        { staked: 0n, rewards: 0n, free: 0n, award: 0n, payout: 0n, bond: 0n },
      )
    }
  }
  for (const token of [shared.tokToken, shared.usdc]) {
    const supply = await client.readContract({ address: token, abi: erc20Abi, functionName: 'totalSupply' })
    const holders = [...new Set([...everybody, ...vaults, shared.timelock])]
    expectSame(final, `the supply of ${token}`, sum(await balances(token, holders)), supply)
  }
}

const sum = (amounts: readonly unknown[]): bigint => (amounts as bigint[]).reduce((total, amount) => total + amount, 0n)
