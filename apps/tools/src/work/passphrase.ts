import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Options, ProgramIo } from '../negotiate/context.ts'
import { UsageError } from '../negotiate/describeExit.ts'

/** Reads the passphrase of a key backup from a file, or asks for it without showing it. It is never an argument. */
export async function readPassphrase(
  options: Options,
  { input, errors }: Pick<ProgramIo, 'input' | 'errors'>,
  { repeat }: { repeat: boolean },
): Promise<string> {
  const file = options['passphrase-file']
  if (file !== undefined) return (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  if (!('isTTY' in input && input.isTTY)) {
    throw new UsageError('The passphrase is missing. Pass --passphrase-file, or run this in a terminal.')
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silent, terminal: true })
  const ask = async (question: string) => {
    errors.write(question)
    const answer = await lines.question('')
    errors.write('\n')
    return answer
  }
  try {
    const passphrase = await ask('Passphrase: ')
    if (repeat && (await ask('Again: ')) !== passphrase) throw new UsageError('The two passphrases differ.')
    return passphrase
  } finally {
    lines.close()
  }
}
