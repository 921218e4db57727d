import { createHash, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import type { Address } from 'viem'
import * as z from 'zod'
import { createChainWallet } from './chainWallet.ts'

/** A fake of the wallet behind Base Account: its page on loopback, a real passkey, and an account that the chain sends for. */
export interface FakeBaseAccount {
  /** Where the SDK opens its window. */
  url: string
  /** How often somebody confirmed with the passkey. */
  prompts: () => number
  /** Answers what the SDK asks the wallet's servers. */
  attach: (context: BrowserContext) => Promise<void>
  /** Confirms in a window of the wallet with the virtual authenticator of Chromium. */
  confirm: (popup: Page) => Promise<void>
  close: () => Promise<void>
}

const servers = ['https://rpc.wallet.coinbase.com', 'https://chain-proxy.wallet.coinbase.com']
const request = z.object({ method: z.string(), params: z.array(z.unknown()).default([]) })
const bytes = z.string().transform((text) => Buffer.from(text, 'base64'))
const created = z.object({ publicKey: bytes })
const signed = z.object({ clientData: bytes, authenticatorData: bytes, signature: bytes })
const credential = z.looseObject({
  credentialId: z.string(),
  isResidentCredential: z.boolean(),
  privateKey: z.string(),
  signCount: z.number(),
})

/** Starts the wallet of an account. The chain has its key, or plays it. */
export async function startFakeBaseAccount(account: Address, rpcUrl: string): Promise<FakeBaseAccount> {
  const challenge = randomBytes(32)
  const wallet = createChainWallet(account, rpcUrl)
  let passkey: Buffer | null = null
  let prompts = 0

  /** The first passkey is the account's. Afterwards it has to sign the challenge. */
  const check = (proof: unknown): void => {
    prompts++
    if (passkey === null) {
      passkey = created.parse(proof).publicKey
      return
    }
    const { clientData, authenticatorData, signature } = signed.parse(proof)
    const said = z.object({ challenge: z.string() }).parse(JSON.parse(clientData.toString()))
    const data = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
    const key = { key: passkey, format: 'der', type: 'spki' } as const
    if (said.challenge !== challenge.toString('base64url') || !verify('sha256', data, key, signature))
      throw new Error('The passkey did not sign this.')
  }

  const act = async ({ method, params }: z.infer<typeof request>): Promise<unknown> => {
    if (method === 'wallet_connect') return { accounts: [{ address: account, capabilities: {} }], chainIds: ['0x2105'] }
    if (method !== 'wallet_sendCalls') throw new Error(`The fake wallet does not know ${method}.`)
    return wallet.request(method, params)
  }

  const server = createServer(async (incoming, response) => {
    if (incoming.method === 'GET') {
      response.setHeader('content-type', 'text/html').end(page(account, challenge.toString('base64')))
      return
    }
    try {
      const { asked, proof } = z
        .object({ asked: request, proof: z.unknown() })
        .parse(JSON.parse(await readBody(incoming)))
      check(proof)
      response.end(JSON.stringify({ value: await act(asked) }))
    } catch (error) {
      response.end(JSON.stringify({ error: { code: -32_603, message: String(error) } }))
    }
  })
  await new Promise<void>((done) => server.listen(0, 'localhost', done))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The fake wallet has no port.')
  const known: z.infer<typeof credential>[] = []

  return {
    // Passkeys belong to a name, not to a number.
    url: `http://localhost:${address.port}/connect`,
    prompts: () => prompts,
    attach: async (context) => {
      for (const origin of servers) {
        await context.route(`${origin}/**`, async (route) => {
          const { method, params } = request.parse(route.request().postDataJSON())
          const result = await wallet.request(method, params)
          await route.fulfill({
            json: { jsonrpc: '2.0', id: 1, result },
            headers: { 'access-control-allow-origin': '*' },
          })
        })
      }
    },
    confirm: async (popup) => {
      const session = await popup.context().newCDPSession(popup)
      await session.send('WebAuthn.enable')
      const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      session.on('WebAuthn.credentialAdded', (added) => known.push(credential.parse(added.credential)))
      for (const each of known) await session.send('WebAuthn.addCredential', { authenticatorId, credential: each })
      const closed = popup.waitForEvent('close')
      await popup.getByRole('button', { name: 'Confirm with your passkey' }).click()
      await closed
    },
    close: () => new Promise((done) => void server.close(() => done())),
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** The page of the wallet. Its script speaks the SDK's language: P-256 between the windows, and AES-GCM inside. */
const page = (account: string, challenge: string) => `<!doctype html><title>Fake wallet</title>
<h1>A fake of Base Account</h1><p id="asked"></p><button hidden>Confirm with your passkey</button>
<script>(${walletPage})(${JSON.stringify({ account, challenge })})</script>`

const walletPage = `async ({ account, challenge }) => {
  const hex = (buffer) => [...new Uint8Array(buffer)].map((each) => each.toString(16).padStart(2, '0')).join('')
  const unhex = (text) => new Uint8Array(text.match(/../g).map((each) => parseInt(each, 16)))
  const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  const unbase64 = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const origin = new URLSearchParams(location.search).get('origin')
  const stored = JSON.parse(localStorage.getItem('keys') ?? 'null')
  const load = (format, key, uses) => crypto.subtle.importKey(format, key, curve, true, uses)
  const keys = stored
    ? { privateKey: await load('jwk', stored.privateKey, ['deriveKey']), publicKey: await load('jwk', stored.publicKey, []) }
    : await crypto.subtle.generateKey(curve, true, ['deriveKey'])
  const save = (key) => crypto.subtle.exportKey('jwk', key)
  localStorage.setItem('keys', JSON.stringify({ privateKey: await save(keys.privateKey), publicKey: await save(keys.publicKey) }))
  const send = (message) => opener.postMessage(message, origin)
  const prove = async () => {
    const passkey = localStorage.getItem('passkey')
    if (passkey === null) {
      const made = await navigator.credentials.create({ publicKey: {
        challenge: unbase64(challenge), rp: { name: 'Fake wallet' },
        user: { id: new TextEncoder().encode(account), name: account, displayName: account },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      } })
      localStorage.setItem('passkey', base64(made.rawId))
      return { publicKey: base64(made.response.getPublicKey()) }
    }
    const { response } = await navigator.credentials.get({ publicKey: {
      challenge: unbase64(challenge), userVerification: 'required',
      allowCredentials: [{ type: 'public-key', id: unbase64(passkey) }],
    } })
    return {
      clientData: base64(response.clientDataJSON),
      authenticatorData: base64(response.authenticatorData),
      signature: base64(response.signature),
    }
  }
  const ask = async (asked) => {
    const button = document.querySelector('button')
    document.querySelector('#asked').textContent = asked.method
    button.hidden = false
    await new Promise((done) => button.addEventListener('click', done, { once: true }))
    const body = JSON.stringify({ asked: { method: asked.method, params: asked.params }, proof: await prove() })
    return (await fetch('/', { method: 'POST', body })).json()
  }
  addEventListener('message', async ({ data, origin: from }) => {
    if (from !== origin || !data.content) return
    const peer = await load('spki', unhex(data.sender), [])
    const aes = { name: 'AES-GCM', length: 256 }
    const secret = await crypto.subtle.deriveKey({ name: 'ECDH', public: peer }, keys.privateKey, aes, false, ['encrypt', 'decrypt'])
    const { handshake, encrypted } = data.content
    const open = async () => {
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: encrypted.iv }, secret, encrypted.cipherText)
      return JSON.parse(new TextDecoder().decode(plain)).action
    }
    const result = handshake ? { value: null } : await ask(await open())
    const answer = {
      result,
      data: {
        chains: { 8453: '${servers[1]}/?targetName=base' },
        capabilities: { '0x2105': { atomic: { status: 'supported' } } },
      },
    }
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const cipherText = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, secret, new TextEncoder().encode(JSON.stringify(answer)))
    send({
      id: crypto.randomUUID(), requestId: data.id, correlationId: data.correlationId, timestamp: new Date(),
      sender: hex(await crypto.subtle.exportKey('spki', keys.publicKey)), content: { encrypted: { iv, cipherText } },
    })
    if (handshake) return
    send({ id: crypto.randomUUID(), event: 'PopupUnload' })
    close()
  })
  send({ id: crypto.randomUUID(), event: 'PopupLoaded' })
}`
