import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { loadSdk, XmtpBindingError } from './loadSdk.ts'

test('loads the native binding', async () => {
  expect((await loadSdk()).Client).toBeTypeOf('function')
})

test('if the native binding does not load, the error says what it needs and names the alternatives', async () => {
  // The SDK's loader uses the binary in this variable. This file is not a binary.
  const script = `import { loadSdk } from ${JSON.stringify(fileURLToPath(new URL('loadSdk.ts', import.meta.url)))}
    await loadSdk().then(() => console.log('loaded'), (error) => console.log(error.name, error.message))`
  const env = { NAPI_RS_NATIVE_LIBRARY_PATH: import.meta.filename }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  expect(stdout).toMatch(
    /^XmtpBindingError .*\((?:linux|darwin|win32) .*needs glibc 2\.34 or later.*--transport file or stdio/,
  )
  await expect(loadSdk(() => Promise.reject(new Error('GLIBC_2.38 not found')))).rejects.toThrow(XmtpBindingError)
})
