import { expect, test } from 'vitest'
import { taskText } from '../../apps/site/src/text/task.ts'
import { disputeGuards } from '../../packages/protocol/src/disputes.ts'
import { guards } from '../../packages/protocol/src/guards.ts'

test('the task page rewords only rules that the lifecycle has', () => {
  const rules = new Set<string>([...Object.values(guards), ...Object.values(disputeGuards)].map(({ rule }) => rule))
  expect(Object.keys(taskText.blocked.rules).filter((rule) => !rules.has(rule))).toEqual([])
})
