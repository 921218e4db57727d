// Runs in an empty folder with the packed packages, on a grant, a key and the URL of a chain: the signer and the agent, for an evening.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createAgent,
  createJournalFile,
  createSigner,
  type DoWork,
  type Job,
  parseGrant,
  serveSigner,
  unixSocket,
} from '@svc/agent'
import { createClient, defineChain, http, isHex, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const [folder = '', rpcUrl = '', wanted = ''] = process.argv.slice(2)
const spent = { transactions: 0, gas: 0n, chainCalls: 0, marketCalls: 0 }
const { fetch } = globalThis
globalThis.fetch = (...given) => {
  const url = given[0] instanceof Request ? given[0].url : String(given[0])
  spent[url.startsWith(rpcUrl) ? 'chainCalls' : 'marketCalls'] += 1
  return fetch(...given)
}

const grant = parseGrant(JSON.parse(await readFile(join(folder, 'grant.json'), 'utf8')))
const key = (await readFile(join(folder, 'session.key'), 'utf8')).trim()
if (!isHex(key)) throw new Error('There is no session key.')
const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const local = defineChain({
  id: grant.chainId,
  name: 'Local',
  nativeCurrency: currency,
  rpcUrls: { default: { http: [rpcUrl] } },
})
const chain = createClient({ chain: local, transport: http(rpcUrl), pollingInterval: 100 })
  .extend(publicActions)
  .extend(walletActions)
const journal = createJournalFile(join(folder, 'signer.jsonl'))
const socket = join(folder, 'signer.sock')
const served = await serveSigner(createSigner({ grant, session: privateKeyToAccount(key), chain, journal }), socket)
const remote = unixSocket(socket)
const agent = await createAgent({
  grant,
  folder,
  chain,
  pollMs: 500,
  signer: {
    async act(request) {
      const result = await remote.act(request)
      if (result.status === 'confirmed') {
        spent.transactions += 1
        spent.gas += BigInt(result.gasUsed)
      }
      return result
    },
  },
})

const [received, opened]: string[][] = [[], []]
const doWork: DoWork = async ({ untrusted, brief, revision, outbox }) => {
  for (const { path } of brief?.files ?? []) received?.push(await readFile(path, 'utf8'))
  if (revision) received?.push(revision.untrustedText)
  await outbox.write('film.srt', `${untrusted.title}, ${revision ? 'second' : 'first'} version.`)
  return 'Done.'
}
const finish = async (job: Job) => {
  const { state, releasedTokWei } = await job.run(doWork)
  return { id: job.id, state, releasedTokWei: String(releasedTokWei) }
}
const running: ReturnType<typeof finish>[] = []
let answer: string | null = null
for await (const offer of agent.offers({ words: 'quay', minNetPerHour: '150 TOK' })) {
  if (!wanted.split(',').includes(offer.id)) continue
  if (offer.claimPolicy === 'PERMIT') answer = await offer.ask('Which language?')
  const job = await offer.claim('I subtitled forty films.')
  if (job) running.push(finish(job))
  if (running.length === 3) break
}
const draft = {
  title: 'Proofread the quay subtitles',
  criteria: 'No spelling mistakes.',
  budget: '9,000 TOK',
  duration: '2 hours',
  claimPolicy: 'PERMIT' as const,
  brief: { text: 'The subtitles.', files: { 'film.srt': 'All of them.' } },
}
const order = await agent.hire(draft)
// The same order is posted once.
if ((await agent.hire(draft)).id !== order.id) throw new Error('It was posted twice.')
const { state, releasedTokWei } = await order.run({
  choose: async ([first]) => first?.worker ?? null,
  review: async ({ files }) => {
    for (const { path } of files) opened?.push(await readFile(path, 'utf8'))
    return 'accept'
  },
})
const jobs = await Promise.all(running)
const open = (await agent.jobs()).length
console.log(
  JSON.stringify({
    jobs,
    order: { state, releasedTokWei: String(releasedTokWei) },
    answer,
    received,
    opened,
    open,
    spent: { ...spent, gas: String(spent.gas) },
  }),
)
await served.close()
process.exit()
