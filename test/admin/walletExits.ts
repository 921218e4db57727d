import { accounts, advanceTime, type Scene, sendCall, sendRegistration, sendRelease } from '@svc/devnet'
import { arbitrationAbi } from '@svc/protocol/abis'
import { type AnyAction, encodeActionInput } from '@svc/protocol/actions'
import { type Address, parseEther, parseUnits } from 'viem'
import { ownActions, withUnsendableTok } from '../protocol/cases.ts'
import { startTask } from './drillTasks.ts'

const { newcomer, bruno: poster, farah, olga } = accounts
const usd = (amount: number) => parseUnits(String(amount), 6)

/** What a wallet can do without a task. */
interface WalletAction {
  by: Address
  input: Record<string, unknown>
  /** The error before the owner has opened staking. */
  beforeStaking?: string
}

/** Every action without a task, in a state that allows it: see `leaveMoneyBehind`. */
const walletActions: Record<string, WalletAction> = {
  'approve-usdc-vault': { by: newcomer.address, input: { amountUsdc: usd(25) } },
  'approve-tok-router': { by: newcomer.address, input: { amountTokWei: parseEther('1000') } },
  'top-up': { by: newcomer.address, input: { amountUsdc: usd(45) } },
  'emergency-top-up': { by: newcomer.address, input: { agent: poster.address, amountUsdc: usd(8) } },
  'withdraw-deposit': { by: newcomer.address, input: { amountUsdc: usd(30), to: newcomer.address } },
  'withdraw-payout': { by: farah.address, input: { to: farah.address } },
  'invalidate-nonce': { by: poster.address, input: { nonce: 99n } },
  'register-arbitrator': { by: newcomer.address, input: { amountTokWei: parseEther('10000') } },
  'request-unbond': { by: accounts.jun.address, input: {} },
  unbond: { by: olga.address, input: {} },
  'withdraw-award': { by: farah.address, input: { to: farah.address } },
  'buy-plan': {
    by: newcomer.address,
    input: { tier: 'basic', beneficiary: newcomer.address, payWith: 'usdc', maxAmount: usd(1_000) },
  },
  stake: { by: newcomer.address, input: { amountTokWei: parseEther('50') }, beforeStaking: 'StakingNotActive' },
  unstake: {
    by: accounts.goran.address,
    input: { amountTokWei: parseEther('40') },
    beforeStaking: 'InsufficientStake',
  },
  'claim-rewards': { by: accounts.goran.address, input: {}, beforeStaking: 'ZeroAmount' },
}

/** An action with the input of its request. */
export interface PreparedWalletAction extends Omit<WalletAction, 'input'> {
  action: AnyAction
  json: Record<string, unknown>
}

/** Lists every action of the table that has no task. Throws if one of them is not drilled. */
export function listWalletActions({ market }: Scene): PreparedWalletAction[] {
  return ownActions
    .filter(({ operation }) => !operation)
    .map((action) => {
      const drill = walletActions[action.name]
      if (!drill) throw new Error(`No drill for ${action.name}.`)
      const { input, ...rest } = drill
      return { ...rest, action, json: encodeActionInput(action, { market, ...input }) }
    })
}

/**
 * Leaves money in every place that a wallet can take it from: a payout and an award that could not be sent, and bonds. The wallets
 * have deposits and approvals. Takes eight days of the chain, after which a bond can be taken.
 */
export async function leaveMoneyBehind(scene: Scene): Promise<void> {
  const { client, contracts } = scene
  await sendRegistration(scene, olga, parseEther('10000'))
  const arbitration = { address: contracts.arbitration, abi: arbitrationAbi } as const
  await sendCall(client, olga, { ...arbitration, functionName: 'requestUnbond', args: [] })
  const parties = { poster, worker: farah }
  const paid = await startTask(scene, 'last delivered', parties)
  await withUnsendableTok(scene, () => sendRelease(scene, paid))
  // Part of the poster's stake goes to the worker.
  const conceded = await startTask(scene, 'last disputed', parties)
  await withUnsendableTok(scene, () => sendRelease(scene, conceded))
  await advanceTime(client, 8 * 86_400)
}
