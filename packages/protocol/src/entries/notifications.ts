export { type ActionRule, actionRules } from '../notifications/actionRules.ts'
export { deadlineClocks, phaseClocks, stateClocks } from '../notifications/clockRules.ts'
export { eventRules } from '../notifications/eventRules.ts'
export { notificationKinds } from '../notifications/kinds.ts'
export {
  type NotificationPlan,
  type PlannedDeadline,
  type PlannedNotification,
  type PlanOptions,
  planNotifications,
} from '../notifications/planNotifications.ts'
export type {
  Clock,
  ClockRule,
  EventRule,
  MessageRule,
  Reminder,
  ReminderName,
  RuleContext,
  Urgency,
} from '../notifications/rule.ts'
export { lowDeposit, type SearchMatch, type WalletRule, walletRules } from '../notifications/walletRules.ts'
