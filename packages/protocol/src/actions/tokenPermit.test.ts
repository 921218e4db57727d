import { decodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import vectors from '../../vectors/calls.json' with { type: 'json' }
import { arbitrationAbi, depositVaultAbi, paymentGatewayAbi, stakingVaultAbi } from '../abis/index.ts'
import { chainProfiles } from '../base/chains.ts'
import { type ActionContracts, parseActionInput } from './action.ts'
import { buildCalls } from './calls.ts'
import { actionList, actions } from './index.ts'
import { buildPermitTypedData, planPermit, type TokenPermit } from './tokenPermit.ts'

const standard: ActionContracts = JSON.parse(
  JSON.stringify(Object.fromEntries(vectors.contracts.map((name, index) => [name, vectors.addresses[index]]))),
)
const markets = { standard, micro: { ...standard, depositVault: standard.escrowVault } }
const from = '0xa0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0'
const permit: TokenPermit = { deadline: 1_800_000_000n, v: 27, r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}` }

/** The calls of a vector, with no allowance given before. */
function listCalls(name: string) {
  const action = actionList.find((each) => each.name === name)
  const json = vectors.inputs[vectors.names.indexOf(name)]
  if (!action || json === undefined) throw new Error(`There is no vector of ${name}.`)
  return buildCalls(action, parseActionInput(action, JSON.parse(json)), { from, contracts: standard })
}

test('an approval and a top-up become one call with the same amount', () => {
  const calls = buildCalls(
    actions['top-up'],
    { market: 'standard', amountUsdc: 25_000_000n },
    { from, contracts: standard },
  )
  const plan = planPermit(calls, markets)
  expect(plan).toMatchObject({
    approval: { token: 'usdc', spender: 'depositVault', amount: 25_000_000n },
    tokenAddress: standard.usdc,
    spenderAddress: standard.depositVault,
  })
  const call = plan?.buildCall(permit)
  expect(call?.to).toBe(standard.depositVault)
  expect(decodeFunctionData({ abi: depositVaultAbi, data: call?.data ?? '0x' })).toEqual({
    functionName: 'topUpWithPermit',
    args: [25_000_000n, permit],
  })
})

test('nothing is signed if nothing is missing, or if the contract takes no permit', () => {
  expect(planPermit(listCalls('top-up').slice(-1), markets)).toBeNull()
  expect(listCalls('fund-task')).toHaveLength(2)
  expect(planPermit(listCalls('fund-task'), markets)).toBeNull()
})

test('an approval of another amount than the action pays is not replaced', () => {
  const [, ...last] = listCalls('stake')
  const approve = parseAbi(['function approve(address spender, uint256 amount)'])
  const [more] = buildCalls(
    actions['approve-tok-router'],
    { market: 'standard', amountTokWei: 10n ** 30n },
    {
      from,
      contracts: standard,
    },
  )
  expect(decodeFunctionData({ abi: approve, data: more?.data ?? '0x' }).args[1]).toBe(10n ** 30n)
  expect(planPermit([...(more ? [more] : []), ...last], markets)).toBeNull()
})

test.each(actionList.filter(({ withPermit }) => withPermit))('$name has the function that its row names', (action) => {
  const abis = [depositVaultAbi, stakingVaultAbi, arbitrationAbi, paymentGatewayAbi]
  const selectors = abis.flatMap((abi) => abi.filter(({ type }) => type === 'function').map(toSelector))
  const plan = planPermit(listCalls(action.name), markets)
  expect(selectors).toContain(plan?.buildCall(permit).data.slice(0, 10))
})

const toSelector = (entry: object): Hex => toFunctionSelector(entry as Parameters<typeof toFunctionSelector>[0])

test('a permit of USDC is signed for the name that it has on its chain', () => {
  const approval = { token: 'usdc', spender: 'depositVault', amount: 1n } as const
  const plan = { approval, tokenAddress: standard.usdc, spenderAddress: standard.depositVault }
  const names = chainProfiles.map(
    ({ id }) => buildPermitTypedData(plan, { chainId: id, owner: from, nonce: 0n, deadline: 1n }).domain.name,
  )
  expect(names).toEqual(['USD Coin', 'USDC', 'USD Coin'])
})
