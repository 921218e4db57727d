import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  claimPolicies,
  disputeEndings,
  disputePhases,
  liveStates,
  milestoneStates,
  taskScopes,
  taskStates,
  terminalStates,
} from './states.ts'

const source = (path: string) => readFileSync(new URL(`../../../../contracts/src/${path}`, import.meta.url), 'utf8')

/** The members of an enum as Solidity declares it. */
function readEnum(path: string, name: string): string[] {
  const [, body = ''] = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(source(path)) ?? []
  return body.split(',').map((member) => member.trim())
}

test.each([
  ['types/Task.sol', 'TaskState', taskStates],
  ['types/Task.sol', 'MilestoneState', milestoneStates],
  ['types/Task.sol', 'TaskScope', taskScopes],
  ['types/Task.sol', 'ClaimPolicy', claimPolicies],
  ['interfaces/IArbitration.sol', 'DisputePhase', disputePhases],
  ['interfaces/IArbitration.sol', 'Ending', disputeEndings],
])('%s: enum %s has the same members in the same order', (path, name, members) => {
  expect(readEnum(path, name)).toEqual(members)
})

test('every state but NONE is either live or terminal', () => {
  expect(['NONE', ...liveStates, ...terminalStates]).toEqual(taskStates)
})
