import { createHash, randomBytes } from 'node:crypto'
import { mailLimits } from '@svc/protocol/internal/talk'
import type { MailPerson, MailWorld } from '../../test/store/mailWorld.ts'
import { createStoreClient, readBody } from '../../test/store/storeClient.ts'

/** What a flood of messages came to. */
export interface SpamReport {
  posted: number
  refused: number
}

/**
 * Many wallets, each with a deposit, write to one mailbox as fast as they can, while two known wallets go on talking. Throws if
 * more arrives than the limits allow, or if the known wallets are held up.
 */
export async function runSpam(world: MailWorld, wallets: number, word: string): Promise<SpamReport> {
  const [victim, friend] = [await world.join(), await world.join()]
  const subject = world.subject({ market: 'micro', number: 999n }, victim.account.address, friend.account.address)
  const { thread } = await friend.talk.write(subject, 'Question', { text: `${word} hello?` })
  await answer(victim, thread.messages[0]?.hash ?? '0x')
  const tokens = await openSessions(world, wallets)
  const report = { posted: 0, refused: 0 }
  const perWallet = wallets === 1 ? 300 : 2
  const send = async (token: string) => {
    const client = createStoreClient(world.service.url, token)
    for (let count = 0; count < perWallet; count++) {
      const id = `0x${randomBytes(32).toString('hex')}`
      const sealed = randomBytes(1_000).toString('base64')
      const response = await client.send('POST', '/v1/mail', { to: victim.account.address, id, sealed })
      await readBody(response)
      if (response.ok) report.posted++
      else report.refused++
    }
  }
  for (let at = 0; at < tokens.length; at += 20) {
    const batch = Promise.all(tokens.slice(at, at + 20).map(send))
    // The honest conversation goes on in the middle of it.
    if (at % 200 === 0) {
      await friend.talk.write(subject, 'Question', { text: `${word} still there ${at}?` })
    }
    await batch
  }
  const most = Math.min(wallets, mailLimits.waitingStrangers)
  if (report.posted > most) throw new Error(`${report.posted} messages of strangers arrived, but the limit is ${most}.`)
  await victim.mailbox.sync()
  const [seen] = await victim.talk.listThreads()
  const [own] = await friend.talk.listThreads()
  if (seen?.thread.ends.other.head !== own?.thread.ends.other.head) throw new Error('The honest conversation stopped.')
  return report

  async function answer({ mailbox, talk }: MailPerson, hash: `0x${string}`) {
    await mailbox.sync()
    await talk.write(subject, 'Answer', { text: `${word} hello.`, answers: hash })
  }
}

/** Opens sessions without sign-ins: a thousand signatures would take longer than the flood. */
async function openSessions({ service: { sql } }: MailWorld, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  for (const token of tokens) {
    const hash = createHash('sha256').update(token).digest('hex')
    await sql`
      insert into store.session (token_hash, wallet, expires_at)
      values (${hash}, ${`0x${randomBytes(20).toString('hex')}`}, now() + interval '1 hour')`
  }
  return tokens
}
