import { accounts } from '@svc/devnet'
import { type OutputJson, operations } from '@svc/operations'
import { loadProfile, maxProfiles, profilesSchema, saveProfile, searchProfiles } from '@svc/profiles'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import {
  buildProfileTypedData,
  type CheckedProfile,
  checkProfile,
  encodeProfile,
  type Profile,
  type SignedProfile,
} from '@svc/protocol/profile'
import { verifyAnswer } from '@svc/reads'
import { createDatabase, migrateSchema } from '@svc/serve'
import postgres from 'postgres'
import type { PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { type Service, startService } from '../harness/service.ts'
import { testDomain } from '../harness/storeApp.ts'
import { startTestNotifier } from '../notifier/notifierApp.ts'

let world: IndexedWorld
let service: Service

beforeAll(async () => {
  world = await startIndexedWorld()
  service = await startService(world)
  await migrateSchema(world.sql, profilesSchema)
})
afterAll(async () => {
  await service?.stop()
  await world?.stop()
})

const now = 1_800_000_000
type Given = Partial<Profile> & Pick<Profile, 'displayName'>
type Signer = Pick<PrivateKeyAccount, 'address' | 'signTypedData'>

async function sign(signer: Signer, profile: Given | null, issuedAt = now): Promise<CheckedProfile> {
  const statement = {
    wallet: signer.address,
    domain: testDomain,
    chainId: 8453,
    issuedAt,
    profile: profile === null ? '' : encodeProfile(profile),
  }
  const signed: SignedProfile = {
    ...statement,
    signature: await signer.signTypedData(buildProfileTypedData(statement)),
  }
  return checkProfile(signed, { domains: [testDomain], chainId: 8453, now, verifySignature: verifyKeySignature })
}

const createSigner = () => privateKeyToAccount(generatePrivateKey())
const list = async (search: Omit<Parameters<typeof searchProfiles>[1], 'limit'>) =>
  (await searchProfiles(world.sql, { ...search, limit: 50 })).map(({ profile }) => profile.displayName)

describe('stored profiles', () => {
  test('the newest statement counts, whatever the order in which they arrive', async () => {
    const signer = createSigner()
    const [first, second] = [
      await sign(signer, { displayName: 'One' }, 10),
      await sign(signer, { displayName: 'Two' }, 20),
    ]
    expect(await saveProfile(world.sql, second)).toBe('current')
    expect(await saveProfile(world.sql, first)).toBe('older')
    expect(await saveProfile(world.sql, second)).toBe('current')
    const found = await loadProfile(world.sql, signer.address)
    expect(found?.profile.displayName).toBe('Two')
    const { content: _, ...signed } = second
    expect(found?.statement).toEqual(signed)
  })

  test('a removed profile is gone, and its old statement does not bring it back', async () => {
    const signer = createSigner()
    const published = await sign(signer, { displayName: 'Gone', skills: ['vanishing'] }, 10)
    await saveProfile(world.sql, published)
    expect(await list({ skill: 'vanishing' })).toEqual(['Gone'])
    expect(await saveProfile(world.sql, await sign(signer, null, 20))).toBe('current')
    expect(await saveProfile(world.sql, published)).toBe('older')
    expect(await loadProfile(world.sql, signer.address)).toBeNull()
    expect(await list({ skill: 'vanishing' })).toEqual([])
    const [row] = await world.sql`select profile, words::text, skills from profiles.profile
      where wallet = ${Buffer.from(signer.address.slice(2), 'hex')}`
    expect(row).toEqual({ profile: '', words: '', skills: '{}' })
  })

  test('is searched by words, skill, language and price', async () => {
    const offer = (title: string, priceTokWei: string) => ({ title, priceTokWei, turnaroundHours: 1 })
    await saveProfile(
      world.sql,
      await sign(createSigner(), {
        displayName: 'Cartographer',
        about: 'Draws harbour maps, and nothing else.',
        skills: ['old-maps'],
        languages: ['pt-BR'],
        offerings: [offer('A chart', '900'), offer('A sketch', '100')],
      }),
    )
    const name = ['Cartographer']
    expect(await list({ words: 'harbour MAPS' })).toEqual(name)
    expect(await list({ words: 'sketch' })).toEqual(name)
    expect(await list({ words: 'harbour submarines' })).toEqual([])
    expect(await list({ words: 'harbour\0maps' })).toEqual(name)
    expect(await list({ words: "'; drop table profiles.profile; -- & | ! ( :*" })).toEqual([])
    expect(await list({ words: 'maps', skill: 'old-maps', language: 'pt-BR', maxPriceTokWei: '100' })).toEqual(name)
    expect(await list({ words: 'maps', maxPriceTokWei: '99' })).toEqual([])
    expect(await list({ words: 'maps', language: 'pt' })).toEqual([])
    expect(await list({ skill: 'maps' })).toEqual([])
  })

  test('are limited in number; wallets that have one can still change it', async () => {
    const [one, two] = [createSigner(), createSigner()]
    await saveProfile(world.sql, await sign(one, { displayName: 'One' }, 10))
    const [count] = await world.sql<{ count: string }[]>`select count(*) from profiles.profile`
    const most = Number(count?.count)
    expect(await saveProfile(world.sql, await sign(two, { displayName: 'Two' }), { network: null, places: most })).toBe(
      'full',
    )
    expect(
      await saveProfile(world.sql, await sign(one, { displayName: 'One' }, 20), { network: null, places: most }),
    ).toBe('current')
    expect(maxProfiles).toBeGreaterThan(1_000)
  })
})

async function ask<Name extends 'getProfile' | 'listNames' | 'searchAgents' | 'getTrackRecord'>(
  name: Name,
  path: string,
): Promise<OutputJson<Name>> {
  const response = await service.app.request(path)
  const body: unknown = await response.json()
  expect(response.status, JSON.stringify(body)).toBe(200)
  return operations[name].output.parse(body) as OutputJson<Name>
}

describe('the notifier', () => {
  test('publishes, changes and removes what the wallet signed, and nothing else', async () => {
    const notifier = await startTestNotifier({ databaseUrl: world.database.url, now: () => now * 1000 })
    const put = async (body: object) => {
      const response = await fetch(`${notifier.url}/notify/v1/profile`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const toBody = ({ content: _, ...signed }: CheckedProfile) => signed
    // One has a deposit; the other one has nothing on chain.
    const [signer, other] = [accounts.hana, createSigner()]
    const first = toBody(await sign(signer, { displayName: 'First' }, now - 10))
    const second = toBody(await sign(signer, { displayName: 'Second' }, now - 5))
    const shown = async () =>
      (await ask('getProfile', `/api/wallet/profile?address=${signer.address}`)).selfDeclared?.profile.displayName

    expect(await put({ ...first, wallet: other.address })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_PROFILE' },
    })
    expect(await put({ ...first, profile: second.profile })).toMatchObject({ status: 422 })
    expect(await put({ ...first, signature: undefined })).toMatchObject({ status: 400 })
    const free = await put(toBody(await sign(other, { displayName: 'Free' }, now - 10)))
    expect(free).toMatchObject({ status: 403, body: { code: 'DEPOSIT_REQUIRED' } })
    const count = () => world.sql`select from profiles.profile`.then(({ length }) => length)
    const before = await count()
    expect(await put(toBody(await sign(other, null, now - 10)))).toMatchObject({ body: { status: 'removed' } })
    expect(await count()).toBe(before)
    expect(await shown()).toBeUndefined()

    expect(await put(second)).toEqual({
      status: 200,
      body: { wallet: signer.address, issuedAt: now - 5, status: 'published' },
    })
    expect(await put(first)).toMatchObject({ status: 409, body: { code: 'OLDER_PROFILE' } })
    expect(await shown()).toBe('Second')
    expect(await put(toBody(await sign(signer, null, now)))).toMatchObject({ body: { status: 'removed' } })
    expect(await put(second)).toMatchObject({ status: 409 })
    expect(await shown()).toBeUndefined()
    await notifier.stop()
  })
})

describe('the API', () => {
  test('tells the names of wallets in their order, and nothing of wallets without one', async () => {
    const [person, agent, nobody] = [createSigner(), createSigner(), createSigner()]
    const picture = 'ab'.repeat(32)
    await saveProfile(world.sql, await sign(person, { displayName: 'Ada', picture }))
    await saveProfile(world.sql, await sign(agent, { displayName: 'tidy-rows', skills: ['agent'] }))
    const path = `/api/names?addresses=${[agent, nobody, person].map(({ address }) => address.toLowerCase()).join(',')}`
    expect((await ask('listNames', path)).names).toEqual([
      { address: agent.address, name: 'tidy-rows', kind: 'agent', picture: null },
      { address: person.address, name: 'Ada', kind: 'person', picture },
    ])
    const tooMany = Array.from({ length: 51 }, () => createSigner().address).join(',')
    expect((await service.app.request(`/api/names?addresses=${tooMany}`)).status).toBe(400)
    const brief = await ask('searchAgents', '/api/agents/search?skill=agent&brief=true')
    expect(brief.agents.map(({ selfDeclared }) => Object.keys(selfDeclared))).toContainEqual(['profile'])
  })

  test('shows the record from the chain beside the signed profile', async () => {
    const { bruno } = accounts
    const path = `/api/wallet/profile?address=${bruno.address}`
    const before = await ask('getProfile', path)
    expect(before).toMatchObject({ selfDeclared: null, selfDeclaredStatus: 'none' })
    await saveProfile(world.sql, await sign(bruno, { displayName: 'Bruno', skills: ['posting'] }))
    const { record, selfDeclared, selfDeclaredStatus } = await ask('getProfile', path)
    expect(selfDeclaredStatus).toBe('published')
    expect(selfDeclared?.profile.displayName).toBe('Bruno')
    expect(record).toEqual(before.record)
    const { meta: _, ...own } = await ask('getTrackRecord', `/api/wallet/record?address=${bruno.address}`)
    expect(record).toEqual(own)
    expect(record.completed).toBeGreaterThan(0)
    expect(record.review.count).toBeGreaterThan(0)
  })

  test('links every number to the events or tasks behind it', async () => {
    const { address } = accounts.bruno
    const record = await ask('getTrackRecord', `/api/wallet/record?address=${address}`)
    const found: Record<string, number> = {}
    for (const [name, source] of Object.entries(record.sources)) {
      let [count, url] = [0, source]
      for (let page = 0; page < 50; page++) {
        const response = await service.app.request(url)
        expect(response.status, url).toBe(200)
        const body = (await response.json()) as { events?: []; tasks?: []; meta: { nextCursor: string | null } }
        count += (body.events ?? body.tasks ?? []).length
        const next = new URL(url, 'http://localhost')
        if (body.meta.nextCursor === null || body.meta.nextCursor === next.searchParams.get('cursor')) break
        next.searchParams.set('cursor', body.meta.nextCursor)
        url = next.pathname + next.search
      }
      found[name] = count
    }
    expect(found).toMatchObject({
      completed: record.completed,
      disputes: record.disputesWon + record.disputesLost,
      leaves: record.leaves,
      dismissals: record.dismissals,
      lapses: record.lapses,
    })
    expect(found.paid).toBeGreaterThanOrEqual(record.completed)
  })

  test('is verified against the chain by the record', async () => {
    const path = `/api/wallet/record?address=${accounts.bruno.address}`
    const body = await ask('getTrackRecord', path)
    const deps = { providers: world.providers, deployments: world.devnet.deployments }
    const url = `http://localhost${path}`
    expect((await verifyAnswer(url, body, deps)).equal).toBe(true)
    const wrong = await verifyAnswer(url, { ...body, completed: body.completed + 1 }, deps)
    expect(wrong.differences.map((each) => each.path)).toEqual(['completed'])
  })

  test('searches profiles, best score first, page by page', async () => {
    const people = [accounts.ada, accounts.chiara, accounts.devi, accounts.emeka, createSigner()]
    for (const [at, each] of people.entries())
      await saveProfile(world.sql, await sign(each, { displayName: `Person ${at}`, skills: ['paging'] }))
    const whole = await ask('searchAgents', '/api/agents/search?skill=paging&limit=100')
    expect(whole.agents).toHaveLength(people.length)
    const scores = whole.agents.map(({ record }) => record.score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(new Set(scores).size).toBeGreaterThan(1)
    const pages: string[] = []
    let cursor = ''
    do {
      const page = await ask('searchAgents', `/api/agents/search?skill=paging&limit=2${cursor}`)
      expect(page.agents.length).toBeLessThanOrEqual(2)
      pages.push(...page.agents.map(({ record }) => record.address))
      cursor = page.meta.nextCursor === null ? '' : `&cursor=${page.meta.nextCursor}`
    } while (cursor !== '')
    expect(pages).toEqual(whole.agents.map(({ record }) => record.address))
    const refused = await service.app.request('/api/agents/search?cursor=abc')
    expect(await refused.json()).toMatchObject({ code: 'INVALID_CURSOR' })
  })

  test('answers the record without profiles, and says that they are missing', async () => {
    const away = postgres('postgres://127.0.0.1:1/none', { connect_timeout: 1, onnotice: () => {} })
    const without = await startService(world, { profiles: createDatabase(away, profilesSchema) })
    const profile = await without.app.request(`/api/wallet/profile?address=${accounts.ada.address}`)
    expect(await profile.json()).toMatchObject({
      record: { address: accounts.ada.address },
      selfDeclared: null,
      selfDeclaredStatus: 'unavailable',
    })
    const search = await without.app.request('/api/agents/search')
    expect([search.status, await search.json()]).toMatchObject([503, { code: 'PROFILES_UNAVAILABLE' }])
    await without.stop()
    await away.end()
  })
})
