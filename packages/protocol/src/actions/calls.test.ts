import { expect, test } from 'vitest'
import vectors from '../../vectors/calls.json' with { type: 'json' }
import { type ActionContract, type ActionContracts, getContract, parseActionInput } from './action.ts'
import { buildCalls } from './calls.ts'
import { actionList, findAction } from './index.ts'

const contracts: ActionContracts = JSON.parse(
  JSON.stringify(Object.fromEntries(vectors.contracts.map((name, index) => [name, vectors.addresses[index]]))),
)

test.each(vectors.names.map((name, index) => [name, index] as const))(
  '%s is called as its vector says',
  (name, index) => {
    const action = findAction(name)
    if (!action) throw new Error(`There is no action ${name}.`)
    const input = parseActionInput(action, JSON.parse(vectors.inputs[index] ?? ''))
    const from = '0xa0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0'
    const calls = buildCalls(action, input, { from, contracts })
    expect(calls.at(-1)).toEqual({
      to: getContract(contracts, vectors.called[index] as ActionContract),
      value: '0x0',
      data: vectors.data[index],
    })
    expect(calls.slice(0, -1).map(({ to, data }) => ({ to, data }))).toEqual(vectors.approvals[index])
  },
)

test('every action on our contracts has a vector', () => {
  expect(vectors.names).toEqual(actionList.filter(({ swap }) => !swap).map(({ name }) => name))
})
