import fc from 'fast-check'
import { type Hex, hashTypedData, recoverTypedDataAddress } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import vectors from '../../vectors/profiles.json' with { type: 'json' }
import { createSignatureVerifier, verifyKeySignature } from '../negotiation/signatures.ts'
import { encodeProfile, type Profile, parseProfile, profile, profileLimits } from './profile.ts'
import {
  buildProfileTypedData,
  checkProfile,
  hashProfileStatement,
  isNewerProfile,
  type ProfileUse,
  type SignedProfile,
  signedProfile,
} from './profileStatement.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const now = 1_800_000_000
const use: ProfileUse = { domains: ['market.example'], chainId: 8453, now, verifySignature: verifyKeySignature }
const full: Profile = {
  displayName: 'Ada Lovelace',
  about: 'I translate.\n\nFast.',
  skills: ['translation', 'lang:pt', 'c++'],
  languages: ['en', 'pt-BR'],
  links: [{ label: 'Work', url: 'https://ada.example/work' }],
  contact: '@ada',
  offerings: [
    {
      title: 'A page of Portuguese',
      priceTokWei: '250000000000000000000',
      turnaroundHours: 24,
      inputSchema: { type: 'string' },
      outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    },
  ],
}

async function sign(changes: Partial<SignedProfile> = {}, signer = account): Promise<SignedProfile> {
  const statement = {
    wallet: account.address,
    domain: 'market.example',
    chainId: 8453,
    issuedAt: now,
    profile: encodeProfile(full),
    ...changes,
  }
  return { ...statement, signature: await signer.signTypedData(buildProfileTypedData(statement)) }
}

test('a profile has one form', () => {
  const text = encodeProfile(full)
  expect(parseProfile(text)).toEqual(full)
  expect(encodeProfile(parseProfile(text))).toBe(text)
  for (const wrong of [`${text} `, text.replace('{"about"', '{ "about"'), '{"displayName":"Ada"}', 'Ada', '[]', 'null'])
    expect(() => parseProfile(wrong), wrong).toThrow(expect.objectContaining({ code: 'INVALID_PROFILE' }))
  expect(parseProfile(encodeProfile({ displayName: 'Ada' }))).toEqual({
    displayName: 'Ada',
    about: '',
    skills: [],
    languages: [],
    links: [],
    offerings: [],
  })
})

const offer = { title: 'Work', priceTokWei: '1', turnaroundHours: 1 }
const link = (url: string) => ({ links: [{ label: 'x', url }] })

describe('rejects', () => {
  test.each([
    ['a name that is empty', { displayName: '' }],
    ['a name with spaces around it', { displayName: ' Ada' }],
    ['a name that reverses text', { displayName: 'Ada\u202egnp.exe' }],
    ['a name of invisible characters', { displayName: '\u200d\u200c' }],
    ['a name with a line break', { displayName: 'Ada\nPaid' }],
    ['a name that is too long', { displayName: 'a'.repeat(profileLimits.displayName + 1) }],
    ['a text that is too long', { about: 'a'.repeat(profileLimits.about + 1) }],
    ['a text with a control character', { about: 'a\u0000b' }],
    ['a skill in upper case', { skills: ['Rust'] }],
    ['the same skill twice', { skills: ['rust', 'rust'] }],
    ['too many skills', { skills: Array.from({ length: 21 }, (_, at) => `skill${at}`) }],
    ['a language in words', { languages: ['Portuguese'] }],
    ['a link that is not https', link('http://ada.example')],
    ['a link that runs code', link('javascript:alert(1)')],
    ['a link with data', link('data:text/html,x')],
    ['a link with a password', link('https://ada:secret@ada.example')],
    ['a link with a backslash', link('https://ada.example\\@other.example')],
    ['a link to a local name', link('https://localhost/')],
    ['a link with a space', link('https://ada.example/ x')],
    ['the same link twice', { links: [...link('https://a.example').links, ...link('https://a.example').links] }],
    ['a price with a sign', { offerings: [{ ...offer, priceTokWei: '-1' }] }],
    ['a price with a leading zero', { offerings: [{ ...offer, priceTokWei: '01' }] }],
    ['a turnaround of zero', { offerings: [{ ...offer, turnaroundHours: 0 }] }],
    ['a turnaround of part of an hour', { offerings: [{ ...offer, turnaroundHours: 1.5 }] }],
    ['a schema that is too long', { offerings: [{ ...offer, inputSchema: { title: 'a'.repeat(5_000) } }] }],
    ['the same offering twice', { offerings: [offer, offer] }],
    ['an unknown field', { verified: true }],
  ])('%s', (_, changes) => {
    const given = { displayName: 'Ada', ...changes }
    expect(() => encodeProfile(given)).toThrow(expect.objectContaining({ code: 'INVALID_PROFILE' }))
    expect(z.safeParse(profile, given).success).toBe(false)
  })

  test('a profile that is too long in all', () => {
    const offerings = Array.from({ length: 10 }, (_, at) => ({
      ...offer,
      title: `Work ${at}`,
      inputSchema: { title: 'a'.repeat(4_000) },
    }))
    expect(() => encodeProfile({ displayName: 'Ada', offerings })).toThrow('bytes')
  })
})

test('a signed profile is accepted, and its removal', async () => {
  expect((await checkProfile(await sign(), use)).content).toEqual(full)
  expect((await checkProfile(await sign({ profile: '' }), use)).content).toBeNull()
  expect((await checkProfile(await sign({ issuedAt: now + profileLimits.clockSkew }), use)).issuedAt).toBe(now + 300)
})

describe('a statement is rejected', () => {
  const expectRejected = async (signed: SignedProfile, message: string, with_: Partial<ProfileUse> = {}) =>
    expect(checkProfile(signed, { ...use, ...with_ })).rejects.toThrow(message)

  test('without the signature of its wallet', async () => {
    await expectRejected(await sign({}, other), 'not signed by')
    await expectRejected({ ...(await sign()), signature: `0x${'00'.repeat(65)}` }, 'not signed by')
  })

  test('for another site or chain, or from the future', async () => {
    await expectRejected(await sign({ domain: 'other.example' }), 'signed for other.example')
    await expectRejected(await sign({ chainId: 1 }), 'is for chain 1')
    await expectRejected(await sign({ issuedAt: now + profileLimits.clockSkew + 1 }), 'in the future')
  })

  test('if its profile breaks a rule, although it is signed', async () => {
    await expectRejected(await sign({ profile: '{"displayName":"Ada"}' }), 'canonical')
  })
})

test('a contract wallet signs as its contract decides', async () => {
  const asked: unknown[] = []
  const verifySignature = createSignatureVerifier(async (check) => asked.push(check) > 0)
  const signed = { ...(await sign({}, other)), wallet: account.address }
  expect((await checkProfile(signed, { ...use, verifySignature })).content).toEqual(full)
  expect(asked).toEqual([{ address: account.address, hash: hashProfileStatement(signed), signature: signed.signature }])
})

test('whatever is changed in a signed statement, it is no longer signed', async () => {
  const signed = await sign()
  const changes = fc.oneof(
    fc.record({ wallet: fc.constant(other.address) }),
    fc.record({ issuedAt: fc.integer({ min: 0, max: now + 300 }).filter((each) => each !== now) }),
    fc.record({ domain: fc.constant('second.example') }),
    fc.record({
      profile: fc
        .string({ minLength: 1, maxLength: 20 })
        .map((displayName) => z.safeParse(profile, { displayName }))
        .filter(({ success }) => success)
        .map(({ data }) => (data ? encodeProfile(data) : '')),
    }),
    fc.record({ profile: fc.constant('') }),
  )
  const domains = ['market.example', 'second.example']
  await fc.assert(
    fc.asyncProperty(changes, async (changed) => {
      await expect(checkProfile({ ...signed, ...changed }, { ...use, domains })).rejects.toThrow('not signed by')
    }),
    { numRuns: 50 },
  )
})

test('of any two statements of a wallet exactly one counts', async () => {
  const statement = fc.record({ issuedAt: fc.integer({ min: 0, max: 3 }), name: fc.constantFrom('Ada', 'Bea', 'Cy') })
  const build = ({ issuedAt, name }: { issuedAt: number; name: string }) => ({
    wallet: account.address,
    domain: 'market.example',
    chainId: 8453,
    issuedAt,
    profile: encodeProfile({ displayName: name }),
  })
  fc.assert(
    fc.property(statement, statement, (one, two) => {
      const [a, b] = [build(one), build(two)]
      const isSame = hashProfileStatement(a) === hashProfileStatement(b)
      expect([isNewerProfile(a, b), isNewerProfile(b, a)].filter(Boolean)).toHaveLength(isSame ? 0 : 1)
      if (a.issuedAt > b.issuedAt) expect(isNewerProfile(a, b)).toBe(true)
    }),
  )
  expect(
    isNewerProfile(
      { ...build({ issuedAt: 9, name: 'Ada' }), wallet: other.address },
      build({ issuedAt: 1, name: 'Ada' }),
    ),
  ).toBe(false)
})

test.each(vectors.profiles)('vector: $name', async ({ profile: given, text, hash, signed }) => {
  expect(given === null ? '' : encodeProfile(given as z.input<typeof profile>)).toBe(text)
  const statement = z.parse(signedProfile, signed)
  expect(statement.profile).toBe(text)
  expect(hashTypedData(buildProfileTypedData(statement))).toBe(hash)
  const signer = await recoverTypedDataAddress({
    ...buildProfileTypedData(statement),
    signature: statement.signature as Hex,
  })
  expect(signer).toBe(mnemonicToAccount(vectors.mnemonic).address)
  await checkProfile(statement, { ...use, now: vectors.now })
})

test.each(vectors.refused)('vector: %s is refused', (text) => {
  expect(() => parseProfile(text)).toThrow()
})
