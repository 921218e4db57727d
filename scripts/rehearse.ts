// pnpm rehearse: deploys, checks and governs on local chains, with everything that can go wrong. CI runs its short form.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const args = [
  'run',
  '--project',
  'system',
  '--project',
  'browser',
  'test/admin',
  'testnet.test.ts',
  ...process.argv.slice(2),
]
const child = spawn('vitest', args, { stdio: 'inherit', env: { ...process.env, REHEARSE: 'full' } })
const [code] = await once(child, 'exit')
process.exitCode = code ?? 1
