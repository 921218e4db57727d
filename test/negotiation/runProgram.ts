import { Readable, Writable } from 'node:stream'
import { negotiateCommands } from '../../apps/tools/src/negotiate/commands.ts'
import { proposeCommand } from '../../apps/tools/src/negotiate/messageCommands.ts'
import { createProgram, createSingleCommandProgram, type Program } from '../../apps/tools/src/negotiate/program.ts'

/** The two programs, created like in their entry files. */
export const programs = {
  'svc-negotiate': createProgram('svc-negotiate', 'test', negotiateCommands),
  'send-proposal': createSingleCommandProgram('send-proposal', proposeCommand),
} as const satisfies Record<string, Program>

export interface Ran {
  exit: number
  out: string
  err: string
}

/** Runs a program in this process, with its own streams and environment. */
export async function runProgram(
  name: keyof typeof programs,
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  input = '',
): Promise<Ran> {
  const [output, errors] = [collector(), collector()]
  const now = () => Math.floor(Date.now() / 1000)
  const exit = await programs[name](argv, {
    environment,
    input: Readable.from([Buffer.from(input)]),
    output: output.stream,
    errors: errors.stream,
    now,
  })
  return { exit, out: output.text(), err: errors.text() }
}

function collector() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
