import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts, type Devnet, sendTransaction } from '@svc/devnet'
import { type PreparedJson, requestJson } from '@svc/operations'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createStoredRequest,
  graceMs,
  lifetimeMs,
  type StoredRequest,
} from '../../apps/gateway/src/requests/request.ts'
import { openStore, type Store } from '../../apps/gateway/src/requests/store.ts'
import { startFundedDevnet } from '../harness/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../harness/gatewayProcess.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crash-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the real process', () => {
  let devnet: Devnet
  let gateway: GatewayProcess
  beforeAll(async () => {
    devnet = await startFundedDevnet()
    gateway = await startGatewayProcess(devnet, { SVC_RECEIPT_KEY: `0x${'5e'.repeat(32)}` })
  })
  afterAll(async () => {
    await gateway?.remove()
    await devnet?.stop()
  })

  const url = (path: string) => gateway.url + path
  const show = async (id: string, wait = 0) =>
    requestJson.parse(await (await fetch(url(`/v1/requests/${id}?wait=${wait}`))).json())

  test('killed between preparing and mining, it still has the request and settles it', async () => {
    const response = await fetch(url('/v1/requests'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        action: 'top-up',
        input: { market: 'micro', amountUsdc: '3000000' },
        from: accounts.hana.address,
      }),
    })
    const prepared = requestJson.parse(await response.json())
    await gateway.kill()
    await gateway.start()
    expect(await show(prepared.requestId)).toEqual(prepared)
    await gateway.kill()
    for (const { to, data } of prepared.calls) {
      await sendTransaction(devnet.client, accounts.hana, { to: to as Address, data: data as Hex })
    }
    await gateway.start()
    await expect.poll(async () => (await show(prepared.requestId, 5)).status).toBe('confirmed')
    await gateway.kill()
    await gateway.start()
    expect((await show(prepared.requestId)).status).toBe('confirmed')
    expect(gateway.output()).not.toContain('5e5e5e5e')
  })

  test('without its configuration it does not start, and lists everything that is missing', async () => {
    const main = fileURLToPath(new URL('../../apps/gateway/src/main.ts', import.meta.url))
    const child = spawn(process.execPath, [main, '--check-config'], { env: { SVC_GATEWAY_PORT: 'x' } })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    expect(output).toMatch(/SVC_API_URL[\s\S]*SVC_GATEWAY_PORT|SVC_GATEWAY_PORT[\s\S]*SVC_API_URL/)
  })
})

describe('the file', () => {
  const prepared = { action: 'top-up', calls: [], block: { number: 1 } } as unknown as PreparedJson
  const make = (now = Date.now()) => createStoredRequest(prepared, null, now)
  const digest = (byte: string): Hex => `0x${byte.repeat(32)}`
  const prove = (request: StoredRequest, transaction: Hex): StoredRequest => ({
    ...request,
    status: 'confirmed',
    outcome: { block: 7, blockHash: digest('b0'), transaction, logIndex: 3 },
  })

  /** Replaces the current version of a request. */
  async function change(store: Store, id: string, status: StoredRequest['status']): Promise<void> {
    const current = store.get(id)
    if (!current || !(await store.replace(current, { ...current, status }))) throw new Error(`${id} was not changed.`)
  }

  test('a file of an earlier version is imported, cut off at any byte, with every request of a complete line', async () => {
    const [first, second] = [make(), make()]
    const lines = [first, second, { ...first, status: 'rejected' as const }].map((each) => JSON.stringify(each))
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    const newlines = [...bytes.entries()].filter(([, byte]) => byte === 10)
    const near = newlines.flatMap(([at]) => [at - 1, at, at + 1])
    for (const length of [0, 1, ...near, near[0] ? Math.floor(near[0] / 2) : 0]) {
      const base = join(folder, `torn${length}`)
      await writeFile(`${base}.jsonl`, bytes.subarray(0, length))
      const store = await openStore({ file: `${base}.sqlite` })
      // A line that only lacks its newline is complete.
      const ends = bytes.subarray(0, length + 1).filter((byte) => byte === 10).length
      expect([...store.all()].length, `cut to ${length}`).toBe(Math.min(ends, 2))
      expect(store.get(first.id)?.status, `cut to ${length}`).toBe([undefined, 'pending', 'pending', 'rejected'][ends])
      await store.close()
    }
    const names = (await readdir(folder)).filter((name) => name.startsWith(`torn${bytes.length}`)).sort()
    expect(names).toEqual([`torn${bytes.length}.jsonl.imported`, `torn${bytes.length}.sqlite`])
  })

  test('garbage in an earlier file loses no other line, and what was changed since is not overwritten', async () => {
    const [a, b] = [make(), make()]
    const old = `${JSON.stringify(a)}\n{"id":"req_\u0000\n[]\nnull\n${JSON.stringify({ ...b, id: 'x' })}\n${JSON.stringify(b)}\n`
    await writeFile(join(folder, 'garbage.jsonl'), old)
    const file = join(folder, 'garbage.sqlite')
    const store = await openStore({ file })
    expect([...store.all()].map(({ id }) => id)).toEqual([a.id, b.id])
    await change(store, a.id, 'rejected')
    // The start was interrupted before the file was renamed.
    await writeFile(join(folder, 'garbage.jsonl'), old)
    const again = await openStore({ file })
    expect(again.get(a.id)?.status).toBe('rejected')
    await Promise.all([store.close(), again.close()])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('a thousand changes at once are all stored', async () => {
    const file = join(folder, 'many.sqlite')
    const store = await openStore({ file })
    const requests = await Promise.all(Array.from({ length: 200 }, () => store.add(make())))
    for (const status of ['submitted', 'pending', 'rejected', 'confirmed', 'expired'] as const) {
      await Promise.all(requests.map(({ id }) => change(store, id, status)))
    }
    await store.close()
    const again = await openStore({ file })
    expect([...again.all()].map(({ id, status }) => [id, status])).toEqual(requests.map(({ id }) => [id, 'expired']))
    await again.close()
  })

  test('when it is full, only requests that are final are dropped, and others still see every change', async () => {
    let now = 1_000_000
    const options = { file: join(folder, 'full.sqlite'), maxRequests: 2, now: () => now }
    const [store, other] = [await openStore(options), await openStore(options)]
    const [a, b, c] = [make(now), make(now), make(now)]
    for (const request of [b, a]) await store.add(request)
    await change(store, a.id, 'confirmed')
    await expect(store.add(c)).rejects.toMatchObject({ status: 503 })
    expect([...other.all()]).toHaveLength(2)
    now += lifetimeMs + graceMs
    await store.add(c)
    expect([...store.all()].map(({ id }) => id)).toEqual([a.id, c.id])
    expect([...other.all()].map(({ id }) => id)).toEqual([a.id, c.id])
    await Promise.all([store.close(), other.close()])

    // The last change is deleted with its request. Its number is not used again, so the other sees the next one.
    const single = { ...options, file: join(folder, 'single.sqlite'), maxRequests: 1 }
    const [writer, reader] = [await openStore(single), await openStore(single)]
    const first = await writer.add(make(now))
    expect(reader.get(first.id)).not.toBeNull()
    now += lifetimeMs + graceMs
    const second = await writer.add(make(now))
    expect(reader.get(second.id)).not.toBeNull()
    await Promise.all([writer.close(), reader.close()])
  })

  test('two that use one file: the first change wins, a receipt opens one request, and a log proves one', async () => {
    const file = join(folder, 'shared.sqlite')
    const [one, two] = [await openStore({ file }), await openStore({ file })]
    const { id } = await one.add(make())
    const [seenByOne, seenByTwo] = [one.get(id), two.get(id)]
    if (!seenByOne || !seenByTwo) throw new Error('The request is missing.')
    const changed = two.changed(id, 60_000, new AbortController().signal)
    const results = await Promise.all([
      one.replace(seenByOne, { ...seenByOne, status: 'rejected' }),
      two.replace(seenByTwo, { ...seenByTwo, status: 'submitted' }),
    ])
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(one.get(id)).toEqual(two.get(id))
    await changed

    const receipt = { digest: digest('d1'), signer: accounts.ada.address }
    const made = [createStoredRequest(prepared, receipt, 1), createStoredRequest(prepared, receipt, 1)] as const
    const stored = await Promise.all([one.add(made[0]), two.add(made[1])])
    expect(stored[0]?.id).toBe(stored[1]?.id)

    const [left, right] = [await one.add(make()), await two.add(make())]
    const [mine, theirs] = [one.get(left.id), two.get(right.id)]
    if (!mine || !theirs) throw new Error('The request is missing.')
    expect(await one.replace(mine, prove(mine, digest('aa')))).toBe(true)
    expect(await two.replace(theirs, prove(theirs, digest('aa')))).toBe(false)
    expect(await two.replace(theirs, prove(theirs, digest('ab')))).toBe(true)
    await Promise.all([one.close(), two.close()])
  })
})
