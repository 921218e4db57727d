import { SvcError } from '@svc/protocol'

type Sdk = typeof import('@xmtp/node-sdk')

/** Loads XMTP's SDK. Throws `XmtpBindingError` if its native binding does not support this system. */
export async function loadSdk(load: () => Promise<Sdk> = () => import('@xmtp/node-sdk')): Promise<Sdk> {
  try {
    return await load()
  } catch (cause) {
    throw new XmtpBindingError(cause)
  }
}

/** XMTP's native binding does not run on this system. */
export class XmtpBindingError extends SvcError {
  override name = 'XmtpBindingError'

  constructor(cause: unknown) {
    const { platform, arch } = process
    const { glibcVersionRuntime } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header
    const system = `${platform} ${arch}${glibcVersionRuntime ? `, glibc ${glibcVersionRuntime}` : ''}`
    super(
      'XMTP_BINDING',
      `XMTP's native binding does not load on this system (${system}). On Linux it needs glibc 2.34 or later, or musl, on x64 or arm64. Use --transport file or stdio, or another system.`,
      { cause },
    )
  }
}
