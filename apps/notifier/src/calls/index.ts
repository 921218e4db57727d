export { acknowledgeNotifications, createCalendar, listNotifications, removeCalendar } from './inbox.ts'
export { putProfile } from './profile.ts'
export { listSearches, removeSearch, saveSearch } from './searches.ts'
export { createSession, deleteData, endSession, exportData, getNotifier, putStatement } from './sessions.ts'
export {
  addEmail,
  addPush,
  addWebhook,
  changeSubscription,
  listSubscriptions,
  refuseEmails,
  removeSubscription,
  removeSubscriptions,
  testSubscription,
  unsubscribe,
  verifySubscription,
} from './subscriptions.ts'
