import { buildTerms, SvcError, sealTerms, type TaskId } from '@svc/protocol'
import { hashThreadMessage } from '@svc/protocol/internal/talk'
import { formatAgreement, hashEnvelope, verifyAgreement } from '@svc/protocol/negotiation'
import { formatMailLine, type ThreadSubject } from '@svc/protocol/talk'
import { getReadingKey } from '@svc/protocol/work'
import { createRandom } from '@svc/simulation/random'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getNow } from '../../test/store/devices.ts'
import type { MailPerson, MailWorld } from '../../test/store/mailWorld.ts'
import { createHostileStore, type HostileStore, type MailFault, mailFaults } from './hostileStore.ts'

/** What a seed did. */
export interface MailReport extends Record<MailFault, number> {
  messages: number
  /** Negotiation messages that were written at the same time as others. */
  races: number
  agreements: number
  lostHours: number
  refusedPosts: number
}

interface Side extends MailPerson {
  hostile: HostileStore
}

const steps = 18
const digest = `0x${'ab'.repeat(32)}` as const
const place = { settlementDigest: digest, milestone: 0, state: 'ACTIVE', reviewEnd: 0, disputePhase: 'NONE' } as const

/**
 * Two honest wallets talk through a store that forges, replays, reorders, withholds, repeats, damages and forgets, while a third one
 * writes to them and to their sessions. Checks that nothing false is shown meanwhile, and that both have the same
 * conversation when the store is honest again. `word` is in every text. Throws on the first difference.
 */
export async function runMailSeed(world: MailWorld, seed: number, word: string): Promise<MailReport> {
  const random = createRandom(seed)
  const counts = Object.fromEntries(mailFaults.map((fault) => [fault, 0])) as Record<MailFault, number>
  const report = { ...counts, messages: 0, races: 0, agreements: 0, lostHours: 0, refusedPosts: 0 }
  const eve = await world.join()
  const strangers: Parameters<typeof createHostileStore>[0]['strangers'] = []
  const taskId: TaskId = { market: 'micro', number: BigInt(1_000 + seed) }
  const poster = await joinSide('poster')
  const worker = await joinSide('worker')
  world.setTask(taskId, poster.account.address, worker.account.address)
  const subject = world.subject(taskId, poster.account.address, worker.account.address)
  const sides = { poster, worker }
  const written = new Set<string>()
  const negotiationId = crypto.randomUUID()
  let backup: { wallet: string; last: number }[] | null = null

  for (let step = 0; step < steps; step++) {
    const side = random.below(2) === 0 ? poster : worker
    switch (random.below(8)) {
      case 0:
        await attack(eve, sides, subject, report)
        break
      case 1:
        backup = await takeBackup(world, [poster, worker])
        break
      case 2:
        if (!backup) break
        await restoreBackup(world, backup)
        report.lostHours++
        backup = null
        break
      case 3:
      case 4:
        await negotiate(side)
        break
      case 5:
        // Both at the same moment.
        await Promise.all([negotiate(poster), negotiate(worker)])
        break
      default:
        await talkAbout(side, step)
    }
    for (const each of [poster, worker]) await checkShown(each)
  }

  for (const { hostile } of [poster, worker]) hostile.stop()
  // Two rounds: what one side sends again, the other reads after it.
  for (let round = 0; round < 3; round++) {
    for (const { mailbox } of [poster, worker]) await mailbox.sync({ again: true })
  }
  await checkThreads()
  await checkNegotiations()
  Object.assign(report, counts)
  return report

  async function joinSide(name: string): Promise<Side> {
    const account = privateKeyToAccount(generatePrivateKey())
    let readingKey = ''
    const hostile = createHostileStore({
      random: createRandom(seed * 7 + name.length),
      counts,
      forge: () => forge(account.address),
      readingKey: () => readingKey,
      strangers,
    })
    const person = await world.join(account, hostile.fetch)
    readingKey = await getReadingKey(person.mailbox.keys.readingIdentity)
    return { ...person, hostile }
  }

  /** What Eve can sign: messages that name another sender. She has real ones to copy from. */
  async function forge(victim: string): Promise<string> {
    const [thread] = (await poster?.talk.listThreads()) ?? []
    const real = thread?.thread.messages.at(-1)
    if (!real || victim === eve.account.address) return '{"envelope":1}'
    const message = {
      ...real.message,
      sequence: real.message.sequence + 1,
      previousHash: real.hash,
      timestamp: new Date().toISOString(),
    }
    const hash = hashThreadMessage(message)
    const signature = (await eve.account.sign?.({ hash })) ?? real.signature
    const { statement } = random.below(2) === 0 ? real : { statement: eve.mailbox.keys.statement ?? undefined }
    return formatMailLine({ message, hash, signature, ...(statement && { statement }) })
  }

  async function talkAbout(side: Side, step: number): Promise<void> {
    const options = { sharesTask: true }
    const text = `${word} ${seed} ${step}`
    await attempt(async () => {
      const { talk } = side
      await talk.mailbox.sync()
      const { status, me } = await talk.readThread(subject)
      const asked = status.open.find(({ side: to, type }) => to === me && type === 'Question')
      if (asked) return talk.write(subject, 'Answer', { text, answers: asked.hash }, options)
      if (random.below(4) === 0) {
        const { signTypedData } = side.account
        return talk.proposeEnd(subject, 5_000, place, {
          signTypedData: (typed) => signTypedData(typed),
          nonce: BigInt(step + 1),
        })
      }
      if (me === 'other' && random.below(3) === 0)
        return talk.write(subject, 'Application', { claims: [text] }, options)
      return talk.write(subject, 'Question', { text }, options)
    }, side)
  }

  async function negotiate(side: Side): Promise<void> {
    await attempt(async () => {
      const { talk } = side
      await talk.mailbox.sync()
      const found = (await talk.listNegotiations()).find(({ state }) => state.negotiationId === negotiationId)
      if (!found) return side === poster ? talk.propose(buildOffer(), negotiationId) : null
      const { state } = found
      if (!['OFFERED', 'HALF_ACCEPTED'].includes(state.phase)) return null
      if (random.below(2) > 0) {
        const criteria = `${word} ${random.below(1_000_000)}`
        return talk.counter(negotiationId, (terms) => sealTerms({ ...terms, criteria }))
      }
      const { signTypedData } = side.account
      const signing = {
        signTypedData: (typed: Parameters<typeof signTypedData>[0]) => signTypedData(typed),
        nonce: BigInt(random.below(2 ** 31)),
      }
      return talk.accept(negotiationId, state.terms.settlementDigest, signing)
    }, side)
  }

  function buildOffer() {
    const now = getNow()
    return buildTerms(
      {
        title: 'Translate a manual',
        criteria: `${word} all pages`,
        poster: poster.account.address,
        worker: worker.account.address,
        milestones: [{ title: 'All of it', amountTokWei: 5n * 10n ** 18n, durationSeconds: 3_600 }],
        maxRevisions: 1,
        nonce: BigInt(seed),
        claimDeadline: now + 86_400,
      },
      world.context,
      now,
    )
  }

  /** Runs what a person does. A refusal is an answer; anything else is a fault of ours. */
  async function attempt(work: () => Promise<unknown>, { mailbox, account }: Side): Promise<void> {
    const before = new Set((await mailbox.list()).map(({ line }) => line))
    try {
      await work()
    } catch (error) {
      if (!(error instanceof SvcError) && !(error instanceof Error && error.name === 'ApiError')) throw error
      report.refusedPosts++
    }
    for (const { line, from, to } of await mailbox.list()) {
      if (!before.has(line) && to && from === account.address) written.add(line)
    }
  }

  /** Whatever the store does, a side shows only what the two wallets wrote. */
  async function checkShown({ mailbox, talk }: Side): Promise<void> {
    await mailbox.sync()
    for (const { thread, misconduct } of await talk.listThreads()) {
      if (misconduct.length > 0) throw new Error('An honest author is accused.')
      for (const message of thread.messages) {
        if (!written.has(formatMailLine(message))) throw new Error('A thread shows a message that nobody wrote.')
      }
    }
    for (const { messages } of await talk.listNegotiations()) {
      for (const message of messages) {
        if (message.hash !== hashEnvelope(message.envelope) || !written.has(formatMailLine(message))) {
          throw new Error('A negotiation shows a message that nobody wrote.')
        }
      }
    }
  }

  async function checkThreads(): Promise<void> {
    const [one, two] = [await poster.talk.readThread(subject), await worker.talk.readThread(subject)]
    const expected = [...written].filter((line) => line.includes('svc-thread-v1')).length
    report.messages += expected
    const [a, b] = [one, two].map(({ thread }) => thread.messages.map(({ hash }) => hash).join())
    if (a !== b) throw new Error('The two sides see different threads.')
    if (one.thread.messages.length !== expected) {
      throw new Error(`${expected} messages of the thread were written, but ${one.thread.messages.length} are shown.`)
    }
  }

  async function checkNegotiations(): Promise<void> {
    const views = []
    for (const { talk } of [poster, worker]) views.push((await talk.listNegotiations())[0])
    const [one, two] = views
    if (one?.state.head !== two?.state.head) throw new Error('The two sides see different negotiations.')
    if (!one) return
    report.messages += one.messages.length
    report.races += [...written].filter((line) => line.includes(negotiationId)).length - one.messages.length
    if (one.state.phase !== 'AGREED') return
    const { settlementDigest } = one.state.terms
    const text = await formatAgreement(one.messages, { chainId: world.context.chainId })
    await verifyAgreement(text, { digest: settlementDigest })
    report.agreements++
  }
}

/** Eve writes noise, too much and in other names, and asks for what is not hers. */
async function attack(
  eve: MailPerson,
  { poster, worker }: { poster: Side; worker: Side },
  subject: ThreadSubject,
  report: { refusedPosts: number },
): Promise<void> {
  const refused = async (work: Promise<unknown>, codes: readonly string[]) => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (error === null) throw new Error(`Nothing was refused: expected ${codes}.`)
    const code = String((error as { code?: unknown }).code)
    if (!codes.includes(code)) throw new Error(`Expected ${codes}, got ${code}.`)
    report.refusedPosts++
  }
  const post = (size: number) =>
    eve.store.calls.postMail({
      to: poster.account.address,
      id: `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`,
      sealed: Buffer.alloc(size).toString('base64'),
    })
  await refused(post(9_000), ['MAIL_TOO_LARGE', 'MAIL_UNANSWERED'])
  await refused(post(300_000), ['MAIL_TOO_LARGE', 'INVALID_REQUEST', 'BODY_TOO_LARGE'])
  await post(100).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'MAIL_UNANSWERED') throw error
  })
  await refused(eve.talk.write(subject, 'Question', { text: 'Let me in?' }), ['NOT_A_PARTY'])
  // A session reads its own mailbox only, whatever it asks for.
  const { body } = await eve.store.calls.listMail({})
  if (body.items.some(({ from }) => from !== eve.account.address)) throw new Error('Eve reads mail of others.')
  // A public statement of the victim opens no session without its device key.
  const [stolen] = (await eve.store.calls.listStatements({ wallet: worker.account.address })).body.statements
  if (stolen) {
    const proof = { issuedAt: getNow(), signature: `0x${'11'.repeat(65)}` }
    await refused(eve.store.calls.createSession({ ...stolen, proof }), ['INVALID_STATEMENT'])
  }
}

/** Remembers how far the mailboxes are, as a backup does. */
async function takeBackup({ service: { sql } }: MailWorld, people: readonly MailPerson[]) {
  const wallets = people.map(({ account }) => account.address)
  return sql<{ wallet: string; last: number }[]>`
    select wallet, last::int as last from store.mailbox where wallet in ${sql(wallets)}`
}

/** Brings the mailboxes back to a backup: everything since then is lost. */
async function restoreBackup({ service: { sql } }: MailWorld, backup: readonly { wallet: string; last: number }[]) {
  for (const { wallet, last } of backup) {
    await sql`delete from store.mail where recipient = ${wallet} and number > ${last}`
    await sql`update store.mailbox set last = ${last} where wallet = ${wallet}`
  }
}
