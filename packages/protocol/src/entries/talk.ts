export {
  formatMailLine,
  hashMailLine,
  isThreadMessage,
  type MailMessage,
  openMail,
  parseMailLine,
  sealMail,
} from '../talk/mail.ts'
export { mailLimits } from '../talk/mailLimits.ts'
export {
  buildThreadMessage,
  type FoldedThread,
  foldThread,
  getThreadKey,
  type Misconduct,
  startThread,
  type Thread,
  type ThreadEnd,
  type ThreadOptions,
} from '../talk/thread.ts'
export {
  type ThreadPayload,
  type ThreadPayloadJson,
  type ThreadSide,
  type ThreadType,
  threadKinds,
  threadSides,
  threadTypes,
} from '../talk/threadKinds.ts'
export {
  buildThreadTypedData,
  hashThreadMessage,
  maxThreadMessages,
  parseThreadMessage,
  type SignedThreadMessage,
  sealThreadMessage,
  type ThreadMessage,
  type ThreadSubject,
  threadVersion,
  verifyThreadMessage,
} from '../talk/threadMessage.ts'
export {
  buildClaimInput,
  buildEndInput,
  getThreadStatus,
  type OpenRequest,
  type ThreadStatus,
} from '../talk/threadStatus.ts'
