// A process that writes to a transcript and can be killed at any time. `take <folder> <wallet> <file>` receives the lines of a file;
// `say <folder> <id> <times>` writes messages with PRIVATE_KEY. It prints the number of each message after it is written.
import { readFile } from 'node:fs/promises'
import type { Address, Hex } from 'viem'
import { writePayload } from '../../apps/tools/src/negotiate/messages.ts'
import { createSender, openTranscriptStore } from './stores.ts'

const [what, folder = '', who = '', more = ''] = process.argv.slice(2)
const store = openTranscriptStore(folder)
if (what === 'take') {
  for (const line of (await readFile(more, 'utf8')).trimEnd().split('\n')) {
    const { known, state } = await store.receive(line, { me: who as Address })
    if (!known) console.log(state.length)
  }
} else {
  // biome-ignore lint/style/noProcessEnv: this is the entry file of a process.
  const key = process.env.PRIVATE_KEY as Hex
  for (let times = 0; times < Number(more); times++) {
    const { state } = await writePayload(createSender(store, { key, address: '0x' }), who, {
      type: 'CapabilityProof',
      json: { claims: ['Mine.'] },
    })
    console.log(state.length)
  }
}
