import { chmod } from 'node:fs/promises'
import { rolldown } from 'rolldown'

/** Bundles a command and everything it imports into one file that only needs Node. */
export async function bundleFile(source: string, file: string): Promise<void> {
  const bundle = await rolldown({
    input: source,
    platform: 'node',
    // 240 MB of native code. Users who want XMTP install it themselves.
    external: [/^@svc\/transport-xmtp$/, /^@xmtp\//],
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false, comments: { legal: true, jsdoc: false } })
  await bundle.close()
  await chmod(file, 0o755)
}
