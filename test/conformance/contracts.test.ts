// Names of the contracts that the specification uses.
import { taskRegistryAbi, taskScopeRegistryAbi } from '@svc/protocol/abis'
import { expect, test } from 'vitest'

test('tasks are announced by TaskPosted, and their scope is read with scopeOf', () => {
  expect(taskRegistryAbi.filter(({ type }) => type === 'event').map(({ name }) => name)).toContain('TaskPosted')
  const scope = taskScopeRegistryAbi.find((each) => 'name' in each && each.name === 'scopeOf')
  expect(scope).toMatchObject({ type: 'function', inputs: [{ name: 'taskId', type: 'uint256' }] })
})
