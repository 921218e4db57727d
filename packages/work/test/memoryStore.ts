import { buildStorageReceiptTypedData, formatTaskId, type SigningContext } from '@svc/protocol'
import { buildSessionProof, computeBundleSize, hashSha256 } from '@svc/protocol/internal/work'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import {
  hashDescriptor,
  hashStatement,
  listParts,
  parseDescriptor,
  parseStatementMessage,
  type SignedStatement,
} from '@svc/protocol/work'
import { type Address, getAddress, type Hex, hashMessage, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

export const storeAccount = privateKeyToAccount(`0x${'77'.repeat(32)}`)

interface Proof {
  issuedAt: number
  nonce?: string
  signature: Hex
}

type Handler = (request: Request, wallet: Address | undefined, ...path: string[]) => Promise<Response>

/**
 * The routes of a store in memory, without access rules or quotas. Tests change its tables to make it lose or forge things, and
 * set `intercept` to make it fail.
 */
export function createMemoryStore(
  context: SigningContext,
  signer: Pick<LocalAccount, 'address' | 'signTypedData'> = storeAccount,
) {
  const state = {
    parts: new Map<string, Uint8Array>(),
    bundles: new Map<string, Uint8Array>(),
    statements: new Map<string, SignedStatement[]>(),
    grants: new Map<string, object[]>(),
    vaults: new Map<string, Uint8Array>(),
    mail: new Map<string, { number: number; from: string; id: string; postedAt: number; sealed: string }[]>(),
    sessions: new Map<string, Address>(),
    /** Every request, as method and path. */
    requests: [] as string[],
    /** The wallet of the clerk. */
    clerk: null as Address | null,
    intercept: null as ((request: Request) => Response | null | Promise<Response | null>) | null,
    fetch: answer,
  }
  const addStatement = (signed: SignedStatement) => {
    const { wallet } = parseStatementMessage(signed.message)
    state.statements.set(wallet, [signed, ...(state.statements.get(wallet) ?? [])])
    return wallet
  }

  const routes: Record<string, Handler> = {
    'GET /v1/store': async () =>
      Response.json({ address: signer.address, chainId: context.chainId, domains: [], clerk: state.clerk }),
    'POST /v1/sessions': async (request) => {
      const { proof, ...signed } = (await request.json()) as SignedStatement & { proof: Proof }
      const { deviceKey } = parseStatementMessage(signed.message)
      const text = buildSessionProof({
        store: signer.address,
        statement: hashStatement(signed.message),
        issuedAt: proof.issuedAt,
        nonce: proof.nonce,
      })
      const check = { address: deviceKey, hash: hashMessage(text), signature: proof.signature }
      if (!(await verifyKeySignature(check))) return fail(422, 'INVALID_STATEMENT')
      const token = `token-${state.sessions.size}`
      state.sessions.set(token, addStatement(signed))
      return Response.json({ token })
    },
    'PUT /v1/statements': async (request) => {
      const signed = (await request.json()) as SignedStatement
      addStatement(signed)
      return Response.json({ hash: hashStatement(signed.message) })
    },
    'GET /v1/statements/([^/]+)': async (_, __, wallet = '') =>
      Response.json({ statements: state.statements.get(wallet) ?? [] }),
    'POST /v1/tasks/([^/]+)/parts/missing': async (request, wallet) => {
      if (!wallet) return fail(401, 'SESSION_REQUIRED')
      const { parts } = (await request.json()) as { parts: string[] }
      return Response.json({ missing: parts.filter((each) => !state.parts.has(each)) })
    },
    'PUT /v1/tasks/([^/]+)/parts/([^/]+)': async (request, wallet, _, sha256 = '') => {
      const bytes = new Uint8Array(await request.arrayBuffer())
      if (!wallet) return fail(401, 'SESSION_REQUIRED')
      if (hashSha256(bytes) !== sha256) return fail(422, 'WRONG_BYTES')
      state.parts.set(sha256, bytes)
      return Response.json({}, { status: 201 })
    },
    'GET /v1/tasks/([^/]+)/parts/([^/]+)': async (_, __, ___, sha256 = '') =>
      respond(state.parts.get(sha256), 'PART_NOT_FOUND'),
    'PUT /v1/bundles/([^/]+)': async (request, wallet, hash = '') => {
      const bytes = new Uint8Array(await request.arrayBuffer())
      if (!wallet) return fail(401, 'SESSION_REQUIRED')
      if (hashDescriptor(bytes) !== hash) return fail(422, 'WRONG_BYTES')
      if (listParts(parseDescriptor(bytes)).some(({ sha256 }) => !state.parts.has(sha256)))
        return fail(409, 'PARTS_MISSING')
      state.bundles.set(hash, bytes)
      return Response.json({}, { status: 201 })
    },
    'GET /v1/tasks/([^/]+)/bundles': async (_, __, id) =>
      Response.json({
        bundles: [...state.bundles].flatMap(([hash, bytes]) => {
          const { kind, taskId, author, milestone, revision, recipient } = parseDescriptor(bytes)
          const listed = { hash, kind, author, milestone, revision, isPublic: recipient === null }
          return formatTaskId(taskId) === id ? [listed] : []
        }),
      }),
    'GET /v1/bundles/([^/]+)': async (_, __, hash = '') => respond(state.bundles.get(hash), 'BUNDLE_NOT_FOUND'),
    'POST /v1/bundles/([^/]+)/receipt': async (_, __, hash = '') => {
      const { taskId, milestone, revision, author, ...rest } = parseDescriptor(
        state.bundles.get(hash) ?? new Uint8Array(),
      )
      const size = BigInt(computeBundleSize(rest))
      const until = 1_900_000_000n
      const message = {
        taskId: taskId.number,
        milestone: BigInt(milestone),
        revision: BigInt(revision),
        worker: author,
        proofHash: hash as Hex,
        size,
        until,
      }
      const signature = await signer.signTypedData(buildStorageReceiptTypedData(context, message))
      return Response.json({ receipt: { size: String(size), until: String(until), signature } })
    },
    'PUT /v1/grants/([^/]+)/([^/]+)': async (request, _, bundle = '', reader = '') => {
      const key = `${bundle}/${reader}`
      state.grants.set(key, [
        { ...((await request.json()) as object), bundle, reader },
        ...(state.grants.get(key) ?? []),
      ])
      return Response.json({ bundle, reader })
    },
    'GET /v1/grants/([^/]+)/([^/]+)': async (_, __, bundle, reader) =>
      Response.json({ grants: state.grants.get(`${bundle}/${reader}`) ?? [] }),
    'POST /v1/mail': async (request, wallet = '0x') => {
      const { to, id, sealed } = (await request.json()) as { to: Address; id: string; sealed: string }
      for (const owner of new Set([wallet, getAddress(to)])) {
        const items = state.mail.get(owner) ?? []
        const isKnown = items.some((item) => item.id === id && item.from === wallet)
        const item = { number: items.length + 1, from: wallet, id, postedAt: 1_800_000_000, sealed }
        if (!isKnown) state.mail.set(owner, [...items, item])
      }
      return Response.json({ number: state.mail.get(wallet)?.length ?? 0, isNew: true })
    },
    'GET /v1/mail': async (request, wallet = '0x') => {
      const after = Number(new URL(request.url).searchParams.get('after')?.split('.')[0] ?? 0)
      const items = (state.mail.get(wallet) ?? []).filter(({ number }) => number > after)
      const last = (state.mail.get(wallet) ?? []).at(-1)
      const cursor = last ? `${last.number}.${last.id.slice(2)}` : null
      return Response.json({ items, cursor, hasMore: false, restarted: false })
    },
    'PUT /v1/vault': async (request, wallet = '0x') => {
      state.vaults.set(wallet, new Uint8Array(await request.arrayBuffer()))
      return Response.json({ wallet })
    },
    'GET /v1/vault': async (_, wallet = '0x') => respond(state.vaults.get(wallet), 'VAULT_NOT_FOUND'),
  }
  const table = Object.entries(routes).map(([route, handle]) => ({ form: new RegExp(`^${route}$`), handle }))

  async function answer(request: Request): Promise<Response> {
    const asked = `${request.method} ${decodeURIComponent(new URL(request.url).pathname)}`
    state.requests.push(asked)
    const intercepted = await state.intercept?.(request)
    if (intercepted) return intercepted
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    for (const { form, handle } of table) {
      const match = form.exec(asked)
      if (match) return handle(request, state.sessions.get(token), ...match.slice(1))
    }
    return fail(404, 'NOT_FOUND')
  }
  return state
}

const fail = (status: number, code: string) => Response.json({ error: code, code }, { status })

const respond = (bytes: Uint8Array | undefined, code: string) =>
  bytes ? new Response(new Uint8Array(bytes)) : fail(404, code)
