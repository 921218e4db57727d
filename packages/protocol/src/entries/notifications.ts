export { type ActionRule, actionRules } from '../notifications/actionRules.ts'
export { deadlineClocks, phaseClocks, stateClocks } from '../notifications/clockRules.ts'
export { eventRules } from '../notifications/eventRules.ts'
export { notificationKinds } from '../notifications/kinds.ts'
export {
  type NotificationPlan,
  type PlannedNotification,
  type PlanOptions,
  planNotifications,
} from '../notifications/planNotifications.ts'
export type {
  Clock,
  ClockRule,
  EventRule,
  Reminder,
  ReminderName,
  RuleContext,
  Telling,
  Urgency,
} from '../notifications/rule.ts'
