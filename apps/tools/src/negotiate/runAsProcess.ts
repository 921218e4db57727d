import type { ProgramIo } from './context.ts'
import type { Program } from './program.ts'

/** Runs a program with the arguments and streams of this process, then exits with its exit code. */
export async function runAsProcess(program: Program, environment: ProgramIo['environment']): Promise<void> {
  const { argv, stdin, stdout, stderr } = process
  const now = () => Math.floor(Date.now() / 1000)
  const code = await program(argv.slice(2), { environment, input: stdin, output: stdout, errors: stderr, now })
  // Exit explicitly, because an open input or the threads of a transport would keep the process alive.
  stdout.write('', () => process.exit(code))
}
