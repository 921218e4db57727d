import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts, type Devnet, sendTransaction } from '@svc/devnet'
import { type PreparedJson, requestJson } from '@svc/operations'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStoredRequest, graceMs, lifetimeMs } from '../../apps/gateway/src/requests/request.ts'
import { openStore } from '../../apps/gateway/src/requests/store.ts'
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
    expect(output).toMatch(/SVC_DEPLOYMENTS[\s\S]*SVC_GATEWAY_PORT/)
  })
})

describe('the file', () => {
  const prepared = { action: 'top-up', calls: [], block: { number: 1 } } as unknown as PreparedJson
  const make = (now = Date.now()) => createStoredRequest(prepared, null, now)

  test('cut off at any byte, it has every request with a complete line, and accepts new ones', async () => {
    const file = join(folder, 'torn.jsonl')
    const store = await openStore({ file })
    const [first, second] = [make(), make()]
    for (const request of [first, second, { ...first, status: 'rejected' as const }]) await store.put(request)
    await store.close()
    const bytes = await readFile(file)
    const lastLine = bytes.lastIndexOf(10, -2)
    for (let length = 0; length <= bytes.length; length += length < lastLine - 10 ? 9 : 1) {
      await writeFile(file, bytes.subarray(0, length))
      const torn = await openStore({ file })
      // A line that only lacks its newline is complete.
      const ends = bytes.subarray(0, length + 1).filter((byte) => byte === 10).length
      expect([...torn.all()].length, `cut to ${length}`).toBe(Math.min(ends, 2))
      expect(torn.get(first.id)?.status, `cut to ${length}`).toBe([undefined, 'pending', 'pending', 'rejected'][ends])
      if (length % 20 === 0) {
        const fresh = make()
        await torn.put(fresh)
        const again = await openStore({ file })
        expect(again.get(fresh.id)).toEqual(fresh)
        await again.close()
      }
      await torn.close()
    }
  })

  test('garbage in the middle loses no other line', async () => {
    const file = join(folder, 'garbage.jsonl')
    const [a, b] = [make(), make()]
    await writeFile(
      file,
      `${JSON.stringify(a)}\n{"id":"req_\u0000\n[]\nnull\n${JSON.stringify({ ...b, id: 'x' })}\n${JSON.stringify(b)}\n`,
    )
    const store = await openStore({ file })
    expect([...store.all()].map(({ id }) => id)).toEqual([a.id, b.id])
    await store.close()
  })

  test('a thousand changes at once are all stored, and history is compacted in time', async () => {
    const file = join(folder, 'many.jsonl')
    const store = await openStore({ file })
    const requests = Array.from({ length: 200 }, () => make())
    for (const status of [
      'pending',
      'submitted',
      'pending',
      'submitted',
      'rejected',
      'confirmed',
      'expired',
    ] as const) {
      await Promise.all(requests.map((request) => store.put({ ...request, status })))
    }
    await store.close()
    expect((await readFile(file, 'utf8')).split('\n').length).toBeLessThan(1_201)
    const again = await openStore({ file })
    expect([...again.all()].map(({ id, status }) => [id, status])).toEqual(requests.map(({ id }) => [id, 'expired']))
    await again.close()
  })

  test('when it is full, only requests that are final are dropped', async () => {
    let now = 1_000_000
    const store = await openStore({ file: join(folder, 'full.jsonl'), maxRequests: 2, now: () => now })
    const [a, b, c] = [make(now), make(now), make(now)]
    await store.put({ ...a, status: 'confirmed' })
    await store.put(b)
    await expect(store.put(c)).rejects.toMatchObject({ status: 503 })
    now += lifetimeMs + graceMs
    await store.put(c)
    expect([...store.all()].map(({ id }) => id)).toEqual([b.id, c.id])
    await store.close()
  })
})
