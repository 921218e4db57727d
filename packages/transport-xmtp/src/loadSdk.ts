type Sdk = typeof import('@xmtp/node-sdk')

/** Loads XMTP's SDK. Where its native part does not fit the system it says so, which the SDK itself does not. */
export async function loadSdk(load: () => Promise<Sdk> = () => import('@xmtp/node-sdk')): Promise<Sdk> {
  try {
    return await load()
  } catch (cause) {
    throw new XmtpBindingError(cause)
  }
}

/** XMTP's native part cannot run here. */
export class XmtpBindingError extends Error {
  override name = 'XmtpBindingError'

  constructor(cause: unknown) {
    const { platform, arch } = process
    const { glibcVersionRuntime } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header
    const system = `${platform} ${arch}${glibcVersionRuntime ? `, glibc ${glibcVersionRuntime}` : ''}`
    super(
      `XMTP's native part does not load here (${system}). On Linux it needs glibc 2.34 or later, or musl, on x64 or arm64. Use --transport file or stdio, or another system.`,
      { cause },
    )
  }
}
