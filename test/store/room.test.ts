import { randomBytes } from 'node:crypto'
import type { TaskId } from '@svc/protocol'
import { mailLimits } from '@svc/protocol/internal/talk'
import { createClientResolver } from '@svc/serve'
import { type Address, getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type MailPerson, type MailWorld, startMailWorld } from './mailWorld.ts'

// What wallets that cost nothing can store, who is never refused because of them, and how a newcomer comes in.

const limits = { established: 2_000_000, newcomer: 60_000, network: 150_000, newcomers: 300_000 }
const established = new Set<Address>()
const taskId: TaskId = { market: 'micro', number: 1n }
let world: MailWorld
let isIndexAway = false

beforeAll(async () => {
  world = await startMailWorld({
    roomLimits: limits,
    isEstablished: async (wallet) => (isIndexAway ? null : established.has(wallet)),
    resolveClient: createClientResolver(['127.0.0.1']),
  })
})
afterAll(() => world?.stop())
afterEach(async () => {
  const { sql } = world.service
  for (const table of [
    'room',
    'mail',
    'mail_contact',
    'mail_newcomer',
    'mail_application',
    'session',
    'statement',
    'vault',
  ])
    await sql`delete from ${sql(`store.${table}`)}`
})

/** A wallet whose requests come from an address. */
const join = (from: string, { deposit = false } = {}) => {
  const account = privateKeyToAccount(generatePrivateKey())
  if (!deposit) world.poor.add(account.address)
  const send = (request: Request) => {
    const headers = new Headers(request.headers)
    headers.set('x-forwarded-for', from)
    return fetch(new Request(request, { headers }))
  }
  return world.join(account, send)
}
const post = ({ store }: MailPerson, to: MailPerson, size: number, more: object = {}) =>
  store.calls.postMail({
    to: to.account.address,
    id: `0x${randomBytes(32).toString('hex')}`,
    sealed: randomBytes(size).toString('base64'),
    ...more,
  })
/** Writes to itself until it is refused; returns the bytes. */
async function fill(from: string): Promise<number> {
  const person = await join(from)
  for (let bytes = 0; ; bytes += 8_000) {
    const refused = await post(person, person, 8_000).catch((error) => error)
    if (refused.code === undefined) continue
    expect(refused).toMatchObject({ code: 'WORK_QUOTA_REACHED', status: 413 })
    return bytes
  }
}
const countBytes = async () => {
  const [row] = await world.service.sql<{ bytes: string }[]>`
    select coalesce(sum(octet_length(sealed)), 0) as bytes from store.mail`
  return Number(row?.bytes)
}

test('free wallets of many networks fill their own room only; a deposit takes a place, an established wallet needs none', async () => {
  expect(await fill('10.0.0.1'), 'one wallet').toBeLessThan(limits.newcomer)
  let wallets = 1
  for (const network of [0, 1, 2]) {
    for (let index = 0; index < 3; index++) {
      const refused = await fill(`10.0.${network}.${index + 2}`).catch(({ code }: { code: string }) => code)
      if (refused === 'WORK_QUOTA_REACHED') break
      wallets++
    }
  }
  const bytes = await countBytes()
  expect(bytes).toBeLessThan(limits.newcomers)
  expect(bytes, 'more than one network may').toBeGreaterThan(limits.network)
  expect(wallets).toBeLessThan(10)
  await expect(join('10.9.9.9'), 'no room for one more without a deposit').rejects.toMatchObject({ status: 413 })

  const known = privateKeyToAccount(generatePrivateKey())
  established.add(known.address)
  const owner = await world.join(known)
  for (let count = 0; count < 20; count++) await post(owner, owner, 8_000)
  expect(await countBytes(), 'an established wallet').toBe(bytes + 160_000)

  // Behind the network that filled its share, with a deposit: those without one make room.
  const newcomer = await join('10.0.0.77', { deposit: true })
  world.setOpenTask(taskId, known.address)
  await post(newcomer, owner, 4_000, { asks: 'v2:micro:1' })
  await post(newcomer, owner, 4_000, { applies: 'v2:micro:1' })
  expect((await owner.store.calls.listMail({})).body.items).toHaveLength(22)
  expect(await countBytes()).toBeLessThan(limits.newcomers + 160_000)
})

test('what free wallets leave is counted again and expires; nobody loses anything while the index cannot be read', async () => {
  const { sql } = world.service
  const [free, known] = [await join('10.1.0.1'), await join('10.1.0.2')]
  established.add(known.account.address)
  for (const person of [free, known]) {
    await post(person, person, 8_000)
    await person.store.putVault('backup')
  }
  await sql`update store.room set used_at = now() - interval '31 days'`
  const count = () => sql`select from store.vault`.then(({ length }) => length)
  isIndexAway = true
  await world.service.sweep()
  expect(await count()).toBe(2)
  isIndexAway = false
  expect((await world.service.sweep()).newcomerBytes).toBe(0)
  const left = await sql<{ wallet: string }[]>`select wallet from store.vault`
  expect(left.map(({ wallet }) => wallet)).toContain(known.account.address)
  expect(left.map(({ wallet }) => wallet)).not.toContain(free.account.address)
})

test('a newcomer has one question and one application for a task, in places that others cannot close', async () => {
  const owner = await join('10.2.0.1')
  established.add(owner.account.address)
  world.setOpenTask(taskId, owner.account.address)
  const task = 'v2:micro:1'
  const newcomer = await join('10.2.1.1', { deposit: true })
  await expect(post(newcomer, owner, 500), 'not about a task').rejects.toMatchObject({ code: 'MAIL_DEPOSIT_REQUIRED' })
  await post(newcomer, owner, 500, { asks: task })
  await post(newcomer, owner, 500, { applies: task })
  for (const kind of ['asks', 'applies'])
    await expect(post(newcomer, owner, 500, { [kind]: task })).rejects.toMatchObject({ code: 'MAIL_UNANSWERED' })

  // One network takes all places, each wallet with a deposit of its own.
  const { sql } = world.service
  const crowd = Array.from(
    { length: mailLimits.waitingNewcomers - 2 },
    () => `0x${randomBytes(20).toString('hex')}` as const,
  )
  const [given, wallet] = [JSON.stringify(crowd.map((each) => getAddress(each))), owner.account.address]
  await sql`
    with s as (select value as sender from jsonb_array_elements_text(${given}::text::jsonb)),
      known as (insert into store.mail_contact (sender, recipient, is_new) select sender, ${wallet}, true from s)
    insert into store.mail_newcomer (sender, task, kind, recipient, network)
    select sender, ${task}, 'application', ${wallet}, '10.6.6.0/24' from s`
  const second = await join('10.2.2.1', { deposit: true })
  await post(second, owner, 500, { applies: task })
  const [places] = await sql<{ crowd: number }[]>`
    select count(*) filter (where network = '10.6.6.0/24')::int as crowd from store.mail_newcomer`
  expect(places?.crowd, 'the largest network gave one up').toBe(mailLimits.waitingNewcomers - 3)
  // Known wallets write as ever.
  await expect(post(owner, second, 500)).resolves.toBeDefined()
})
