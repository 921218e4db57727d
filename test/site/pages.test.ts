import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accounts, createScene, findTaskNumber, listNamed, sendPost } from '@svc/devnet'
import { hashTaskText, parseTaskId } from '@svc/protocol'
import { arbitrationAbi } from '@svc/protocol/abis'
import type { Page } from 'playwright-core'
import { decodeFunctionData, getAddress } from 'viem'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { findAxeViolations } from '../harness/axe.ts'
import { createWatchedContext } from '../harness/browser.ts'
import { buildSite } from '../harness/buildSite.ts'
import { publishProfile } from '../harness/publishProfile.ts'
import { startForTests } from '../harness/startForTests.ts'
import { openStoreSite } from './openSite.ts'
import { createPerson, type Person } from './person.ts'
import { draftDecision, findLooker, shots, type Who, waitUntilSettled } from './shots.ts'

const site = startForTests(openStoreSite, 'close')

/** One browser per person, so that only its first page loads the scripts. */
const people = new Map<string, Promise<Person>>()
async function findPerson(path: string, who: Who): Promise<Person> {
  const address = await findLooker(site.stack.url, path, who)
  const key = who === 'nobody' ? who : address
  const found =
    people.get(key) ?? createPerson(site.browser, site.stack, address, who === 'nobody' ? { kind: 'none' } : {})
  people.set(key, found)
  return found
}

test.each(shots)(
  '%s has no WCAG 2.2 AA violation in either theme and fits into 360 pixels',
  async (_, path, prepare, who = 'emeka') => {
    const { page, faults, open, connect } = await findPerson(path, who)
    await page.unrouteAll()
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.emulateMedia({ colorScheme: 'light' })
    await open(path)
    if (who !== 'nobody') {
      await connect()
      await waitUntilSettled(page)
    }
    await prepare?.(page)
    expect(await findAxeViolations(page), 'light').toEqual([])
    expect(await listRetired(page, path)).toEqual([])
    expect(await isLastLineCovered(page), 'the button covers the last line of the receipt').toBe(false)
    // The themes differ in colours only.
    await page.emulateMedia({ colorScheme: 'dark' })
    // Until the next frame, styles may still be those of the other theme.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await findAxeViolations(page, 'colors'), 'dark').toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    expect(faults.splice(0)).toEqual([])
  },
)

/** What people write, and what is hard about it. */
const written = [
  ['a long word', 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstellenverzeichnis'],
  ['Arabic and Latin', 'ترجمة دليل Task Market v2.1 من English إلى العربية (الجزء 3) قبل 24.12.'],
  ['emoji', '👩‍🚀👨‍👩‍👧‍👦 🏳️‍🌈 Count 🐝🐝🐝 in the 🌻🌻🌻🌻 of 🇵🇹🇧🇷'],
] as const

test.each(written)('%s fits every page at 360 pixels and at twice the size', async (_, words) => {
  const { client, deployments } = site.stack.world.devnet
  const scene = createScene(client, deployments, 'standard')
  const text = `${words}\n\n## ${words}\n\n- ${words}\n- \`${words}\`\n\n| a | b |\n|---|---|\n| ${words} | ${words} |`
  const job = await sendPost(scene, { poster: accounts.bruno, amounts: [10n ** 21n], duration: 86_400, text })
  const displayName = [...words].slice(0, 40).join('').trim()
  await publishProfile(site.stack.world, accounts.bruno, { displayName, about: words, skills: ['maps'] })
  await site.stack.service.caughtUp()
  const { page, faults, open } = await findPerson('/', 'nobody')
  const found: { path: string; width: number; wide: unknown; cut: unknown }[] = []
  // At 200 %, a window of 1280 pixels is as wide as one of 640.
  for (const path of [`/tasks/v2:standard:${job.id}`, '/tasks', '/', `/u/${accounts.bruno.address}`, '/agents'])
    for (const width of [360, 640]) {
      await page.setViewportSize({ width, height: 740 })
      await open(path)
      await expect.poll(() => page.locator('.skeleton, #first').count()).toBe(0)
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      found.push({ path, width, wide, cut: await page.evaluate(findCut) })
    }
  expect(found).toEqual(found.map((each) => ({ ...each, wide: each.width, cut: [] })))
  expect(faults.splice(0)).toEqual([])
})

/** What is wider than its box without a way to see the rest: an ellipsis, which has the whole text as its title, or scrolling. */
const findCut = `[...document.querySelectorAll('main *')]
  .filter((each) => {
    const { overflowX, textOverflow, position } = getComputedStyle(each)
    const isCut = (overflowX === 'hidden' || overflowX === 'clip') && each.scrollWidth > each.clientWidth + 1
    return isCut && textOverflow !== 'ellipsis' && position !== 'absolute' && each.clientWidth > 1
  })
  .map((each) => each.className + ': ' + each.textContent.slice(0, 60))`

test('on a phone the first screen of a task has the pay, the clock and the button, and a judge sees what it can lose', async () => {
  const viewport = { width: 390, height: 844 }
  const task = await findTask('inReview')
  const { page, open, connect, context } = await createPerson(site.browser, site.stack, task.poster, {}, { viewport })
  await open(`/tasks/${task.id}`)
  await connect()
  // The clock of whoever reviews stands above the files.
  for (const part of ['.card-pay', '.clock', '.action-bar .button']) {
    const box = await page.locator(part).first().boundingBox()
    expect(box && [part, box.y >= 0 && box.y + box.height <= viewport.height]).toEqual([part, true])
  }
  await open('/judge')
  await page.locator('.judge-numbers td').first().waitFor()
  const rightmost = await page
    .locator('.judge-numbers td')
    .evaluateAll((cells) => Math.max(...cells.map((each) => each.getBoundingClientRect().right)))
  expect(rightmost).toBeGreaterThan(0)
  expect(rightmost).toBeLessThanOrEqual(viewport.width)
  await context.close()
})

test('the page of the court saves what a Safe signs: the case, its round, the side and the hash of the reasons', async () => {
  const { page, context, open } = await createPerson(site.browser, site.stack, accounts.emeka.address)
  await open('/court')
  await draftDecision(page)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the batch of 1' }).click(),
  ])
  const batch = JSON.parse(await readFile(await saved.path(), 'utf8'))
  const link = page.getByRole('main').getByRole('link', { name: 'Open the evidence' }).first()
  const [taskId = ''] = /v2:standard:\d+/.exec((await link.getAttribute('href')) ?? '') ?? []
  expect(batch.meta).toMatchObject({ createdFromSafeAddress: accounts.court.address })
  const { functionName, args } = decodeFunctionData({ abi: arbitrationAbi, data: batch.transactions[0].data })
  expect([functionName, ...(args ?? [])]).toEqual([
    'decide',
    parseTaskId(taskId).number,
    1n,
    true,
    hashTaskText('All of it is there.'),
  ])
  await context.close()
})

test('a task can be posted and claimed with the keyboard only', async () => {
  const poster = await createPerson(site.browser, site.stack, accounts.bruno.address)
  const { page } = poster
  await poster.open('/post')
  await poster.connect()
  const type = async (name: string | RegExp, text: string) => {
    await reach(page, name)
    await page.keyboard.type(text)
  }
  const press = async (name: string | RegExp) => {
    await reach(page, name)
    await page.keyboard.press('Enter')
  }
  await type('Title', 'Peel the potatoes')
  await type('What should be done', 'All of them.')
  await press('Continue')
  await type('What is delivered', 'Potatoes')
  await type('Pays, TOK', '100')
  await type('Days to do it', '2')
  await press('Continue')
  await page.getByLabel('Days in which it can be claimed').waitFor()
  await press('Continue')
  await press('Sign in with your wallet')
  await press(/^Post and lock /)
  await page.getByRole('heading', { name: 'Your task is live' }).waitFor()

  await site.stack.service.caughtUp()
  const worker = await createPerson(site.browser, site.stack, accounts.emeka.address)
  await worker.open('/tasks')
  await worker.connect()
  await reach(worker.page, 'Peel the potatoes')
  await worker.page.keyboard.press('Enter')
  await worker.page.getByRole('heading', { level: 1, name: 'Peel the potatoes' }).waitFor()
  for (const button of [/^Claim this task/, /^Claim · /]) {
    await reach(worker.page, button)
    await worker.page.keyboard.press('Enter')
  }
  await worker.page.locator('.steps[data-stage="in block"], .steps[data-stage="safe"]').first().waitFor()
})

/** The most files and bytes of script that pages load before somebody signs in, compressed. Those without a row: 20 and 150,000. */
const heavier: Readonly<Record<string, { files: number; script: number }>> = {
  // 180 kB of 1,024 bytes.
  task: { files: 20, script: 184_320 },
}

test('before somebody signs in, no page loads more script than it has to, and the first page little else', async () => {
  // As in a market whose people have names.
  for (const { account, profile } of listNamed()) await publishProfile(site.stack.world, account, profile)
  const { context } = await createWatchedContext(site.browser, site.stack.url)
  const { id, poster } = await findTask('open')
  const profile = `/u/${poster}`
  const weights: [path: string, files: number, script: number, json: number][] = []
  for (const path of ['/', '/tasks', `/tasks/${id}`, '/post', '/help', '/fees', '/agents', '/leaderboard', profile]) {
    const page = await context.newPage()
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('.skeleton, #first').count()).toBe(0)
    const loaded = loadedFiles.parse(
      await page.evaluate(
        'performance.getEntriesByType("resource").map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize }))',
      ),
    )
    const scripts = loaded.filter(({ name }) => name.endsWith('.js'))
    const json = loaded.filter(({ name }) => name.includes('/api/'))
    weights.push([
      path,
      scripts.length,
      scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      json.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
    ])
    await page.close()
  }
  await context.close()
  console.log(weights.map((each) => each.join(' ')).join('\n'))
  for (const [path, files, script, json] of weights) {
    const limit = heavier[path.startsWith('/tasks/') ? 'task' : path] ?? { files: 20, script: 150_000 }
    expect([path, files <= limit.files, script <= limit.script, path !== '/' || json <= 15_000]).toEqual([
      path,
      true,
      true,
      true,
    ])
  }
})

const loadedFiles = z.array(z.object({ name: z.string(), encodedBodySize: z.number(), decodedBodySize: z.number() }))

test('files are compressed and cached', async () => {
  const page = await readFile(join(site.stack.folder, 'dist/index.html'), 'utf8')
  const [, path = ''] = /src="(\/assets\/[^"]+)"/.exec(page) ?? []
  const packed = await fetch(site.stack.url + path)
  const plain = await fetch(site.stack.url + path, { headers: { 'accept-encoding': 'identity' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await packed.text()).toBe(await plain.text())
  const etag = packed.headers.get('etag') ?? ''
  expect((await fetch(site.stack.url + path, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('nothing inline but one style of a known hash, no third parties, and an integrity hash for every file', async () => {
  const response = await fetch(site.stack.url, { headers: { accept: 'text/html' } })
  // The page names its own public address, and no other.
  const html = (await response.text()).replaceAll('https://market.example', '')
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(response.headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${hash}'; img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self' https://rpc.wallet.coinbase.com https://chain-proxy.wallet.coinbase.com; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  const page = html.replace(/<style>.*?<\/style>/s, '')
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|https?:\/\//)
  for (const [tag] of page.matchAll(/<(?:script|link)[^>]*\/assets\/[^>]*>/g)) {
    expect(tag).toMatch(/integrity="sha384-[\w+/=]{64}"/)
  }
})

test('builds are reproducible', async () => {
  const again = join(site.stack.folder, 'again')
  await buildSite(join(site.stack.folder, 'deployments.json'), again)
  const listFiles = async (folder: string) => {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
    const paths = names.map(({ parentPath, name }) => join(parentPath, name)).sort()
    return Promise.all(paths.map(async (path) => [path.slice(folder.length), await readFile(path, 'base64')]))
  }
  expect(await listFiles(again)).toEqual(await listFiles(join(site.stack.folder, 'dist')))
})

/** Words of the contracts that pages do without: folds and the forms of all actions may have them. */
const retired = [
  'access fee',
  'exit deposit',
  'collateral',
  'escrow',
  'forfeit',
  'permit',
  'mark delivered',
  'connect wallet',
  'connect a wallet',
  'top up',
  'top-up',
  'bps',
  'net pay',
  'as of block',
  'v2:standard:',
  'v2:micro:',
]

/** Lists the retired words that the page shows. What a closed fold holds is not shown. */
async function listRetired(page: Page, path: string): Promise<string[]> {
  if (path.startsWith('/do')) return []
  let [shown = ''] = await page.locator('body').allInnerTexts()
  // What people wrote is in their own words.
  for (const theirs of await page.locator('[dir="auto"]').allInnerTexts()) shown = shown.replaceAll(theirs, ' ')
  return retired.filter((each) => new RegExp(`\\b${each}`).test(shown.toLowerCase()))
}

/** Whether the button of a receipt, which stays in view, hides who gets what. */
const isLastLineCovered = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const [line, buttons] = ['dialog[open] .receipt-lines > :last-child', 'dialog[open] .receipt-buttons']
      .map((each) => document.querySelector(each)?.getBoundingClientRect())
    return line !== undefined && buttons !== undefined && line.bottom > buttons.top
  })()`)

/** A task of the demo world, and its poster. */
async function findTask(name: Parameters<typeof findTaskNumber>[1]) {
  const id = `v2:standard:${findTaskNumber('standard', name)}`
  const { task } = taskAnswer.parse(await (await fetch(`${site.stack.url}/api/market/task?id=${id}`)).json())
  return { id, poster: getAddress(task.poster) }
}

const taskAnswer = z.object({ task: z.object({ poster: z.string() }) })

/** Goes by Tab until the field or button of this name has the focus. */
async function reach(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page
    .getByLabel(name)
    .or(page.getByRole('button', { name }))
    .or(page.getByRole('link', { name }))
    .first()
  await wanted.waitFor().catch(async (error: Error) => {
    throw new Error(`${name} is not there: ${await page.locator('main').textContent()}`, { cause: error })
  })
  for (let steps = 0; steps < 80; steps++) {
    if (await wanted.evaluate((each) => each === each.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} cannot be reached with the keyboard.`)
}
