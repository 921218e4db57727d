import * as abis from '@svc/protocol/abis'
import type { Random } from '@svc/simulation/random'
import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
} from 'viem'
import type { AgentWorld } from './agentWorld.ts'

/** A call that a thief tries. */
export interface HostileCall {
  to: Address
  data: Hex
  value: bigint
  name: string
}

const accountAbi = parseAbi([
  'function execute((address target, uint256 value, bytes callData) execution)',
  'function execute(bytes32 mode, bytes executionCalldata)',
  'function executeFromExecutor(bytes32 mode, bytes executionCalldata)',
  'function enableDelegation((address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation)',
  'function addDeposit()',
  'function withdrawDeposit(address to, uint256 amount)',
  'function upgradeToAndCall(address implementation, bytes data)',
])

/** Every function that writes, of every contract of both markets, of the tokens, of the delegation framework and of the account itself. */
export function listTargets({ devnet, owner, grant }: AgentWorld): { to: Address; name: string; item: AbiFunction }[] {
  const { shared, markets } = devnet.deployments
  const named: Record<string, Abi> = abis
  const ofSuite = [shared, markets.micro, markets.standard].flatMap((places) =>
    Object.entries<Address>({ ...places }).flatMap(([name, to]) => {
      const abi = named[`${name}Abi`] ?? (name === 'usdc' ? erc20Abi : undefined)
      return abi ? [{ to, name, abi }] : []
    }),
  )
  return [...ofSuite, { to: owner.address, name: 'account', abi: accountAbi as Abi }]
    .flatMap(({ to, name, abi }) =>
      abi.flatMap((item) =>
        item.type === 'function' && item.stateMutability !== 'view' && item.stateMutability !== 'pure'
          ? [{ to, name: `${name}.${item.name}`, item }]
          : [],
      ),
    )
    .concat(
      parseAbi([
        'function disableDelegation((address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation)',
        'function pause()',
      ]).map((item) => ({ to: grant.delegationManager, name: `manager.${item.name}`, item })),
    )
}

/** Fills the arguments of a function with values that could matter, or random ones. */
export function fillCall(
  { to, name, item }: ReturnType<typeof listTargets>[number],
  { below, pick }: Random,
  hints: { addresses: readonly Address[]; tasks: readonly bigint[]; words: readonly Hex[]; until: bigint },
): HostileCall {
  const fill = (parameter: AbiParameter): unknown => {
    const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
    if (array) {
      const length = array[2] ? Number(array[2]) : below(3)
      return Array.from({ length }, () => fill({ ...parameter, type: array[1] ?? '' }))
    }
    if ('components' in parameter) {
      return Object.fromEntries(parameter.components.map((each) => [each.name ?? '', fill(each)]))
    }
    const { type } = parameter
    if (type === 'address') return pick(hints.addresses)
    if (type === 'bool') return below(2) === 1
    if (type === 'string') return pick(['', 'micro', 'Work'])
    if (type === 'bytes') return pick(['0x', ...hints.words])
    const bytes = /^bytes(\d+)$/.exec(type)
    if (bytes) return pick(hints.words).slice(0, 2 + 2 * Number(bytes[1]))
    const bits = Number(/^u?int(\d*)$/.exec(type)?.[1] || 256)
    const values = [
      0n,
      1n,
      ...hints.tasks,
      ...hints.tasks,
      10n ** 18n,
      1_000n * 10n ** 18n,
      13_000_000n,
      hints.until,
      2n ** 255n,
    ]
    return BigInt.asUintN(type.startsWith('u') ? bits : bits - 1, pick(values))
  }
  const args = item.inputs.map(fill)
  return {
    to,
    name,
    value: BigInt(below(40) === 0),
    data: encodeFunctionData({ abi: [item], functionName: item.name, args }),
  }
}
