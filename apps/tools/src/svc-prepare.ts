#!/usr/bin/env node
// svc-prepare: prepares transactions of the task market for a wallet. Signs and sends nothing.
import { runPrepare } from './prepare/runPrepare.ts'
import { startCommand } from './startCommand.ts'

startCommand()
const { argv, stdin, stdout, stderr } = process
process.exitCode = await runPrepare(argv.slice(2), {
  // biome-ignore lint/style/noProcessEnv: an entry file.
  environment: process.env,
  input: stdin,
  output: stdout,
  errors: stderr,
  now: Date.now,
})
