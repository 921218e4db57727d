import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const source = new URL('watchdog.ts', import.meta.url).href

test.each([
  ['while (true) {}', { code: null, signal: 'SIGKILL' }],
  // A short block is no reason, and the watchdog keeps no process alive.
  ['const end = Date.now() + 200; while (Date.now() < end) {}', { code: 0, signal: null }],
])('a process that ends with "%s"', async (block, expected) => {
  const program = `import { startWatchdog } from '${source}'; startWatchdog(1_000); setTimeout(() => { ${block} }, 100)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' })
  const [code, signal] = await once(child, 'exit')
  expect({ code, signal }).toEqual(expected)
})
