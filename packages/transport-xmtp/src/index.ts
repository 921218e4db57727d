export { createXmtpTransport, type XmtpOptions } from './xmtpTransport.ts'
