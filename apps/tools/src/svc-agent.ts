#!/usr/bin/env node
// svc-agent: gives an agent a grant, shows what is left of it, ends it, and runs the signer that holds its session key.
import { runAgent } from './agent/runAgent.ts'
import { runAsProcess } from './negotiate/runAsProcess.ts'
import { startCommand } from './startCommand.ts'

startCommand()
// biome-ignore lint/style/noProcessEnv: an entry file.
await runAsProcess(runAgent, process.env)
