#!/usr/bin/env node
// svc-admin: puts the contracts on a chain, checks, verifies, governs and watches them. The only file with side effects.
import { runAdmin } from './commands.ts'

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  print: (text) => console.log(text),
  warn: (text) => console.error(text),
})
