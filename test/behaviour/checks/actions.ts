// The API about what a wallet can do: its inbox, the steps of a task and prepared actions; and how the index compares.
import { accounts } from '@svc/devnet'
import { type Market, markets } from '@svc/protocol'
import { assertEqual } from '../assertEqual.ts'
import { type Check, isObject, type Json } from '../call.ts'
import { describeMeta, findTask } from '../expected.ts'
import { describeInbox, inboxOwners } from '../inbox.ts'
import { describePayment, describeTopUp, readWorker, topUpInput } from '../prepared.ts'
import { describeWorkingSteps } from '../steps.ts'
import type { BehaviourWorld } from '../world.ts'
import { assertRefusal } from './refusal.ts'
import { walletRequired } from './wallet.ts'

export function listActionChecks(world: BehaviourWorld) {
  const { facts, comparisons } = world
  const { ada, ivo, newcomer } = accounts

  return {
    'GET /api/wallet/inbox': async (call) => {
      const to = 'GET /api/wallet/inbox'
      for (const market of markets) {
        for (const { address } of inboxOwners) {
          const entries = describeInbox(world, facts[market], address)
          const body = { address, market, entries, truncated: false, meta: describeMeta(world, market) }
          const answer = await call({ to, input: { address, market } })
          assertEqual(answer, { status: 200, body }, `${address} in ${market}`)
        }
      }
      const preset = await call({ to, input: { address: ada.address } })
      const entries = isObject(preset.body) ? preset.body.entries : null
      assertEqual(entries, describeInbox(world, facts.standard, ada.address), 'without a market')
      assertEqual(await call({ to, input: {} }), { status: 400, body: walletRequired }, 'without a wallet')
    },

    'GET /api/actions/steps': async (call) => {
      const to = 'GET /api/actions/steps'
      for (const market of markets) {
        const [working, completed] = ['working', 'completed'].map((scenario) => findTask(world, market, scenario))
        if (!working || !completed) throw new Error('There are two tasks.')
        const meta = describeMeta(world, market, 'chain')
        const worker = await call({ to, input: { id: working.id, address: readWorker(working) } })
        const body = { steps: describeWorkingSteps(working), blocked: [], meta }
        assertEqual(worker, { status: 200, body }, `the worker of ${working.id}`)
        const nothing = { have: null, need: null, missing: null, waitUntil: null, cure: null }
        const ended = await call({ to, input: { id: completed.id, address: newcomer.address } })
        const blocked = [{ action: 'any', rule: 'the task is COMPLETED, which is final', ...nothing }]
        assertEqual(ended.body, { steps: [], blocked, meta }, `anyone at ${completed.id}`)
      }
      assertRefusal(await call({ to, input: { id: 'v2:micro:99999', address: ada.address } }), 404, 'TASK_NOT_FOUND')
      assertRefusal(await call({ to, input: { id: '7', address: ada.address } }), 400, 'INVALID_TASK_ID')
      assertRefusal(await call({ to, input: { id: 'v2:micro:1' } }), 400, 'INVALID_ADDRESS')
    },

    'POST /api/actions/prepare': async (call) => {
      const to = 'POST /api/actions/prepare'
      for (const market of markets) {
        const topUp = await call({ to, input: { action: 'top-up', input: topUpInput(market), from: ivo.address } })
        assertEqual(
          { ...topUp, body: readPrepared(topUp.body) },
          { status: 200, body: describeTopUp(world, market) },
          `a top-up in ${market}`,
        )
        const { poster: from, id: taskId } = findTask(world, market, 'working')
        const payment = await call({ to, input: { action: 'accept-milestone', input: { taskId }, from } })
        assertEqual(readPrepared(payment.body), await describePayment(world, market), `a payment in ${market}`)
        const late = findTask(world, market, 'completed')
        for (const [input, error] of [
          [
            { action: 'cancel-task', input: { taskId: late.id }, from: late.poster },
            {
              name: 'WrongState',
              message: `Task ${late.id} is COMPLETED, which does not allow this.`,
              wayOut: 'Reload the task and choose one of its next steps.',
            },
          ],
          [
            { action: 'accept-milestone', input: { taskId }, from: newcomer.address },
            {
              name: 'NotPoster',
              message: `${newcomer.address} is not the poster of task ${taskId}.`,
              wayOut: "Send it from the poster's wallet.",
            },
          ],
        ] as const) {
          const { body } = await call({ to, input })
          const refused = { status: 'refused', call: 0, error }
          assertEqual(isObject(body) && body.simulation, refused, `${input.action} in ${market}`)
        }
      }
      const [action, from] = ['cancel-task', ada.address]
      for (const [input, status, code] of [
        [{ action, input: { taskId: 'v2:micro:99999' }, from }, 404, 'TASK_NOT_FOUND'],
        [{ action, input: { taskId: '7' }, from }, 400, 'INVALID_TASK_ID'],
        [{ action: 'top-up', input: { amountUsdc: '5' }, from }, 400, 'INVALID_MARKET'],
        [{ action: 'fly', input: {}, from }, 400, 'INVALID_REQUEST'],
        [{ action, input: { taskId: 'v2:micro:1' } }, 400, 'INVALID_REQUEST'],
      ] as const) {
        assertRefusal(await call({ to, input }), status, code)
      }
    },

    'GET /api/health/differential': async (call) => {
      const answer = await call({ to: 'GET /api/health/differential', input: {} })
      const body = { standard: describeComparison('standard'), micro: describeComparison('micro') }
      assertEqual(answer, { status: 200, body }, 'the last comparisons')
    },
  } satisfies Record<string, Check>

  /** What was prepared, without its block and its gas, which are checked here. */
  function readPrepared(body: Json) {
    const { block, simulation, ...rest } = isObject(body) ? body : {}
    assertEqual(block, describeMeta(world, 'micro').block, 'the block')
    const { gas, ...simulated } = isObject(simulation) ? simulation : {}
    if (Number(gas) < 21_000 || typeof gas !== 'string') throw new Error(`${gas} is not the gas of a call.`)
    return { ...rest, simulation: simulated }
  }

  /** The comparison that was saved for these checks. */
  function describeComparison(market: Market) {
    const { at, made, compared, total, walk, differences } = comparisons[market]
    const wrong = differences.length
    return {
      says: `${compared} rows were compared with contract storage at block ${at.number}: ${
        wrong === 0
          ? 'all are equal.'
          : `${wrong} differ. Reads that use them come from the chain until the index has repaired them.`
      }`,
      readsFrom: 'index',
      last: {
        block: { number: Number(at.number), hash: at.hash, timestamp: at.timestamp },
        digest: at.digest,
        comparedAt: made,
        rowsCompared: compared,
        rowsComparedInAll: Number(total),
        sweep: { upTo: walk.passed, of: walk.of, rounds: walk.rounds },
        differences,
      },
    }
  }
}
