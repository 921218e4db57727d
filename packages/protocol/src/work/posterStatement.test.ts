import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { now, poster, signStatement, statement, statementUse, worker } from '../../test/work.ts'
import { decodeTaskText, encodeTaskText, maxTextBytes, type TaskText, TextTooLongError } from '../tasks/taskText.ts'
import { buildTermsFromDraft, changeTerms, parseTermsDraft } from '../terms/draft.ts'
import { formatTermsText, verifyTerms } from '../terms/terms.ts'
import { checkPosterStatement, StatementRequiredError } from './posterStatement.ts'

const words: TaskText = { title: 'Draw a map', criteria: 'To scale.', milestones: ['Map'] }
const store = worker.address
const terms = { poster: poster.address, store }
const { verifySignature } = statementUse
const use = { chainId: 8453, now, verifySignature }

test('a statement is part of the canonical text, and a text without one is as before', async () => {
  const signed = await signStatement(statement)
  const text = encodeTaskText({ ...words, statement: signed })
  expect(decodeTaskText(text)).toEqual({ ...words, statement: signed, canonical: true })
  expect(encodeTaskText(words)).toBe('{"criteria":"To scale.","milestones":["Map"],"title":"Draw a map"}')
  expect(decodeTaskText(text.replace('"message"', '"massage"'))).toMatchObject({ canonical: false, milestones: [] })
  const huge = { ...signed, signature: `0x${'ab'.repeat(4_000)}` as const }
  expect(huge.signature.length + signed.message.length).toBeGreaterThan(maxTextBytes)
  expect(() => encodeTaskText({ ...words, statement: huge })).toThrow(TextTooLongError)
})

test('a task with a store needs a statement of its poster that counts now', async () => {
  const signed = await signStatement(statement)
  const withStatement = (given: typeof signed) => encodeTaskText({ ...words, statement: given })
  const check = (text: string, change: object = {}) => checkPosterStatement({ terms, text, ...use, ...change })
  expect(await check(withStatement(signed))).toMatchObject({ wallet: poster.address, readingKey: statement.readingKey })
  expect(await check(encodeTaskText(words), { terms: { ...terms, store: zeroAddress } })).toBeNull()

  const other = { ...signed, signature: await worker.signMessage({ message: signed.message }) }
  const foreign = { ...statement, wallet: worker.address }
  const refused: [string, Promise<unknown>, RegExp][] = [
    ['no statement', check(encodeTaskText(words)), /has no key statement/],
    ['free text', check('Draw a map'), /has no key statement/],
    ['text that is no sign-in', check(withStatement({ ...signed, message: 'Hello' })), /sign-in message/],
    ['signed by another wallet', check(withStatement(other)), /was not signed by/],
    ['of another wallet', check(withStatement(await signStatement(foreign))), /not of/],
    ['for another chain', check(withStatement(signed), { chainId: 1 }), /chain 8453/],
    ['expired', check(withStatement(signed), { now: statement.expiresAt }), /expired/],
    ['of another domain', check(withStatement(signed), { domains: ['other.example'] }), /not for this market/],
  ]
  for (const [name, result, message] of refused) {
    await expect(result, name).rejects.toThrow(StatementRequiredError)
    await expect(result, name).rejects.toThrow(message)
  }
  const broken = async () => {
    throw new Error('no provider')
  }
  await expect(check(withStatement(signed), { verifySignature: broken })).rejects.toThrow(/^no provider$/)
})

test('a draft carries the statement into the document, whose hash covers it', async () => {
  const signed = await signStatement(statement)
  const draft = parseTermsDraft({
    title: 'A map',
    criteria: 'To scale.',
    milestones: [{ title: 'Map', amount: '300 TOK', duration: '2 days' }],
    store,
    statement: signed,
  })
  const signing = () => ({ chainId: 8453, market: 'standard' as const, taskRegistry: store, asset: store })
  const document = buildTermsFromDraft(draft, { signing, poster: poster.address, now, nonce: 1n })
  expect(decodeTaskText(formatTermsText(document)).statement).toEqual(signed)
  expect(verifyTerms(document)).toBe(true)
  expect(verifyTerms({ ...document, statement: { ...signed, message: `${signed.message} ` } })).toBe(false)
  expect(verifyTerms({ ...document, statement: undefined })).toBe(false)
  expect(changeTerms(document, { title: 'Another map' }, now).statement).toEqual(signed)
})
