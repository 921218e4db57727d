import {
  CaveatType,
  contracts,
  createDelegation,
  createExecution,
  ExecutionMode,
  ScopeType,
  type SmartAccountsEnvironment,
} from '@metamask/smart-accounts-kit'
import { hashDelegation, SIGNABLE_DELEGATION_TYPED_DATA, toDelegationStruct } from '@metamask/smart-accounts-kit/utils'
import { accessFee, exitDeposit, SvcError } from '@svc/protocol'
import { depositVaultAbi, escrowVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import { type Grant, type GrantUse, listGrantedSelectors } from '@svc/protocol/internal/grants'
import {
  type Address,
  type Chain,
  type Client,
  concat,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  type LocalAccount,
  type PublicActions,
  type Transport,
  type WalletActions,
} from 'viem'

/** A connection to the chain that can read and send. */
export type ChainAccess = Client<
  Transport,
  Chain,
  undefined,
  undefined,
  PublicActions<Transport, Chain> & WalletActions<Chain>
>

/** What an owner asks for. */
export interface GrantRequest {
  apiUrl: string
  market: Grant['market']
  contracts: Grant['contracts']
  session: Address
  uses: readonly GrantUse[]
  /** How many tasks it may claim. */
  claims: number
  /** How many tasks it may post, and what it may put in escrow for all of them. */
  hires: number
  budgetTokWei: bigint
  /** The deposit that the account shall have: what is missing is topped up. */
  depositUsdc: bigint
  /** Unix seconds. */
  until: number
  gasWei: bigint
}

/** A grant before its owner signs: nothing has been sent. */
export type PlannedGrant = Omit<Grant, 'delegation'> & { missing: { depositUsdc: bigint; gasWei: bigint } }

/** How many transactions an entry takes, with revisions and several milestones. */
const callsPerEntry = 16

/**
 * Reads the account and says what a grant would allow. Throws NOT_FOR_AGENTS for an account with tasks, a stake or other code: its worst
 * case would be more than the grant.
 */
export async function planGrant(
  chain: ChainAccess,
  environment: SmartAccountsEnvironment,
  account: Address,
  request: GrantRequest,
): Promise<PlannedGrant> {
  const { claims, hires, budgetTokWei, depositUsdc, gasWei, until, session, uses, ...places } = request
  const { depositVault, stakingVault, escrowVault } = places.contracts
  const [code, framework, deposit, reserved, staked, credits, waiting, gas] = await Promise.all([
    chain.getCode({ address: account }),
    chain.getCode({ address: environment.DelegationManager }),
    chain.readContract({ address: depositVault, abi: depositVaultAbi, functionName: 'balanceOf', args: [account] }),
    chain.readContract({ address: depositVault, abi: depositVaultAbi, functionName: 'reservedOf', args: [account] }),
    chain.readContract({ address: stakingVault, abi: stakingVaultAbi, functionName: 'stakedOf', args: [account] }),
    chain.readContract({ address: stakingVault, abi: stakingVaultAbi, functionName: 'creditsOf', args: [account] }),
    chain.readContract({ address: escrowVault, abi: escrowVaultAbi, functionName: 'withdrawableOf', args: [account] }),
    chain.getBalance({ address: session }),
  ])
  const refuse = (why: string, hint: string) => new SvcError('NOT_FOR_AGENTS', `${account} ${why}.`, { hint })
  if (!framework) {
    throw new SvcError(
      'NO_FRAMEWORK',
      `There is no DelegationManager at ${environment.DelegationManager} on chain ${chain.chain.id}.`,
    )
  }
  if (code && code.toLowerCase() !== formatDelegationCode(environment))
    throw refuse('already has other code', 'Use an account of its own for the agent.')
  if (reserved > 0n)
    throw refuse('has running tasks', 'The key could touch them. Finish them first, or use another account.')
  if (staked + credits > 0n) throw refuse('has a stake', 'Credits would pay for more entries than the allowance.')
  if (waiting > 0n) throw refuse('has a payout to withdraw', 'Withdraw it first.')
  if (deposit > depositUsdc)
    throw refuse(`has a deposit of ${deposit} units`, 'Withdraw the difference, or grant as much.')
  return {
    version: 1,
    ...places,
    chainId: chain.chain.id,
    account,
    session,
    uses: [...uses],
    delegationManager: environment.DelegationManager as Address,
    limits: {
      allowanceTokWei: BigInt(claims + hires) * (accessFee + exitDeposit) + budgetTokWei,
      depositUsdc,
      calls: (claims + hires) * callsPerEntry,
      until,
      gasWei,
      hireTokWei: budgetTokWei,
    },
    missing: { depositUsdc: depositUsdc - deposit, gasWei: gasWei > gas ? gasWei - gas : 0n },
  }
}

/** Signs a planned grant and sends it in one transaction: the code of the account, the allowance, the deposit and gas for the key. */
export async function signGrant(
  chain: ChainAccess,
  environment: SmartAccountsEnvironment,
  owner: LocalAccount,
  { missing, ...plan }: PlannedGrant,
): Promise<Grant> {
  const { tokToken, usdc, paymentGateway, depositVault, taskRegistry } = plan.contracts
  const { allowanceTokWei, calls, until } = plan.limits
  const unsigned = createDelegation({
    environment,
    from: owner.address,
    to: plan.session,
    scope: {
      type: ScopeType.FunctionCall,
      targets: [taskRegistry],
      selectors: listGrantedSelectors(plan.uses),
      valueLte: { maxValue: 0n },
    },
    caveats: [
      { type: CaveatType.Timestamp, afterThreshold: 0, beforeThreshold: until },
      { type: CaveatType.LimitedCalls, limit: calls },
    ],
    // Two grants of one day with the same limits are two delegations: the first one may be revoked.
    salt: `0x${crypto.randomUUID().replaceAll('-', '')}`,
  })
  const signature = await owner.signTypedData({
    domain: {
      name: 'DelegationManager',
      version: '1',
      chainId: plan.chainId,
      verifyingContract: plan.delegationManager,
    },
    types: SIGNABLE_DELEGATION_TYPED_DATA,
    primaryType: 'Delegation',
    message: toDelegationStruct({ ...unsigned, signature: '0x' }),
  })
  const delegation = { ...unsigned, signature }
  const topUp = missing.depositUsdc > 0n
  await sendBatch(chain, environment, owner, [
    approval(tokToken, paymentGateway, allowanceTokWei),
    ...(topUp ? [approval(usdc, depositVault, missing.depositUsdc)] : []),
    ...(topUp
      ? [
          createExecution({
            target: depositVault,
            callData: encodeFunctionData({
              abi: depositVaultAbi,
              functionName: 'topUp',
              args: [missing.depositUsdc],
            }),
          }),
        ]
      : []),
    ...(missing.gasWei > 0n ? [createExecution({ target: plan.session, value: missing.gasWei, callData: '0x' })] : []),
  ])
  return { ...plan, delegation }
}

/** Ends a grant: the delegation and the allowance in one transaction. Running tasks stay the owner's to finish. */
export async function revokeGrant(
  chain: ChainAccess,
  environment: SmartAccountsEnvironment,
  owner: LocalAccount,
  grant: Grant,
): Promise<Hex> {
  const { tokToken, paymentGateway } = grant.contracts
  const disable = contracts.DelegationManager.encode.disableDelegation({ delegation: grant.delegation })
  const isOff = await readIsRevoked(chain, grant)
  return sendBatch(chain, environment, owner, [
    ...(isOff ? [] : [createExecution({ target: grant.delegationManager, callData: disable })]),
    approval(tokToken, paymentGateway, 0n),
  ])
}

/** Whether the owner has ended the delegation of a grant. */
export const readIsRevoked = (chain: Pick<ChainAccess, 'readContract'>, grant: Grant): Promise<boolean> =>
  chain.readContract({
    address: grant.delegationManager,
    abi: disabledAbi,
    functionName: 'disabledDelegations',
    args: [hashDelegation(grant.delegation)],
  })

const disabledAbi = [
  {
    type: 'function',
    name: 'disabledDelegations',
    stateMutability: 'view',
    inputs: [{ name: 'delegationHash', type: 'bytes32' }],
    outputs: [{ name: 'isDisabled', type: 'bool' }],
  },
] as const

/** The code of an account that has this implementation (EIP-7702). */
const formatDelegationCode = ({ implementations }: SmartAccountsEnvironment): Hex =>
  concat(['0xef0100', implementations.EIP7702StatelessDeleGatorImpl ?? '0x']).toLowerCase() as Hex

const approval = (token: Address, spender: Address, amount: bigint) =>
  createExecution({
    target: token,
    callData: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  })

/** Sends calls of an account to itself in one transaction, and gives it the code first if it has none. */
async function sendBatch(
  chain: ChainAccess,
  environment: SmartAccountsEnvironment,
  owner: LocalAccount,
  executions: ReturnType<typeof createExecution>[],
): Promise<Hex> {
  const { address } = owner
  const code = await chain.getCode({ address })
  const data = contracts.DeleGatorCore.encode.executeWithMode({
    mode: ExecutionMode.BatchDefault,
    executions,
  })
  const authorizationList = code
    ? undefined
    : [
        await chain.signAuthorization({
          account: owner,
          contractAddress: environment.implementations.EIP7702StatelessDeleGatorImpl as Address,
          executor: 'self',
        }),
      ]
  const hash = await chain.sendTransaction({
    account: owner,
    to: address,
    data,
    ...(authorizationList && { authorizationList, gas: 1_500_000n }),
  })
  const receipt = await chain.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new SvcError('REVERTED', `Transaction ${hash} reverted.`)
  return hash
}
