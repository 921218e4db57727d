#!/usr/bin/env node
import { proposeCommand } from './negotiate/messageCommands.ts'
// send-proposal: builds, signs and sends one TaskProposal, with the key in PRIVATE_KEY.
import { createSingleCommandProgram } from './negotiate/program.ts'
import { runAsProcess } from './negotiate/runAsProcess.ts'
import { startCommand } from './startCommand.ts'

startCommand()
// biome-ignore lint/style/noProcessEnv: an entry file.
await runAsProcess(createSingleCommandProgram('send-proposal', proposeCommand), process.env)
