export { acknowledgeNotifications, listNotifications } from './inbox.ts'
export { createSession, getNotifier, putStatement } from './sessions.ts'
