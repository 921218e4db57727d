// The tools of the MCP server that say what a wallet can do, and prepare it.
import { accounts } from '@svc/devnet'
import { type Market, markets } from '@svc/protocol'
import { tokTokenAbi } from '@svc/protocol/abis'
import { type Address, formatUnits, keccak256, toHex } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import { type Check, isList, isObject, type Json } from '../call.ts'
import { describeMeta, findTask, formatMoney, formatUtcTime } from '../expected.ts'
import { findAgent } from '../facts.ts'
import {
  createTopUp,
  describeClaim,
  describeDelivery,
  describeToolPrepared,
  describeTopUp,
  readWorker,
  topUpInput,
} from '../prepared.ts'
import { describeToolSteps } from '../steps.ts'
import { readTerms } from '../taskDetail.ts'
import { assertRefused, describeToolMeta, describeUntrustedText, inTime } from '../toolFields.ts'
import type { BehaviourWorld } from '../world.ts'

export function listToolActionChecks(world: BehaviourWorld) {
  const { facts } = world
  const { ada, goran, ivo, newcomer } = accounts

  return {
    svc_task_next_steps: async (call) => {
      const to = 'svc_task_next_steps'
      const posterActions = ['accept-milestone', 'complete-task', 'dismiss-worker', 'mutual-cancel']
      for (const market of markets) {
        const task = findTask(world, market, 'working')
        const { worker } = task
        if (!worker) throw new Error('Nobody works.')
        const body = {
          taskId: task.id,
          address: worker,
          role: 'worker',
          state: 'ACTIVE',
          phase: 'WORKING',
          steps: describeToolSteps(task, worker),
          blocked: [],
          others: posterActions.map((action) => ({
            action,
            by: 'poster',
            ...inTime('until', action === 'dismiss-worker' ? task.deadline : null),
          })),
          meta: describeToolMeta(world),
        }
        assertEqual(
          await call({ to, input: { id: task.id, address: worker } }),
          { status: 200, body },
          `work in ${market}`,
        )
        const stranger = await call({ to, input: { id: task.id, address: newcomer.address } })
        const { role, steps, others } = isObject(stranger.body) ? stranger.body : {}
        const partiesDo = isList(others)
          ? others.map((each) => isObject(each) && `${each.by} ${each.action} ${each.until} ${each.untilUtc}`)
          : []
        const actions = isList(steps) ? steps.map((step) => isObject(step) && step.action) : []
        // Anyone may bring what both parties signed.
        assertEqual({ role, actions }, { role: 'stranger', actions: ['mutual-cancel'] }, `a stranger in ${market}`)
        const until = `${task.deadline} ${formatUtcTime(task.deadline)}`
        const poster = posterActions.map(
          (action) => `poster ${action} ${action === 'dismiss-worker' ? until : 'null null'}`,
        )
        const ofWorker = [`submit-proof ${until}`, `leave-task ${until}`, 'mutual-cancel null null'].map(
          (each) => `worker ${each}`,
        )
        assertEqual(partiesDo, [...poster, ...ofWorker], `the parties in ${market}`)
      }
      await assertRefused(call, to, { id: 'v2:micro:99999', address: ada.address }, 'TASK_NOT_FOUND')
    },

    svc_onboarding_checklist: async (call) => {
      const to = 'svc_onboarding_checklist'
      for (const market of markets) {
        for (const { address } of [goran, newcomer]) {
          const { status, body } = await call({ to, input: { address, market } })
          const items = await describeChecklist(market, address)
          const ready = items.every(({ ok, required }) => ok || !required)
          const { items: shown, ...rest } = isObject(body) ? body : {}
          assertEqual(
            { status, rest },
            { status: 200, rest: { address, ready, meta: describeToolMeta(world) } },
            `${address} in ${market}`,
          )
          const rows = isList(shown) ? shown : []
          assertEqual(rows.map(withoutNextStep), items, `what ${address} has in ${market}`)
          for (const row of rows) {
            const { ok, nextStep } = isObject(row) ? row : {}
            const tool = new RegExp(
              `Call svc_prepare {"action":"[a-z-]+","input":{"market":"${market}",.*"${address}"}$`,
            )
            if (ok ? nextStep !== null : !tool.test(String(nextStep))) throw new Error(`${nextStep} is no next step.`)
          }
        }
      }
    },

    svc_prepare: async (call) => {
      const to = 'svc_prepare'
      for (const market of markets) {
        const topUp = await call({
          to,
          input: { action: 'top-up', input: topUpInput(market), address: ivo.address, calls: true },
        })
        const body = await describeToolPrepared(world, call, topUp.body, describeTopUp(world, market))
        assertEqual(topUp, { status: 200, body }, `a top-up in ${market}`)

        const working = findTask(world, market, 'working')
        const [text, worker] = [`Done in ${market}.`, readWorker(working)]
        const taskId = working.id
        const delivered = await call({
          to,
          input: { action: 'submit-proof', input: { taskId }, address: worker, text, calls: true },
        })
        const delivery = describeDelivery(world, market, keccak256(toHex(text)))
        assertEqual(
          delivered.body,
          await describeToolPrepared(world, call, delivered.body, delivery),
          `a delivery in ${market}`,
        )

        const open = findTask(world, market, 'open')
        const input = { action: 'claim-task', input: { taskId: open.id }, address: ivo.address, calls: true }
        const claimed = await call({ to, input })
        const { claimDigest, ...claim } = describeClaim(world, market, ivo.address)
        const untrusted = { ...describeUntrustedText(open), claimDigest, terms: readTerms(open) }
        assertEqual(
          claimed.body,
          { ...(await describeToolPrepared(world, call, claimed.body, claim)), ...untrusted },
          `a claim in ${market}`,
        )

        const late = findTask(world, market, 'inReview')
        const refused = await call({
          to,
          input: { action: 'cancel-task', input: { taskId: late.id }, address: late.poster },
        })
        const cure = 'Reload the task and choose one of its next steps.'
        const reason = `Task ${late.id} is ACTIVE, which does not allow this.`
        assertEqual(
          refused.body,
          {
            action: 'cancel-task',
            summary: `Cancel the task: ${late.id}. Cancels your unclaimed task and returns what is in escrow and your exit deposit to you.`,
            market,
            taskId: late.id,
            costs: [],
            deadline: null,
            meta: describeToolMeta(world),
            ready: false,
            simulation: { status: 'refused', error: 'WrongState', reason, cure },
            nextStep: cure,
          },
          `what is refused in ${market}`,
        )
      }
      const { address } = ada
      await assertRefused(call, to, { action: 'top-up', input: {}, address }, 'INVALID_REQUEST')
      await assertRefused(call, to, { action: 'fly', input: {}, address }, 'INVALID_REQUEST')
      const unknown = { taskId: 'v2:micro:99999' }
      await assertRefused(call, to, { action: 'start-work', input: unknown, address }, 'TASK_NOT_FOUND')
    },

    svc_request_status: async (call) => {
      const to = 'svc_request_status'
      for (const market of markets) {
        const { body: made } = await createTopUp(call, market)
        const { requestId, createdAt, expiresAt } = isObject(made) ? made : {}
        const { action, title, explain, from } = describeTopUp(world, market)
        const { block } = describeMeta(world, market)
        const fixed = { requestId, action, title, explain, market, from, createdAt, expiresAt, preparedAt: block }
        const request = { ...fixed, approvalUrl: `${world.gatewayUrl}/approve/${requestId}`, transactionHashes: [] }
        const input = { requestId: String(requestId) }
        const pending = {
          status: 'pending',
          statusCode: 100,
          settled: false,
          nextStep: 'A person must open approvalUrl and sign. Call again with waitSeconds 25.',
        }
        assertEqual(
          await call({ to, input }),
          { status: 200, body: { ...request, ...pending } },
          `pending in ${market}`,
        )
        await call({ to: 'POST /v1/requests/:id/reject', input: { id: String(requestId) } })
        const rejected = {
          status: 'rejected',
          statusCode: 400,
          settled: true,
          nextStep: 'The person rejected it. Ask them before you prepare it again.',
        }
        const later = await call({ to, input })
        assertEqual(later.body, { ...request, ...rejected }, `rejected in ${market}`)
      }
      await assertRefused(call, to, { requestId: `req_${'x'.repeat(22)}` }, 'REQUEST_NOT_FOUND')
      await assertRefused(call, to, { requestId: '7' }, 'INVALID_REQUEST')
    },
  } satisfies Record<string, Check>

  /** What a wallet has of what it needs to post or claim. */
  async function describeChecklist(market: Market, wallet: Address) {
    const { client, deployments } = world.devnet
    const token = { address: deployments.shared.tokToken, abi: tokTokenAbi } as const
    const tok = await client.readContract({ ...token, functionName: 'balanceOf', args: [wallet] })
    const allowed = await client.readContract({
      ...token,
      functionName: 'allowance',
      args: [wallet, facts[market].contracts.paymentGateway],
    })
    const { free, credits } = findAgent(facts[market], wallet)
    const hasCredit = credits >= 10n ** 18n
    const eth = await client.getBalance({ address: wallet })
    const gas = 3_000_000n * (await client.getGasPrice())
    const money = formatMoney(tok, 'TOK')
    const [need, needed] = hasCredit ? ['1,000 TOK', 1_000n * 10n ** 18n] : ['2,000 TOK', 2_000n * 10n ** 18n]
    const pause =
      "Below a deposit of 8.00 USDC, a wallet's entries pause: it cannot post, create or claim a task, or fund one before its claim; its running tasks go on."
    const row = (item: string, ok: boolean, required: boolean, have: string, needs: string) => ({
      item,
      ok,
      required,
      have,
      need: needs,
    })
    const unreserved = `${formatMoney(free, 'USDC')} that no task reserves`
    return [
      row('chain', true, true, 'chain 8453', 'chain 8453'),
      row(
        'gas',
        eth >= gas,
        true,
        `${formatUnits(eth, 18)} ETH`,
        `${formatUnits(gas, 18)} ETH for the gas of one task`,
      ),
      row(
        'tok',
        tok >= needed,
        true,
        `${money}${hasCredit ? ' and an Action Credit' : ''}`,
        `${need} for a post or claim. Costs 1,000 TOK or one Action Credit. Locks 1,000 TOK and 13.00 USDC of your deposit. Needs 25.00 USDC that no task reserves.`,
      ),
      row(
        'tok-allowance',
        allowed >= needed,
        false,
        formatMoney(allowed, 'TOK'),
        `${need} approved for the payment gateway; prepared actions include their own approval`,
      ),
      row('deposit', free >= 25_000_000n, true, unreserved, `25.00 USDC to post or claim. ${pause}`),
      row(
        'recommended-deposit',
        free >= 45_000_000n,
        false,
        unreserved,
        '45.00 USDC, so that one penalty does not block you',
      ),
    ]
  }
}

function withoutNextStep(row: Json): Json {
  const { nextStep: _, ...rest } = isObject(row) ? row : {}
  return rest
}
