import { randomBytes } from 'node:crypto'
import { buildTerms, sealTerms, type TaskId } from '@svc/protocol'
import { mailLimits } from '@svc/protocol/internal/talk'
import { formatAgreement, verifyAgreement } from '@svc/protocol/negotiation'
import { buildClaimInput, buildEndInput } from '@svc/protocol/talk'
import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { startForTests } from '../harness/startForTests.ts'
import { getNow } from './devices.ts'
import { type MailPerson, startMailWorld } from './mailWorld.ts'

const world = startForTests(startMailWorld, 'stop')

let tasks = 0n
const nextTask = (): TaskId => ({ market: 'micro', number: ++tasks })
const random = () => BigInt(`0x${randomBytes(16).toString('hex')}`)
const digest = `0x${'ab'.repeat(32)}` as const
const signWith = ({ account }: MailPerson) => ({
  signTypedData: (typed: Parameters<typeof account.signTypedData>[0]) => account.signTypedData(typed),
  nonce: random(),
})

/** Posts noise as a sealed item. */
const postNoise = ({ store }: MailPerson, to: MailPerson, size = 500) =>
  store.calls.postMail({
    to: to.account.address,
    id: `0x${randomBytes(32).toString('hex')}`,
    sealed: randomBytes(size).toString('base64'),
  })

test('a question, an answer, an application and a permit, and each side knows whose turn it is', async () => {
  const [poster, worker] = [await world.join(), await world.join()]
  const subject = world.subject(nextTask(), poster.account.address, worker.account.address)
  const asked = await worker.talk.write(subject, 'Question', { text: 'How long may it be?' })
  expect(asked).toMatchObject({ me: 'other', status: { turn: 'poster' } })
  const { arrived } = await poster.mailbox.sync()
  expect(arrived).toHaveLength(1)
  const [thread] = await poster.talk.listThreads()
  expect(thread).toMatchObject({ me: 'poster', status: { turn: 'poster' } })
  const [question] = thread?.thread.messages ?? []
  await poster.talk.write(subject, 'Answer', { text: 'A page.', answers: question?.hash ?? digest })
  await worker.talk.write(subject, 'Application', { claims: ['I wrote a hundred pages.'] })
  await poster.mailbox.sync()
  const [applied] = await poster.talk.listThreads()
  expect(applied?.status.application?.message.payload).toEqual({ claims: ['I wrote a hundred pages.'] })
  await poster.talk.choose(subject, digest, signWith(poster))
  await worker.mailbox.sync()
  const [chosen] = await worker.talk.listThreads()
  expect(chosen?.status).toMatchObject({ turn: 'other', permit: { settlementDigest: digest } })
  expect(chosen && buildClaimInput(chosen.thread)).toMatchObject({ settlementDigest: digest })
})

test('both parties end a shared task with the same share', async () => {
  const [poster, worker] = [await world.join(), await world.join()]
  const taskId = nextTask()
  world.setTask(taskId, poster.account.address, worker.account.address)
  const subject = world.subject(taskId, poster.account.address, worker.account.address)
  const place = { settlementDigest: digest, milestone: 0, state: 'ACTIVE', reviewEnd: 0, disputePhase: 'NONE' } as const
  await poster.talk.proposeEnd(subject, 2_000, place, signWith(poster))
  const countered = await worker.talk.proposeEnd(subject, 4_000, place, signWith(worker))
  expect(countered.status).toMatchObject({ turn: 'poster', isEndAgreed: false })
  const agreed = await poster.talk.proposeEnd(subject, 4_000, place, signWith(poster))
  expect(agreed.status).toMatchObject({ turn: null, isEndAgreed: true })
  await worker.mailbox.sync()
  const seen = await worker.talk.readThread(subject)
  expect(buildEndInput(seen.thread)).toEqual(buildEndInput(agreed.thread))
  expect(buildEndInput(seen.thread)).toMatchObject({ workerBps: 4_000n })
})

test('a private task from a proposal over two counter offers to an agreement that proves its digest offline', async () => {
  const [poster, worker] = [await world.join(), await world.join()]
  const now = getNow()
  const terms = buildTerms(
    {
      title: 'Translate a manual',
      criteria: 'All pages, in plain words.',
      poster: poster.account.address,
      worker: worker.account.address,
      milestones: [{ title: 'All of it', amountTokWei: 5n * 10n ** 18n, durationSeconds: 3_600 }],
      maxRevisions: 1,
      nonce: random(),
      claimDeadline: now + 86_400,
    },
    world.context,
    now,
  )
  const { state } = await poster.talk.propose(terms)
  const id = state.negotiationId
  await worker.mailbox.sync()
  expect(await worker.talk.readNegotiation(id)).toMatchObject({ turn: 'worker' })
  await worker.talk.counter(id, (offer) => sealTerms({ ...offer, maxRevisions: 2 }), 'Two revisions')
  const second = await poster.talk.counter(id, (offer) => sealTerms({ ...offer, criteria: 'All pages.' }))
  expect(second.turn).toBe('worker')
  const { settlementDigest } = second.state.terms
  await expect(worker.talk.accept(id, terms.settlementDigest, signWith(worker))).rejects.toThrow('The current offer is')
  await worker.talk.accept(id, settlementDigest, signWith(worker))
  const agreed = await poster.talk.accept(id, settlementDigest, signWith(poster))
  expect(agreed.state.phase).toBe('AGREED')
  const text = await formatAgreement(agreed.messages, { chainId: world.context.chainId })
  expect(await verifyAgreement(text, { digest: settlementDigest })).toMatchObject({ length: 5, phase: 'AGREED' })
  await worker.mailbox.sync()
  expect((await worker.talk.readNegotiation(id)).state.head).toBe(agreed.state.head)
})

test('a stranger writes one short message, with a deposit, until it is answered', async () => {
  const [stranger, owner] = [await world.join(), await world.join()]
  world.poor.add(stranger.account.address)
  await expect(postNoise(stranger, owner)).rejects.toMatchObject({ code: 'MAIL_DEPOSIT_REQUIRED' })
  world.poor.delete(stranger.account.address)
  await expect(postNoise(stranger, owner, mailLimits.firstContactBytes + 1)).rejects.toMatchObject({
    code: 'MAIL_TOO_LARGE',
  })
  await postNoise(stranger, owner, mailLimits.firstContactBytes)
  await expect(postNoise(stranger, owner)).rejects.toMatchObject({ code: 'MAIL_UNANSWERED' })
  // Who answers needs no deposit.
  world.poor.add(owner.account.address)
  await postNoise(owner, stranger, 20_000)
  await postNoise(stranger, owner, 20_000)
  expect(await owner.mailbox.sync()).toMatchObject({ arrived: [], unreadable: 3 })
})

test('a question never blocks an application, for each task of the poster, and applications are few', async () => {
  const [stranger, poster] = [await world.join(), await world.join()]
  const [first, second] = [nextTask(), nextTask()]
  for (const task of [first, second]) world.setOpenTask(task, poster.account.address)
  const about = (task: TaskId) => world.subject(task, poster.account.address, stranger.account.address)
  await stranger.talk.write(about(first), 'Question', { text: 'How long may it be?' })
  await stranger.talk.write(about(first), 'Application', { claims: ['I can.'] })
  await stranger.talk.write(about(second), 'Application', { claims: ['I can that, too.'] })
  await expect(stranger.talk.write(about(first), 'Question', { text: 'And?' })).rejects.toMatchObject({
    code: 'MAIL_UNANSWERED',
  })
  for (let count = 1; count < mailLimits.applications; count++) {
    await stranger.talk.write(about(second), 'Application', { claims: [`Better, ${count}.`] })
  }
  await expect(stranger.talk.write(about(second), 'Application', { claims: ['Once more.'] })).rejects.toMatchObject({
    code: 'MAIL_UNANSWERED',
  })
  // The first message can be an application, too.
  const late = await world.join()
  const subject = world.subject(first, poster.account.address, late.account.address)
  await late.talk.write(subject, 'Application', { claims: ['Me.'] })
  await late.talk.write(subject, 'Question', { text: 'How long may it be?' })
})

test('who shares a task needs no deposit and may write more', async () => {
  const [poster, worker, stranger] = [await world.join(), await world.join(), await world.join()]
  const taskId = nextTask()
  world.setTask(taskId, poster.account.address, worker.account.address)
  for (const person of [worker, stranger]) world.poor.add(person.account.address)
  const subject = world.subject(taskId, poster.account.address, worker.account.address)
  for (const text of ['One?', 'Two?']) await worker.talk.write(subject, 'Question', { text }, { sharesTask: true })
  const other = world.subject(taskId, poster.account.address, stranger.account.address)
  await expect(stranger.talk.write(other, 'Question', { text: 'Me?' }, { sharesTask: true })).rejects.toMatchObject({
    code: 'MAIL_DEPOSIT_REQUIRED',
  })
})

test('a day has limits for new contacts and for messages', async () => {
  const [sender, friend] = [await world.join(), await world.join()]
  for (let count = 0; count < mailLimits.newContacts; count++) {
    const to = `0x${randomBytes(20).toString('hex')}`
    await sender.store.calls.postMail({ to, id: `0x${randomBytes(32).toString('hex')}`, sealed: 'AAAA' })
  }
  await expect(postNoise(sender, friend)).rejects.toMatchObject({ code: 'MAIL_LIMIT_REACHED' })
  await postNoise(friend, sender)
  const left = mailLimits.items - mailLimits.newContacts
  await world.service.sql`
    insert into store.mail (recipient, number, sender, id, sealed)
    select ${friend.account.address}, 1000 + n, ${sender.account.address}, n::text, 'x' from generate_series(1, ${left - 1}) n`
  await postNoise(sender, friend)
  await expect(postNoise(sender, friend)).rejects.toMatchObject({ code: 'MAIL_LIMIT_REACHED' })
  await expect(postNoise(friend, sender)).resolves.toBeDefined()
})

test('a blocked wallet cannot write, and nobody else sees the list', async () => {
  const [owner, pest] = [await world.join(), await world.join()]
  await postNoise(pest, owner)
  await postNoise(owner, pest)
  expect(await owner.mailbox.block(pest.account.address)).toEqual([pest.account.address])
  await expect(postNoise(pest, owner)).rejects.toMatchObject({ code: 'MAIL_BLOCKED' })
  expect(await pest.mailbox.listBlocked()).toEqual([])
  expect(await owner.mailbox.unblock(pest.account.address)).toEqual([])
  await postNoise(pest, owner)
})

test.each(['passes one deposit on', 'is blocked'] as const)(
  'a mailbox is not closed by 500 strangers: who %s has no place',
  async (why) => {
    const [owner, honest] = [await world.join(), await world.join()]
    const strangers = Array.from({ length: mailLimits.waitingStrangers }, () =>
      getAddress(`0x${randomBytes(20).toString('hex')}`),
    )
    const [given, wallet] = [JSON.stringify(strangers), owner.account.address]
    await world.service.sql`insert into store.mailbox (wallet) values (${wallet}) on conflict do nothing`
    await world.service.sql`
    with s as (select sender, n from jsonb_array_elements_text(${given}::text::jsonb) with ordinality as s (sender, n)),
    written as (insert into store.mail_contact (sender, recipient, is_new) select sender, ${wallet}, true from s)
    insert into store.mail (recipient, number, sender, id, sealed) select ${wallet}, 1000 + n, sender, n::text, 'x' from s`
    await expect(postNoise(honest, owner), 'all have a deposit').rejects.toMatchObject({ code: 'MAIL_LIMIT_REACHED' })
    if (why === 'passes one deposit on') for (const stranger of strangers.slice(0, -1)) world.poor.add(stranger)
    else await owner.mailbox.block(strangers[0] ?? wallet)
    await postNoise(honest, owner)
  },
)

test('a wallet that is allowed writes as one that was answered', async () => {
  const [supervisor, agent] = [await world.join(), await world.join()]
  world.poor.add(agent.account.address)
  await expect(postNoise(agent, supervisor)).rejects.toMatchObject({ code: 'MAIL_DEPOSIT_REQUIRED' })
  await supervisor.mailbox.allow(agent.account.address)
  for (let count = 0; count < 3; count++) await postNoise(agent, supervisor, 20_000)
  await supervisor.mailbox.block(agent.account.address)
  await supervisor.mailbox.allow(agent.account.address)
  await expect(postNoise(agent, supervisor)).rejects.toMatchObject({ code: 'MAIL_BLOCKED' })
})

test('what is written to a wallet that has never signed in waits on this device, and is sent once it has', async () => {
  const [emeka, late] = [await world.join(), privateKeyToAccount(generatePrivateKey())]
  const subject = world.subject(nextTask(), late.address, emeka.account.address)
  const { thread } = await emeka.talk.write(subject, 'Question', { text: 'Are you there?' })
  expect(thread.messages).toHaveLength(1)
  await emeka.mailbox.sync()
  expect(await emeka.mailbox.listWaiting()).toEqual([late.address])
  const ada = await world.join(late)
  await ada.mailbox.sync()
  for (let count = 0; count < 2; count++) await emeka.mailbox.sync()
  expect(await emeka.mailbox.listWaiting()).toEqual([])
  expect((await ada.mailbox.sync()).arrived).toHaveLength(1)
  expect((await ada.talk.readThread(subject)).thread.messages).toEqual(thread.messages)
})

test('a repeated post adds nothing, and only the two wallets get it', async () => {
  const [ada, emeka, eve] = [await world.join(), await world.join(), await world.join()]
  const subject = world.subject(nextTask(), ada.account.address, emeka.account.address)
  const { thread } = await emeka.talk.write(subject, 'Question', { text: 'Here?' })
  const [message] = thread.messages
  if (!message) throw new Error('The message is missing.')
  await emeka.mailbox.send(message, [ada.account.address])
  expect((await ada.mailbox.sync()).arrived).toHaveLength(1)
  expect((await ada.mailbox.sync()).arrived).toHaveLength(0)
  expect((await eve.mailbox.sync()).arrived).toHaveLength(0)
  const { body } = await emeka.store.calls.listMail({})
  expect(body.items).toHaveLength(1)
})

test('after the store lost its last hour, both sides go on, and no author writes twice', async () => {
  const [ada, emeka] = [await world.join(), await world.join()]
  const subject = world.subject(nextTask(), ada.account.address, emeka.account.address)
  const { thread } = await emeka.talk.write(subject, 'Question', { text: 'First?' })
  await ada.mailbox.sync()
  await ada.talk.write(subject, 'Answer', { text: 'Yes.', answers: thread.messages[0]?.hash ?? digest })
  await emeka.talk.write(subject, 'Question', { text: 'Second?' })
  await ada.mailbox.sync()
  // A backup from before the second question and the answer.
  const { sql } = world.service
  for (const { account } of [ada, emeka]) {
    await sql`delete from store.mail where recipient = ${account.address} and number > 1`
    await sql`update store.mailbox set last = 1 where wallet = ${account.address}`
    await sql`delete from store.mail_contact where sender = ${ada.account.address}`
  }
  await ada.talk.write(subject, 'Question', { text: 'Are you there?' })
  await emeka.mailbox.sync()
  await ada.mailbox.sync()
  const views = [await ada.talk.readThread(subject), await emeka.talk.readThread(subject)]
  for (const { thread, misconduct, waiting } of views) {
    expect(thread.messages.map(({ message }) => message.type)).toEqual(['Question', 'Answer', 'Question', 'Question'])
    expect([misconduct, waiting]).toEqual([[], []])
  }
})

test('old mail is swept, and a cursor into it still works', async () => {
  const [ada, emeka] = [await world.join(), await world.join()]
  await postNoise(emeka, ada)
  const { body } = await ada.store.calls.listMail({})
  await world.service.sql`
    update store.mail set posted_at = now() - interval '181 days' where recipient = ${ada.account.address}`
  expect((await world.service.sweep()).mail).toBeGreaterThan(0)
  const next = await ada.store.calls.listMail({ after: body.cursor ?? '' })
  expect(next.body).toMatchObject({ items: [], restarted: false })
})
