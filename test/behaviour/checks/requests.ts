// The local gateway: its receipts, claims and requests.
import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { computeSettlementDigest, type Market, markets } from '@svc/protocol'
import { taskRegistryAbi, tokTokenAbi } from '@svc/protocol/abis'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import { type Check, isObject, type Json, type JsonObject } from '../call.ts'
import { describeMeta, findTask, formatMoney, formatUtcTime, isClaimable, newestFirst } from '../expected.ts'
import { findAgent, type TaskFact } from '../facts.ts'
import { createTopUp, describeTopUp } from '../prepared.ts'
import { readTaskTerms } from '../taskDetail.ts'
import type { BehaviourWorld } from '../world.ts'
import { assertRefusal } from './refusal.ts'

export function listRequestChecks(world: BehaviourWorld) {
  const { facts, gatewayUrl } = world
  const { hana, ivo } = accounts

  /** A task of another poster that anyone may claim. */
  function findOffer(market: Market): TaskFact {
    const of = facts[market]
    const offer = newestFirst(of).find(
      (task) => isClaimable(world, of, task) && task.claimPolicy === 'ANYONE' && task.poster !== ivo.address,
    )
    if (!offer) throw new Error(`The ${market} market has no task to claim.`)
    return offer
  }

  return {
    'POST /v1/payment-receipt': async (call) => {
      const to = 'POST /v1/payment-receipt'
      for (const market of markets) {
        const task = findOffer(market)
        const { status, body } = await call({ to, input: { taskId: task.id, address: ivo.address } })
        assertEqual({ status, body }, { status: 200, body: await describeReceipt(body, task, ivo.address) }, task.id)
      }
      const standard = findOffer('standard').id
      const lacking = await call({ to, input: { taskId: standard, address: accounts.newcomer.address } })
      assertRefusal(lacking, 402, 'NOT_READY')
      assertRefusal(
        await call({ to, input: { taskId: 'v2:micro:99999', address: ivo.address } }),
        404,
        'TASK_NOT_FOUND',
      )
      assertRefusal(await call({ to, input: { taskId: standard } }), 400, 'INVALID_ADDRESS')
    },

    'POST /v1/tasks/:id/claim': async (call) => {
      const to = 'POST /v1/tasks/:id/claim'
      for (const market of markets) {
        const task = findOffer(market)
        const without = await call({ to, input: { id: task.id } })
        assertEqual(
          without,
          {
            status: 402,
            body: {
              error: 'A claim needs a readiness receipt in the header PAYMENT-RECEIPT.',
              code: 'PAYMENT_REQUIRED',
              receiptUrl: `${gatewayUrl}/v1/payment-receipt`,
            },
          },
          'a claim without a receipt',
        )
        const issued = await call({ to: 'POST /v1/payment-receipt', input: { taskId: task.id, address: hana.address } })
        const header = isObject(issued.body) && isObject(issued.body.header) ? issued.body.header : {}
        const headers = { [String(header.name)]: String(header.value) }
        const { status, body } = await call({ to, input: { id: task.id }, headers })
        const { contracts } = facts[market]
        const digest = await readClaimDigest(task, hana.address)
        const claim = encodeFunctionData({ abi: taskRegistryAbi, functionName: 'claim', args: [task.number, digest] })
        const input = { taskId: task.id, settlementDigest: digest }
        const same = await call({ to: 'POST /v1/requests', input: { action: 'claim-task', input, from: hana.address } })
        const claimed = readRequest(body)
        assertEqual({ status, ...claimed }, { status: 200, ...readRequest(same.body) }, `a claim of ${task.id}`)
        assertEqual(
          { taskId: claimed.taskId, from: claimed.from, calls: claimed.calls, claimDigest: claimed.claimDigest },
          {
            taskId: task.id,
            from: hana.address,
            calls: [{ to: contracts.taskRegistry, value: '0x0', data: claim }],
            claimDigest: digest,
          },
          `what a claim of ${task.id} sends`,
        )
        const other = findOffer(market === 'micro' ? 'standard' : 'micro')
        assertRefusal(await call({ to, input: { id: other.id }, headers }), 402, 'PAYMENT_REQUIRED')
      }
    },

    'POST /v1/requests': async (call) => {
      for (const market of markets) {
        const { status, body } = await createTopUp(call, market)
        assertEqual(
          { status, ...readRequest(body) },
          { status: 200, ...describePending(market) },
          `a top-up in ${market}`,
        )
      }
      const to = 'POST /v1/requests'
      const input = { market: 'micro', amountUsdc: 'ten' }
      assertRefusal(await call({ to, input: { action: 'top-up', input, from: ivo.address } }), 400, 'INVALID_REQUEST')
      const late = { taskId: findTask(world, 'standard', 'completed').id }
      assertRefusal(
        await call({ to, input: { action: 'cancel-task', input: late, from: ivo.address } }),
        422,
        'WOULD_REVERT',
      )
    },

    'GET /v1/requests/:id': async (call) => {
      const to = 'GET /v1/requests/:id'
      for (const market of markets) {
        const made = await createTopUp(call, market)
        const { status, body } = await call({ to, input: { id: readId(made.body) } })
        assertEqual(
          { status, ...readRequest(body) },
          { status: 200, ...describePending(market) },
          `a top-up in ${market}`,
        )
        assertEqual(body, made.body, 'the request as it was made')
      }
      assertRefusal(await call({ to, input: { id: 'req_0123456789012345678901' } }), 404, 'REQUEST_NOT_FOUND')
    },

    'POST /v1/requests/:id/reject': async (call) => {
      const to = 'POST /v1/requests/:id/reject'
      for (const market of markets) {
        const made = await createTopUp(call, market)
        const id = readId(made.body)
        const { status, body } = await call({ to, input: { id } })
        const rejected = { ...describePending(market), requestStatus: 'rejected', statusCode: 400, settled: true }
        assertEqual({ status, ...readRequest(body) }, { ...rejected, status: 200 }, market)
        const later = await call({ to: 'GET /v1/requests/:id', input: { id } })
        assertEqual(later.body, body, 'the request after it was rejected')
      }
      assertRefusal(await call({ to, input: { id: 'req_0123456789012345678901' } }), 404, 'REQUEST_NOT_FOUND')
    },

    'POST /v1/requests/:id/submitted': async (call) => {
      const to = 'POST /v1/requests/:id/submitted'
      const transactionHashes = [facts.standard.events[0]?.transactionHash ?? '0x']
      for (const market of markets) {
        const id = readId((await createTopUp(call, market)).body)
        const { status, body } = await call({ to, input: { id, account: ivo.address, transactionHashes } })
        // The transaction is of somebody else, so it is ignored.
        assertEqual({ status, ...readRequest(body) }, { ...describePending(market), status: 200 }, market)
      }
      const id = 'req_0123456789012345678901'
      assertRefusal(await call({ to, input: { id, account: ivo.address } }), 404, 'REQUEST_NOT_FOUND')
    },
  } satisfies Record<string, Check>

  /** A top-up that waits at the gateway. Its id, links, times and gas are checked where it is read. */
  function describePending(market: Market) {
    const status = { requestStatus: 'pending', statusCode: 100, settled: false, transactionHashes: [] }
    return { ...describeTopUp(world, market), ...status }
  }

  /** A request without its id, links, times and gas, which are checked here. */
  function readRequest(body: Json): JsonObject {
    if (!isObject(body)) throw new Error('There is no request.')
    const { requestId, approvalUrl, statusUrl, createdAt, expiresAt, simulation, block, status, ...rest } = body
    if (!/^req_[A-Za-z0-9_-]{22}$/.test(String(requestId))) throw new Error(`${requestId} is not an id.`)
    assertEqual(
      { approvalUrl, statusUrl },
      { approvalUrl: `${gatewayUrl}/approve/${requestId}`, statusUrl: `${gatewayUrl}/v1/requests/${requestId}` },
      'the links of a request',
    )
    assertEqual(Date.parse(String(expiresAt)) - Date.parse(String(createdAt)), 900_000, 'the life of a request')
    assertEqual(block, describeMeta(world, 'micro').block, 'the block of a request')
    const { gas, ...simulated } = isObject(simulation) ? simulation : {}
    if (Number(gas) < 21_000 || typeof gas !== 'string') throw new Error(`${gas} is no gas.`)
    return { ...rest, requestStatus: status ?? null, simulation: simulated }
  }

  async function readClaimDigest(task: TaskFact, worker: Address): Promise<Hex> {
    const context = createSigningContext(world.devnet.deployments, task.id.includes('micro') ? 'micro' : 'standard')
    return computeSettlementDigest(context, readTaskTerms(task), worker)
  }

  /** A receipt for a wallet that can claim a task. The claim shows that its signature counts. */
  async function describeReceipt(body: Json, task: TaskFact, wallet: Address) {
    const receipt = isObject(body) && isObject(body.receipt) ? body.receipt : {}
    const payload = isObject(receipt.payload) ? receipt.payload : {}
    const issuedAt = Number(payload.issuedAt)
    if (Math.abs(issuedAt - Date.now() / 1000) > 60) throw new Error(`A receipt was issued at ${payload.issuedAt}.`)
    const { client, deployments } = world.devnet
    const of = facts[task.id.includes('micro') ? 'micro' : 'standard']
    const tok = await client.readContract({
      address: deployments.shared.tokToken,
      abi: tokTokenAbi,
      functionName: 'balanceOf',
      args: [wallet],
    })
    const { free } = findAgent(of, wallet)
    const said = (name: string, have: string, need = have) => ({ name, ok: true, have, need })
    if (!/^0x[0-9a-f]{130}$/.test(String(receipt.signature))) throw new Error('A receipt is not signed.')
    return {
      receipt: {
        format: 'eip712',
        payload: {
          version: 1,
          network: 'eip155:8453',
          resourceUrl: `${gatewayUrl}/v1/tasks/${task.id}/claim`,
          payer: wallet,
          issuedAt,
          transaction: '',
        },
        signature: receipt.signature,
      },
      header: { name: 'PAYMENT-RECEIPT', value: Buffer.from(JSON.stringify(receipt)).toString('base64') },
      expiresAt: new Date((issuedAt + 600) * 1000).toISOString(),
      checks: [
        said('task-open', 'POSTED, OPEN'),
        said('claim-deadline', formatUtcTime(facts.block.timestamp), `until ${formatUtcTime(task.claimableUntil)}`),
        said('entries-open', 'entries are open'),
        said('not-poster', wallet, `any wallet but ${task.poster}`),
        said(
          'claim-policy',
          'ANYONE',
          'a task that anyone may claim; with a permit of the poster, prepare claim-task at /v1/requests',
        ),
        said('deposit', formatMoney(free, 'USDC'), '25.00 USDC not reserved'),
        said(
          'tok',
          formatMoney(tok, 'TOK'),
          '2,000 TOK. Costs 1,000 TOK or one Action Credit. Locks 1,000 TOK and 13.00 USDC of your deposit. Needs 25.00 USDC that no task reserves.',
        ),
        said('simulation', 'the chain would take the claim'),
      ],
    }
  }
}

const readId = (body: Json): string => (isObject(body) ? String(body.requestId) : '')
