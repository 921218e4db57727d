import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { loadSdk, XmtpBindingError } from './loadSdk.ts'

test('the native part loads here', async () => {
  expect((await loadSdk()).Client).toBeTypeOf('function')
})

test('where the native part does not load, the error says what it needs and what else there is', async () => {
  // The SDK's loader takes the binary that this variable names: here one that is none.
  const script = `import { loadSdk } from ${JSON.stringify(fileURLToPath(new URL('loadSdk.ts', import.meta.url)))}
    await loadSdk().then(() => console.log('loaded'), (error) => console.log(error.name, error.message))`
  const env = { NAPI_RS_NATIVE_LIBRARY_PATH: import.meta.filename }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  expect(stdout).toMatch(
    /^XmtpBindingError .*\((?:linux|darwin|win32) .*needs glibc 2\.34 or later.*--transport file or stdio/,
  )
  await expect(loadSdk(() => Promise.reject(new Error('GLIBC_2.38 not found')))).rejects.toThrow(XmtpBindingError)
})
