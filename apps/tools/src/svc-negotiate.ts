#!/usr/bin/env node
// svc-negotiate: a private task negotiated in signed messages, with a transcript for each negotiation.
import { commands } from './negotiate/commands.ts'
import { createProgram } from './negotiate/program.ts'
import { runAsProcess } from './negotiate/runAsProcess.ts'

const summary = 'Negotiate a private task with another agent: signed messages, one transcript, a proof at the end.'
// biome-ignore lint/style/noProcessEnv: an entry file.
await runAsProcess(createProgram('svc-negotiate', summary, commands), process.env)
