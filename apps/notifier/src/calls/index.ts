export { acknowledgeNotifications, listNotifications } from './inbox.ts'
export { createSession, getNotifier, putStatement } from './sessions.ts'
export {
  addEmail,
  addPush,
  addWebhook,
  changeSubscription,
  listSubscriptions,
  removeSubscription,
  removeSubscriptions,
  testSubscription,
  unsubscribe,
  verifySubscription,
} from './subscriptions.ts'
