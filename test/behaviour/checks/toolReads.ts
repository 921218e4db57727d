// The tools of the MCP server that read the chain and search.
import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { computeSettlementDigest, formatDuration, markets } from '@svc/protocol'
import type { Address } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import { type Check, isObject, type JsonObject } from '../call.ts'
import { listCourtFacts } from '../court.ts'
import {
  describeAgent,
  encodeListCursor,
  findTask,
  formatMoney,
  formatUtcTime,
  isClaimable,
  isWallet,
  newestFirst,
  readText,
} from '../expected.ts'
import { findAgent, listContrasts, type MarketFacts, scoreFormula, type TaskFact } from '../facts.ts'
import { describeDetail, knownScenarios, readTaskTerms } from '../taskDetail.ts'
import {
  assertRefused,
  describeToolMeta,
  describeToolRow,
  describeUntrustedText,
  inTime,
  inTok,
} from '../toolFields.ts'
import { describeRecord, describeUntrustedProfile } from '../trackRecord.ts'
import type { BehaviourWorld } from '../world.ts'

export function listToolReadChecks(world: BehaviourWorld) {
  const { facts } = world
  const { ada, emeka, farah, kofi, newcomer } = accounts

  /** Compares a list of tasks in both markets, in two pages, and refuses a limit that is too large. */
  const checkList =
    (to: string, input: JsonObject, select: (task: TaskFact, of: MarketFacts) => boolean): Check =>
    async (call) => {
      for (const market of markets) {
        const of = facts[market]
        const tasks = newestFirst(of).filter((task) => select(task, of))
        const rows = tasks.map((task) => describeToolRow(world, of, task))
        const [, second] = tasks
        if (!second || tasks.length < 3) throw new Error(`${to} of ${market} is too short to show its order.`)
        const nextCursor = encodeListCursor(second)
        const page = await call({ to, input: { ...input, market, limit: 2 } })
        const body = { tasks: rows.slice(0, 2), meta: { ...describeToolMeta(world), nextCursor } }
        assertEqual(page, { status: 200, body }, `${to} ${market}`)
        const rest = await call({ to, input: { ...input, market, limit: 50, cursor: nextCursor } })
        const last = tasks.length > 52 ? encodeListCursor(tasks[51] ?? second) : null
        assertEqual(
          rest.body,
          { tasks: rows.slice(2, 52), meta: { ...describeToolMeta(world), nextCursor: last } },
          `${to} ${market}, the next page`,
        )
      }
      const preset = await call({ to, input })
      const standard = newestFirst(facts.standard).filter((task) => select(task, facts.standard))
      const shown = isObject(preset.body) ? preset.body.tasks : null
      assertEqual(
        shown,
        standard.slice(0, 20).map((task) => describeToolRow(world, facts.standard, task)),
        'twenty of the standard market',
      )
      await assertRefused(call, to, { ...input, limit: 51 }, 'INVALID_LIMIT')
      await assertRefused(call, to, { ...input, market: 'grand' }, 'INVALID_MARKET')
    }

  return {
    svc_list_open_tasks: checkList('svc_list_open_tasks', {}, (task, of) => isClaimable(world, of, task)),
    svc_list_recent_tasks: checkList('svc_list_recent_tasks', {}, () => true),
    svc_list_tasks_by_poster: checkList('svc_list_tasks_by_poster', { address: ada.address }, ({ poster }) =>
      isWallet(poster, ada.address),
    ),
    svc_list_tasks_by_worker: checkList('svc_list_tasks_by_worker', { address: emeka.address }, ({ worker }) =>
      isWallet(worker, emeka.address),
    ),

    svc_get_agent_reputation: async (call) => {
      const to = 'svc_get_agent_reputation'
      for (const market of markets) {
        for (const address of new Set([kofi.address, newcomer.address, ...listContrasts(facts)])) {
          const agent = findAgent(facts[market], address)
          const { completedAsPoster, completedAsWorker, distinctCounterparties } = agent
          const { disputesWon, disputesLost, leaves, dismissals, lapses } = agent
          const body = {
            address,
            score: agent.score,
            formula: scoreFormula,
            completedAsPoster,
            completedAsWorker,
            distinctCounterparties,
            disputesWon,
            disputesLost,
            leaves,
            dismissals,
            lapses,
            ...inTok('earned', agent.earned),
            ...inTok('paid', agent.paid),
            ...inTok('staked', agent.staked),
            depositUsdcUnits: agent.deposit,
            deposit: formatMoney(agent.deposit, 'USDC'),
            meta: describeToolMeta(world),
          }
          assertEqual(await call({ to, input: { address, market } }), { status: 200, body }, `${address} in ${market}`)
        }
      }
    },

    svc_read_profile: async (call) => {
      const to = 'svc_read_profile'
      for (const market of markets) {
        for (const { address } of [emeka, farah, ada]) {
          const record = describeRecord(facts[market], address)
          const selfDeclared = describeUntrustedProfile(world, address)
          const body = { record, ...(selfDeclared && { selfDeclared }), meta: describeToolMeta(world) }
          assertEqual(await call({ to, input: { address, market } }), { status: 200, body }, `${address} in ${market}`)
        }
      }
      const preset = await call({ to, input: { address: emeka.address } })
      assertEqual(
        isObject(preset.body) && preset.body.record,
        describeRecord(facts.standard, emeka.address),
        'the market is standard unless given',
      )
      await assertRefused(call, to, { address: '0x12' }, 'INVALID_ADDRESS')
    },

    svc_search_agents: async (call) => {
      const to = 'svc_search_agents'
      for (const market of markets) {
        const describe = (wallets: readonly Address[], nextCursor: string | null = null) => ({
          agents: wallets
            .map((wallet) => ({
              record: describeAgent(findAgent(facts[market], wallet)),
              selfDeclared: describeUntrustedProfile(world, wallet),
            }))
            .toSorted((a, b) => b.record.score - a.record.score),
          meta: { ...describeToolMeta(world), nextCursor },
        })
        const both = await call({ to, input: { market, skill: 'translation' } })
        const body = describe([emeka.address, farah.address])
        assertEqual(both, { status: 200, body }, `a skill in ${market}`)
        for (const [input, wallet] of [
          [{ language: 'pt-BR' }, emeka.address],
          [{ words: 'birds' }, farah.address],
          [{ maxPriceTokWei: '41000000000000000000' }, emeka.address],
        ] as const) {
          const one = await call({ to, input: { market, ...input } })
          assertEqual(one.body, describe([wallet]), `${JSON.stringify(input)} in ${market}`)
        }
        const [first, second] = body.agents.map(({ record }) => record)
        if (!first || !second) throw new Error('There are two translators.')
        const cursor = Buffer.from(`${first.score}:${first.address.toLowerCase()}`).toString('base64url')
        const page = await call({ to, input: { market, skill: 'translation', limit: 1 } })
        assertEqual(page.body, describe([first.address], cursor), `the first page in ${market}`)
        const next = await call({ to, input: { market, skill: 'translation', cursor } })
        assertEqual(next.body, describe([second.address]), `the next page in ${market}`)
      }
      await assertRefused(call, to, { limit: 21 }, 'INVALID_LIMIT')
    },

    svc_search_tasks: async (call) => {
      const to = 'svc_search_tasks'
      for (const market of markets) {
        const of = facts[market]
        const describe = (tasks: readonly TaskFact[]) => ({
          tasks: tasks.map((task) => describeToolRow(world, of, task)),
          meta: { ...describeToolMeta(world), nextCursor: null },
        })
        const open = newestFirst(of).filter((task) => isClaimable(world, of, task))
        const survey = open.filter((task) => readText(task)?.title.startsWith('A survey'))
        const byWords = await call({ to, input: { market, words: 'garden surveys' } })
        assertEqual(byWords, { status: 200, body: describe(survey) }, `words in ${market}`)
        const byTags = await call({ to, input: { market, tags: `survey,lang:${market === 'micro' ? 'pt' : 'sw'}` } })
        assertEqual(byTags.body, describe(survey), `tags in ${market}`)
        const pays = open.map(({ total }) => total).toSorted((a, b) => (a < b ? -1 : 1))
        const [least = 0n, most = 0n] = [pays[Math.floor(pays.length / 3)], pays[Math.floor((pays.length * 2) / 3)]]
        const range = { minPayTokWei: String(least), maxPayTokWei: String(most) }
        const byPay = await call({
          to,
          input: { market, ...range, funded: 'true', claimPolicy: 'ANYONE', sort: 'pay' },
        })
        const paid = open.filter(
          ({ total, funded, claimPolicy }) =>
            total >= least && total <= most && funded === total && claimPolicy === 'ANYONE',
        )
        const sorted = paid.toSorted((a, b) =>
          a.total === b.total ? Number(b.number - a.number) : a.total > b.total ? -1 : 1,
        )
        assertEqual(byPay.body, describe(sorted), `pay in ${market}`)
      }
      await assertRefused(call, to, { market: 'grand' }, 'INVALID_MARKET')
    },

    svc_list_court_cases: async (call) => {
      const to = 'svc_list_court_cases'
      for (const market of markets) {
        const cases = listCourtFacts(world, market).map(({ name, about, amount, gap, decideFrom, courtEnd }) => ({
          ...name,
          ...about,
          ...inTok('amount', amount),
          ...inTok('gap', gap),
          ...inTime('decideFrom', decideFrom),
          ...inTime('courtEnd', courtEnd),
        }))
        const answer = await call({ to, input: { market } })
        const court = { kind: 'wallet', address: accounts.court.address }
        const meta = describeToolMeta(world)
        const body = { court, cases, total: cases.length, truncated: false, meta }
        assertEqual(answer, { status: 200, body }, market)
      }
      await assertRefused(call, to, { market: 'grand' }, 'INVALID_MARKET')
    },

    svc_get_task: async (call) => {
      const to = 'svc_get_task'
      for (const market of markets) {
        const of = facts[market]
        for (const scenario of knownScenarios) {
          const task = findTask(world, market, scenario)
          const answer = await call({ to, input: { id: task.id, address: emeka.address, timeline: true } })
          const body = { task: describeWhole(of, task), meta: describeToolMeta(world) }
          assertEqual(answer, { status: 200, body }, `${scenario} of ${market}`)
        }
      }
      await assertRefused(call, to, { id: 'v2:micro:99999' }, 'TASK_NOT_FOUND')
      await assertRefused(call, to, { id: '7' }, 'INVALID_TASK_ID')
    },

    svc_verify_settlement_digest: async (call) => {
      const to = 'svc_verify_settlement_digest'
      for (const market of markets) {
        for (const scenario of ['working', 'open', 'privateWorking']) {
          const task = findTask(world, market, scenario)
          const digest = task.settlementDigest
          const { status, body } = await call({ to, input: { id: task.id } })
          const checks = [
            { check: 'settlementDigest on chain', ok: true, expected: digest, found: digest },
            ...(task.text === undefined
              ? []
              : [{ check: 'published text', ok: true, expected: readHash(task), found: readHash(task) }]),
          ]
          assertEqual(
            { status, body },
            {
              status: 200,
              body: {
                matches: true,
                settlementDigest: digest,
                taskId: task.id,
                checks,
                meta: describeToolMeta(world),
              },
            },
            `${scenario} of ${market}`,
          )
        }
      }
      await assertRefused(call, to, {}, 'TERMS_REFUSED')
      await assertRefused(call, to, { id: 'v2:micro:99999' }, 'TASK_NOT_FOUND')
    },
  } satisfies Record<string, Check>

  /** Everything that the tool says about a task. Its text is in fields of its own. */
  function describeWhole(of: MarketFacts, task: TaskFact) {
    const { text: _, terms: __, timeline, deadlines, milestones, ...rest } = describeDetail(world, of, task)
    const until = isClaimable(world, of, task) ? task.claimableUntil : null
    const context = createSigningContext(world.devnet.deployments, of.market)
    return {
      ...rest,
      ...inTok('totalAmount', task.total),
      ...inTok('funded', task.funded),
      ...inTok('released', task.released),
      ...inTok('refunded', task.refunded),
      milestones: milestones.map((each) => ({
        ...each,
        amount: formatMoney(each.amountTokWei, 'TOK'),
        duration: formatDuration(each.durationSeconds),
      })),
      claimPolicyText: task.claimPolicy === 'ANYONE' ? 'Anyone can claim' : "Needs the poster's permit",
      ...(task.state === 'POSTED' && inTime('claimableUntil', until)),
      deadlines: Object.fromEntries(
        Object.entries(deadlines).flatMap(([name, at]) =>
          at === null ? [] : [[name, { at, time: formatUtcTime(at) }]],
        ),
      ),
      timeline: timeline.slice(-40).map(({ args: ___, ...event }) => event),
      ...describeUntrustedText(task),
      ...(!task.worker && { claimDigest: computeSettlementDigest(context, readTaskTerms(task), emeka.address) }),
    }
  }
}

const readHash = (task: TaskFact) => readTaskTerms(task).criteriaHash
