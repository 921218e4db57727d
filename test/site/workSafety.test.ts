import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  accounts,
  createScene,
  type DemoBundle,
  hashUtf8,
  type Job,
  type Scene,
  sealWork,
  sendActivation,
  sendCall,
  sendClaim,
  sendDelivery,
  sendPost,
  sendRevisionRequest,
  setUpMarkets,
  type Work,
} from '@svc/devnet'
import { canonicalizeJson, formatTaskId } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { hashSha256 } from '@svc/protocol/internal/work'
import { encodeDescriptor, hashDescriptor, hashManifest, parseDescriptor } from '@svc/protocol/work'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenStoreSite, openStoreSite } from './openSite.ts'
import { createPerson } from './person.ts'

const { bruno, emeka } = accounts
let site: OpenStoreSite
let scene: Scene
beforeAll(async () => {
  const fill = async (...[client, deployments]: Parameters<typeof setUpMarkets>) => {
    await setUpMarkets(client, deployments)
    return []
  }
  site = await openStoreSite({ fill, onStalled: () => {} })
  const { client, deployments } = site.stack.world.devnet
  scene = createScene(client, deployments, 'micro')
})
afterAll(() => site?.close())

/** What an attacker wants to run, in every file. */
const attack = 'window.attacked=true;alert(1);fetch("https://attacker.example/")'
const page = `<!doctype html><script>${attack}</script><img src=x onerror="${attack}">`
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="${attack}"><script>${attack}</script></svg>`
/** The header of a picture of 8 by 8 pixels, and then a page. */
const polyglot = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x08\x08\x02\0\0\0', 'latin1'),
  Buffer.from(page),
])

const hostile: Work = {
  text: [
    `Done. <img src=x onerror="${attack}"> <script>${attack}</script>`,
    `[click](javascript:${attack}) [data](data:text/html,x) <javascript:${attack}> ![pixel](https://attacker.example/pixel.png)`,
    `[ref]\n\n[ref]: javascript:alert(1)\n\n<iframe src="https://attacker.example/"></iframe>\n\n<style>@import "https://attacker.example/";</style>`,
    // Would take the parser many seconds.
    '*'.repeat(5_000),
  ].join('\n\n'),
  links: ['https://attacker.example/here'],
  files: {
    'page.html': page,
    'drawing.svg': drawing,
    'picture.png': page,
    'polyglot.png': polyglot,
    'huge.png': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x02\0\0\0', 'latin1'),
    'notes.md': `# Notes\n\n<img src=x onerror="${attack}">\n\n[x](javascript:alert(1))\n`,
    'table.csv': `=cmd|calc,<img src=x onerror=${attack}>\n`,
    'code.js': `${attack}\nif (isAdmin\u202e \u2066) {}\n`,
    'report.pdf': '%PDF-1.7 /JavaScript',
    'huge.txt': `${'long line '.repeat(1_000)}\n`.repeat(700),
    'deep/folder/archive.zip': Buffer.from('PK\x03\x04\0\0', 'latin1'),
  },
}

test('a hostile bundle runs nothing, asks nobody, and is saved as plain bytes', async () => {
  const job = await startJob()
  await sendDelivery(scene, job, hostile)
  await sendRevisionRequest(scene, job, { text: `Again. <script>${attack}</script>` })
  await sendDelivery(scene, job, {
    ...hostile,
    files: { ...hostile.files, 'code.js': `${attack}\nchanged\n`, 'notes.md': '<script>alert(1)</script>' },
  })
  await site.importBundles(scene.bundles.splice(0))
  const { page: view, faults, dialogs, blobTypes } = await openWork(job)

  await expect.poll(() => view.getByText('Verified on chain').count()).toBe(3)
  const [newest] = await view.locator('.task-body article.card').all()
  if (!newest) throw new Error('There is no delivery.')
  const press = (name: string) => newest.getByRole('button', { name, exact: true }).click()
  for (const name of Object.keys(hostile.files ?? {})) await press(`Show ${name}`)
  for (const name of ['code.js', 'notes.md']) await press(`Compare ${name}`)
  await expect.poll(() => newest.locator('.skeleton').count()).toBe(0)
  const shown = async (name: string) => newest.locator('.bundle-file', { hasText: name }).first().textContent()
  for (const name of ['page.html', 'drawing.svg', 'picture.png', 'report.pdf']) {
    await expect.poll(() => shown(name), { message: name }).toContain('are not opened here')
  }
  await expect.poll(() => shown('huge.png')).toContain('too large to draw')
  await expect.poll(() => shown('archive.zip')).toContain('Only text and pictures are shown')
  await expect.poll(() => shown('polyglot.png')).toContain('Only text and pictures are shown')
  await expect.poll(() => shown('huge.txt')).toContain('Only the beginning is shown')
  // Characters that reorder code are visible.
  const [, older] = await view.locator('.task-body article.card').all()
  await older?.getByRole('button', { name: 'Show code.js' }).click()
  await expect.poll(() => older?.locator('pre').textContent()).toContain('isAdmin\ufffd \ufffd')

  // Only elements of a fixed list, and links only to where they say.
  const forbidden =
    'script, iframe, object, embed, style, link, form, video, audio, [onerror], [onload], [style], [srcdoc]'
  const prose = view.locator('.bundle .prose, .bundle-preview, .bundle-file')
  expect(await prose.locator(forbidden).count()).toBe(0)
  const targets = await view
    .locator('.task-body a')
    .evaluateAll((links) => links.map((each) => each.getAttribute('href')))
  expect(targets.filter((target) => !/^(?:\/u\/0x|https:\/\/attacker\.example\/here$)/.test(target ?? ''))).toEqual([])
  const sources = await view
    .locator('.task-body img')
    .evaluateAll((images) => images.map((each) => each.getAttribute('src')))
  expect(sources.filter((source) => !source?.startsWith('blob:'))).toEqual([])

  const folder = await mkdtemp(join(tmpdir(), 'saved-'))
  for (const [name, saved] of [
    ['page.html', 'page.html'],
    ['drawing.svg', 'drawing.svg'],
    ['deep/folder/archive.zip', 'archive.zip'],
  ] as const) {
    const [download] = await Promise.all([view.waitForEvent('download'), press(`Download ${name}`)])
    expect(download.url()).toMatch(/^blob:/)
    expect(download.suggestedFilename()).toBe(saved)
    await download.saveAs(join(folder, saved))
    expect(await readFile(join(folder, saved))).toEqual(Buffer.from(hostile.files?.[name] ?? ''))
  }
  await rm(folder, { recursive: true })
  expect(new Set(await blobTypes())).toEqual(new Set(['application/octet-stream', 'image/png']))

  expect(await view.evaluate('window.attacked')).toBeUndefined()
  expect(dialogs).toEqual([])
  expect(faults).toEqual([])
  expect(view.context().pages()).toHaveLength(1)
})

test.each(['../../evil.html', 'invoice\u202egnp.exe'])(
  'a bundle with the file name %j is not shown at all',
  async (name) => {
    const job = await startJob()
    const bundle = await sealBadName(job, name)
    const args = [job.id, 0n, bundle.hash, { size: 0n, until: 0n, signature: '0x' }] as const
    const registry = { address: scene.contracts.taskRegistry, abi: taskRegistryAbi } as const
    await sendCall(scene.client, emeka, { ...registry, functionName: 'markDelivered', args })
    await site.importBundles([bundle])
    const { page: view, faults } = await openWork(job)
    await view.getByRole('alert').getByText('This is not what the hash on chain stands for.').waitFor()
    expect(await view.locator('.task-body').textContent()).not.toContain('Read me')
    expect(faults).toEqual([])
  },
)

test('a store that lies, lost the work, or is down says so', async () => {
  const job = await startJob()
  await sendDelivery(scene, job, { text: 'The real text.' })
  const [bundle] = scene.bundles.splice(0)
  if (!bundle) throw new Error('Nothing was sealed.')
  const missing = await openWork(job)
  await missing.page.getByText('The store does not hold this.').waitFor()
  await missing.page.context().close()

  await site.importBundles([bundle])
  const { page: view } = await openWork(job, async (opened) => {
    await opened.route('**/store/v1/**', (route) => route.abort())
  })
  await view.getByText('The store does not answer.').waitFor()
  await view.unroute('**/store/v1/**')
  // Other bytes than the hash stands for.
  await view.route('**/store/v1/bundles/**', (route) => route.fulfill({ body: '{}' }))
  await view.getByRole('button', { name: 'Try again' }).click()
  await view.getByRole('alert').getByText('This is not what the hash on chain stands for.').waitFor()
  await view.unroute('**/store/v1/bundles/**')
  await view.getByRole('button', { name: 'Try again' }).click()
  await view.getByText('The real text.').waitFor()
})

async function startJob(): Promise<Job> {
  const offer = { poster: bruno, text: 'Anything\n\nAt all.', amounts: [10n ** 18n], duration: 36_000 }
  const job = await sendPost(scene, offer)
  await sendClaim(scene, job, emeka)
  await sendActivation(scene, job)
  return job
}

/** Opens the work of a task as its poster, and watches what the page does. */
async function openWork(job: Job, prepare: (page: Page) => Promise<unknown> = async () => {}) {
  await site.stack.service.caughtUp()
  const person = await createPerson(site.browser, site.stack, bruno.address)
  const dialogs: string[] = []
  person.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await person.page.addInitScript(`
    window.blobTypes = []
    const create = URL.createObjectURL
    URL.createObjectURL = (blob) => { window.blobTypes.push(blob.type); return create(blob) }
  `)
  await prepare(person.page)
  await person.open(`/tasks/${formatTaskId({ market: 'micro', number: job.id })}?tab=work`)
  await person.connect()
  const blobTypes = (): Promise<string[]> => person.page.evaluate('window.blobTypes')
  return { ...person, dialogs, blobTypes }
}

/** Seals a bundle with a file name that the protocol's own code refuses to seal. */
async function sealBadName(job: Job, name: string): Promise<DemoBundle> {
  const subject = {
    kind: 'delivery' as const,
    chainId: scene.deployments.chainId,
    registry: scene.contracts.taskRegistry,
    taskId: { market: scene.market, number: job.id },
    milestone: 0,
    revision: 0,
    author: emeka.address,
  }
  const { bytes } = await sealWork(subject, { text: 'Any.' })
  const file = Buffer.from('Read me')
  const describe = (content: Uint8Array) => ({ sha256: hashSha256(content), size: content.length })
  const manifest = Buffer.from(
    canonicalizeJson({
      version: 1,
      text: 'Read me',
      files: [{ name, type: 'text/html', ...describe(file) }],
      links: [],
      salt: hashUtf8('salt'),
    }),
  )
  const blobs = [manifest, file].map((content) => ({ size: content.length, parts: [describe(content)] }))
  const sealed = encodeDescriptor({ ...parseDescriptor(bytes), manifestHash: hashManifest(manifest), blobs })
  const parts = new Map([manifest, file].map((content) => [hashSha256(content), content]))
  return { hash: hashDescriptor(sealed), bytes: sealed, parts }
}
