#!/usr/bin/env node
import { startCommand } from './startCommand.ts'
// svc-verify: compares a response with the chain, or verifies an agreement file. Signs and sends nothing.
import { runVerify } from './verify/runVerify.ts'

startCommand()
const { argv, stdout, stderr } = process
process.exitCode = await runVerify(argv.slice(2), {
  // biome-ignore lint/style/noProcessEnv: an entry file.
  environment: process.env,
  output: stdout,
  errors: stderr,
})
