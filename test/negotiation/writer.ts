// A process that writes to a transcript and can be killed at any moment. `take <folder> <wallet> <file>` takes the lines of a file;
// `say <folder> <id> <times>` says something with PRIVATE_KEY. It prints the number of each message once it is written.
import { readFile } from 'node:fs/promises'
import type { Address, Hex } from 'viem'
import { sayAny } from '../../apps/tools/src/negotiate/speak.ts'
import { bookIn, speakerOf } from './books.ts'

const [what, folder = '', who = '', more = ''] = process.argv.slice(2)
const book = bookIn(folder)
if (what === 'take') {
  for (const line of (await readFile(more, 'utf8')).trimEnd().split('\n')) {
    const { known, state } = await book.take(line, { me: who as Address })
    if (!known) console.log(state.length)
  }
} else {
  // biome-ignore lint/style/noProcessEnv: this is the entry file of a process.
  const key = process.env.PRIVATE_KEY as Hex
  for (let times = 0; times < Number(more); times++) {
    const { state } = await sayAny(speakerOf(book, { key, address: '0x' }), who, {
      type: 'CapabilityProof',
      json: { claims: ['Mine.'] },
    })
    console.log(state.length)
  }
}
