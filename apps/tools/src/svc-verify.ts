#!/usr/bin/env node
// svc-verify: whether an answer is what the chain says, and what an agreement file proves. Signs and sends nothing.
import { runVerify } from './verify/runVerify.ts'

const { argv, stdout, stderr } = process
process.exitCode = await runVerify(argv.slice(2), {
  // biome-ignore lint/style/noProcessEnv: an entry file.
  environment: process.env,
  output: stdout,
  errors: stderr,
})
