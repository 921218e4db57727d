import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createXmtpTransport } from './xmtpTransport.ts'

// biome-ignore lint/style/noProcessEnv: the network is opt-in, because each run registers new wallets.
const chosen = process.env.XMTP_ENV === 'dev'

test.runIf(chosen)('two wallets exchange messages over the real network (XMTP_ENV=dev)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'xmtp-'))
  try {
    const joined = (name: string) => {
      const account = privateKeyToAccount(generatePrivateKey())
      return createXmtpTransport({
        me: account.address,
        account,
        network: 'dev',
        dbPath: join(folder, name, 'inbox.db3'),
      }).then((transport) => ({ ...transport, address: account.address }))
    }
    const [one, two] = [await joined('one'), await joined('two')]
    await one.send(two.address, 'there')
    for await (const { text, from, done } of two.receive(AbortSignal.timeout(60_000))) {
      expect([text, from]).toEqual(['there', [one.address]])
      await done()
      break
    }
    await two.send(one.address, 'and back')
    for await (const { text, from } of one.receive(AbortSignal.timeout(60_000))) {
      expect([text, from]).toEqual(['and back', [two.address]])
      break
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
