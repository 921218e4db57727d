export { formatMailLine, type MailMessage, openMail, parseMailLine, sealMail } from '../talk/mail.ts'
export { buildThreadMessage, type FoldedThread, foldThread } from '../talk/thread.ts'
export type { ThreadPayload, ThreadType } from '../talk/threadKinds.ts'
export {
  buildThreadTypedData,
  type SignedThreadMessage,
  sealThreadMessage,
  type ThreadSubject,
} from '../talk/threadMessage.ts'
export { buildClaimInput, buildEndInput, getThreadStatus, type ThreadStatus } from '../talk/threadStatus.ts'
