import { chmod } from 'node:fs/promises'
import { rolldown } from 'rolldown'

/** Writes a command and all that it imports as one file that needs nothing but Node. */
export async function bundleFile(source: string, file: string): Promise<void> {
  const bundle = await rolldown({
    input: source,
    platform: 'node',
    // Native code, 240 MB of it: whoever wants XMTP installs it.
    external: [/^@svc\/transport-xmtp$/, /^@xmtp\//],
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false, comments: { legal: true, jsdoc: false } })
  await bundle.close()
  await chmod(file, 0o755)
}
