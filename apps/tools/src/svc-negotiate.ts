#!/usr/bin/env node
// svc-negotiate: negotiates a private task with signed messages and keeps a transcript of each negotiation.
import { negotiateCommands } from './negotiate/commands.ts'
import { createProgram } from './negotiate/program.ts'
import { runAsProcess } from './negotiate/runAsProcess.ts'
import { startCommand } from './startCommand.ts'

startCommand()
const summary =
  'Negotiate a private task with another party: signed messages, a transcript, and a proof of the agreement.'
// biome-ignore lint/style/noProcessEnv: an entry file.
await runAsProcess(createProgram('svc-negotiate', summary, negotiateCommands), process.env)
