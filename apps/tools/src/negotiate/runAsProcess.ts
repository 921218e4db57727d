import type { Outside } from './context.ts'
import type { Program } from './program.ts'

/** Runs a program as this process: with its arguments and streams, and ends it with the program's exit code. */
export async function runAsProcess(program: Program, environment: Outside['environment']): Promise<void> {
  const { argv, stdin, stdout, stderr } = process
  const now = () => Math.floor(Date.now() / 1000)
  const code = await program(argv.slice(2), { environment, input: stdin, output: stdout, errors: stderr, now })
  // An open input or the threads of a transport would keep it alive.
  stdout.write('', () => process.exit(code))
}
