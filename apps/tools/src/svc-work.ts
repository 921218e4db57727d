#!/usr/bin/env node
// svc-work: seals, sends, opens and exports the work of a task.
import { runAsProcess } from './negotiate/runAsProcess.ts'
import { startCommand } from './startCommand.ts'
import { runWork } from './work/runWork.ts'

startCommand()
// biome-ignore lint/style/noProcessEnv: an entry file.
await runAsProcess(runWork, process.env)
