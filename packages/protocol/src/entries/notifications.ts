export { notificationKinds } from '../notifications/kinds.ts'
export {
  type NotificationPlan,
  type PlannedNotification,
  planNotifications,
} from '../notifications/planNotifications.ts'
