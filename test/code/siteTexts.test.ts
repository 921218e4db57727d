import { expect, test } from 'vitest'
import { notificationsText } from '../../apps/site/src/text/notifications.ts'
import { taskText } from '../../apps/site/src/text/task.ts'
import { notificationKinds } from '../../packages/protocol/src/notifications/kinds.ts'
import { disputeGuards } from '../../packages/protocol/src/tasks/disputes.ts'
import { guards } from '../../packages/protocol/src/tasks/guards.ts'

test('the task page rewords only rules that the lifecycle has', () => {
  const rules = new Set<string>([...Object.values(guards), ...Object.values(disputeGuards)].map(({ rule }) => rule))
  expect(Object.keys(taskText.blocked.rules).filter((rule) => !rules.has(rule))).toEqual([])
})

test('every kind of notification has a plain name, and no two have the same', () => {
  expect(Object.keys(notificationsText.kinds).sort()).toEqual([...notificationKinds].sort())
  expect(new Set(Object.values(notificationsText.kinds)).size).toBe(notificationKinds.length)
})
