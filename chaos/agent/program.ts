// One process of the suite: the agent or its signer. Kills itself at the given request or write; zero: never.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createAgent,
  createJournalFile,
  createSigner,
  type Journal,
  parseGrant,
  type Signer,
  serveSigner,
  unixSocket,
} from '@svc/agent'
import { createDevnetClient } from '@svc/devnet'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const [role, folder = '', rpcUrl = '', killAt = '0'] = process.argv.slice(2)
let point = 0
/** In front of and behind everything that leaves the process. */
const passPoint = () => {
  point += 1
  if (point === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}
const around = async <T>(work: () => Promise<T>): Promise<T> => {
  passPoint()
  const result = await work()
  passPoint()
  return result
}
const { fetch } = globalThis
globalThis.fetch = (...given) => around(() => fetch(...given))

const grant = parseGrant(JSON.parse(await readFile(join(folder, 'grant.json'), 'utf8')))
const chain = createDevnetClient(rpcUrl)
const socket = join(folder, 'signer.sock')
if (role === 'signer') {
  const key = await readFile(join(folder, 'session.key'), 'utf8')
  if (!isHex(key)) throw new Error('There is no session key.')
  const file = createJournalFile(join(folder, 'signer.jsonl'))
  const journal: Journal = {
    append: (entry) => around(() => file.append(entry)),
    close: (hash) => around(() => file.close(hash)),
    listOpen: () => around(file.listOpen),
  }
  await serveSigner(createSigner({ grant, session: privateKeyToAccount(key), chain, journal }), socket)
} else {
  // Its signer may be dead: it asks until there is one.
  const signer: Signer = {
    async act(request) {
      for (;;) {
        try {
          return await around(() => unixSocket(socket).act(request))
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    },
  }
  const agent = await createAgent({ grant, signer, folder, chain, pollMs: 100 })
  const doWork = async ({ outbox }: { outbox: { write: (name: string, text: string) => Promise<void> } }) => {
    await outbox.write('work.txt', 'Done.')
    return 'Done.'
  }
  const [claimed] = await agent.jobs()
  const found = claimed ?? (await findJob())
  const end = await found?.run(doWork)
  process.exit(end?.state === 'COMPLETED' ? 0 : end ? 3 : 0)

  async function findJob() {
    for await (const offer of agent.offers({ words: '"Chaos of the quay"', signal: AbortSignal.timeout(5_000) })) {
      const job = await offer.claim()
      if (job) return job
    }
    // It ended before this process began.
    return null
  }
}
