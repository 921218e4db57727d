import * as z from 'zod/mini'
import type { Command } from './command.ts'
import { completionOf, type Shell, shells } from './completionOf.ts'

/** Writes a completion script; it completes commands, arguments and choices, and runs nothing. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Write a completion script for your shell.',
  operands: [{ name: 'shell', words: 'your shell', choices: shells }],
  fields: [],
  answer: z.object({ shell: z.enum(shells), script: z.string() }),
  async run({ operands }) {
    const shell = operands[0] as Shell
    const script = completionOf(shell, commands())
    return { json: { shell, script }, lines: script.split('\n') }
  },
})
