import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { contactKeys, createContacts } from './contacts.ts'
import { createSignedTokens } from './signedTokens.ts'

const createKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [ada, emeka] = [
  { wallet: '0x1111111111111111111111111111111111111111', channel: 'email' },
  { wallet: '0x2222222222222222222222222222222222222222', channel: 'email' },
] as const
const target = { address: 'ada@example.org' }
const [oldKey, newKey] = [createKey('2026'), createKey('2027')]
const create = (...keys: string[]) => createContacts(contactKeys.parse(keys.join(',')))

test('contact data decrypts for its owner only, and only unchanged', () => {
  const contacts = create(newKey)
  const box = contacts.encrypt(ada, target)
  expect(contacts.decrypt(ada, box)).toEqual(target)
  const bytes = Buffer.from(box, 'base64')
  expect(bytes.toString('latin1')).not.toContain('example')
  expect(() => contacts.decrypt(emeka, box)).toThrow()
  expect(() => contacts.decrypt({ ...ada, channel: 'webhook' }, box)).toThrow()
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(() => contacts.decrypt(ada, changed.toString('base64'))).toThrow()
  }
  expect(() => create(createKey('2027')).decrypt(ada, box)).toThrow()
})

test('the length of a row does not tell the length of an address', () => {
  const contacts = create(newKey)
  const sizes = ['a@b.io', `${'long'.repeat(20)}@example.org`].map(
    (address) => contacts.encrypt(ada, { address }).length,
  )
  expect(sizes[0]).toBe(sizes[1])
})

test('a rotated key still decrypts and finds rows', () => {
  const [before, after] = [create(oldKey), create(newKey, oldKey)]
  const box = before.encrypt(ada, target)
  expect(after.decrypt(ada, box)).toEqual(target)
  expect(after.isOutdated(box)).toBe(true)
  expect(after.isOutdated(after.encrypt(ada, target))).toBe(false)
  expect(after.hash('email', 'ada@example.org')).toContain(before.hash('email', 'ada@example.org')[0])
  expect(() => create(newKey).decrypt(ada, box)).toThrow('The key 2026 of contact data is not configured.')
})

test.each(['', 'k', 'k:short', `K:${randomBytes(32).toString('base64')}`, `${oldKey},${oldKey}`])(
  'the keys %j are refused',
  (text) => {
    expect(contactKeys.safeParse(text).success).toBe(false)
  },
)

test('a token works for one purpose, until it expires, and only unchanged', () => {
  const tokens = createSignedTokens(create(newKey).tokenKeys)
  const token = tokens.create('verify', 'sub-1', 1_000)
  expect(tokens.read('verify', token, 999)).toBe('sub-1')
  expect(tokens.read('verify', token, 1_000)).toBeNull()
  expect(tokens.read('unsubscribe', token, 999)).toBeNull()
  expect(tokens.read('verify', token.replace('1000', '2000'), 999)).toBeNull()
  expect(tokens.read('verify', token.replace('sub-1', 'sub-2'), 999)).toBeNull()
  expect(createSignedTokens(create(createKey('x')).tokenKeys).read('verify', token, 999)).toBeNull()
  const forever = createSignedTokens(create(oldKey).tokenKeys).create('unsubscribe', 'sub-1', null)
  expect(createSignedTokens(create(newKey, oldKey).tokenKeys).read('unsubscribe', forever, 2 ** 40)).toBe('sub-1')
})
