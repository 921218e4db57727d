#!/usr/bin/env node
// send-proposal: builds, signs and sends one TaskProposal, with the key in PRIVATE_KEY.
import { createSingle } from './negotiate/program.ts'
import { runAsProcess } from './negotiate/runAsProcess.ts'
import { proposeCommand } from './negotiate/speaking.ts'

// biome-ignore lint/style/noProcessEnv: an entry file.
await runAsProcess(createSingle('send-proposal', proposeCommand), process.env)
