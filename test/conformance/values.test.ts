// The values and names of the specification. Every one is written out here and imported from nowhere.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { formatFees, statusOf } from '@svc/operations'
import { formatTaskId, limits, markets, parseTaskId, postingPlans, tokens } from '@svc/protocol'
import { lifecycle } from '@svc/protocol/lifecycle'
import { messageTypes } from '@svc/protocol/negotiation'
import { describe, expect, test } from 'vitest'
import { readApiEnv } from '../../apps/api/src/env.ts'
import { findActivePlan } from '../../apps/api/src/posting/plans.ts'
import { readGatewayEnv } from '../../apps/gateway/src/env.ts'
import { readToolsEnv } from '../../apps/tools/src/env.ts'
import { readNegotiateEnv } from '../../apps/tools/src/negotiate/env.ts'
import { prepareCommands, specifiedCommands } from '../../apps/tools/src/prepare/commands.ts'
import { specifiedTools } from '../../apps/tools/src/tools/index.ts'
import { exampleEnv } from '../harness/exampleEnv.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** An environment with nothing set that has a default. */
const bare = {
  CHAIN_RPC_URL: 'http://127.0.0.1:8545',
  SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:8545',
  SVC_DATABASE_URL: 'postgres://127.0.0.1/svc',
  SVC_DEPLOYMENTS: 'deployments.json',
}

test('the markets are standard and micro', () => expect(markets).toEqual(['standard', 'micro']))

test('a task id is v2, the market and the number', () => {
  expect(formatTaskId({ market: 'micro', number: 33n })).toBe('v2:micro:33')
  expect(parseTaskId('v2:standard:1')).toEqual({ market: 'standard', number: 1n })
  for (const wrong of ['1', 'v1:micro:1', 'v3:micro:1', 'v2:big:1', 'v2:micro:0', 'v2:micro:01', 'V2:micro:1', '']) {
    expect(() => parseTaskId(wrong), wrong).toThrow(/Not a valid task id/)
  }
})

test('the token is TOK with 18 decimals', () => expect(tokens.tok).toEqual({ symbol: 'TOK', decimals: 18 }))

test('limit is 1 to 100, 100 unless given', () => expect(limits.list).toEqual({ min: 1, max: 100, default: 100 }))

test('the free plan comes first and has three posts a day; basic is another', () => {
  expect(postingPlans[0]).toEqual({ id: 'free', dailyLimit: 3 })
  expect(postingPlans.map(({ id }): string => id)).toContain('basic')
  expect(limits.freePostsPerDay).toBe(3)
})

test('a wallet without a payment has the free plan', () => {
  expect(findActivePlan([], 0)).toEqual({ id: 'free', dailyLimit: 3 })
})

describe('of the fees', () => {
  const fees = formatFees('did:key:z')

  // Of the four that the specification names, leaving and dismissing spend an exit deposit of the same amount: docs/spec-gaps.md.
  test('a post, claim, dismissal or leave costs 1,000 TOK', () => {
    expect(fees.accessFeeTokWei).toBe('1000000000000000000000')
    expect(fees.words.accessFeeTokWei).toBe('1,000 TOK for post-task, create-task, or claim-task')
    const paid = fees.prices.filter(
      ({ side, action }) =>
        action === `${side === 'poster' ? 'dismiss' : 'leave'}-${side === 'poster' ? 'worker' : 'task'}`,
    )
    expect(new Set(paid.map(({ lostTokWei }) => lostTokWei))).toEqual(new Set(['1000000000000000000000']))
    expect(readConstant('ACCESS_FEE')).toBe('1_000e18')
  })
  test('posting or claiming takes a deposit of USD 25', () => {
    expect(fees.entryDepositUsdc).toBe('25000000')
    expect(readConstant('ENTRY_DEPOSIT')).toBe('25e6')
  })
  test('USD 45 are recommended', () => expect(fees.recommendedDepositUsdc).toBe('45000000'))
  test('below USD 8 entries pause', () => {
    expect(fees.pauseThresholdUsdc).toBe('8000000')
    expect(readConstant('PAUSE_THRESHOLD')).toBe('8e6')
  })
})

/** A constant of the contracts, as it is written. */
function readConstant(name: string): string | undefined {
  const source = readFileSync(new URL('../../contracts/src/types/Market.sol', import.meta.url), 'utf8')
  return new RegExp(`^uint256 constant ${name} = ([^;]+);`, 'm').exec(source)?.[1]
}

describe('of the environment', () => {
  test('the gateway listens on 4020 unless SVC_GATEWAY_PORT is set', () => {
    expect(readGatewayEnv(bare).SVC_GATEWAY_PORT).toBe(4020)
    expect(readGatewayEnv(bare).baseUrl).toBe('http://127.0.0.1:4020')
    expect(readGatewayEnv({ ...bare, SVC_GATEWAY_PORT: '81' }).baseUrl).toBe('http://127.0.0.1:81')
  })
  test('the site listens on 8080 unless SVC_SITE_PORT is set', () => {
    expect(readApiEnv(bare).SVC_SITE_PORT).toBe(8080)
    expect(readApiEnv({ ...bare, SVC_SITE_PORT: '81' }).SVC_SITE_PORT).toBe(81)
  })
  test('SVC_RPC_URL overrides CHAIN_RPC_URL', () => {
    const set = { ...bare, CHAIN_RPC_URL: 'http://127.0.0.1:1', SVC_RPC_URL: 'http://127.0.0.1:2' }
    for (const read of [readApiEnv, readGatewayEnv, readToolsEnv]) {
      expect(read(set).CHAIN_RPC_URL).toEqual(['http://127.0.0.1:2'])
    }
  })
  test('CHAIN_RPC_URL is the public RPC of the chain unless it is set', () => {
    const { CHAIN_RPC_URL: _, ...rest } = bare
    for (const read of [readApiEnv, readGatewayEnv, readToolsEnv]) {
      expect(read(rest).CHAIN_RPC_URL).toEqual(['https://mainnet.base.org'])
    }
  })
  test('the chat takes its key, base URL and model from three variables', () => {
    const chat = { LLM_GATEWAY_API_KEY: 'sk-12345678', LLM_BASE_URL: 'https://llm.example/v1', SVC_LLM_MODEL: 'small' }
    expect(readApiEnv({ ...bare, ...chat })).toMatchObject(chat)
  })
  test('the XMTP inbox is at XMTP_DB_PATH', () => {
    expect(readNegotiateEnv({ XMTP_DB_PATH: 'somewhere/inbox.db3' }).XMTP_DB_PATH).toBe('somewhere/inbox.db3')
  })
  test('the example names every variable of the specification, and commits no secret', () => {
    const named = [
      'CHAIN_RPC_URL',
      'SVC_RPC_URL',
      'PRIVATE_KEY',
      'LLM_GATEWAY_API_KEY',
      'LLM_BASE_URL',
      'SVC_LLM_MODEL',
    ]
    const all = [...named, 'SVC_GATEWAY_PORT', 'SVC_SITE_PORT', 'XMTP_DB_PATH']
    expect(Object.keys(exampleEnv)).toEqual(expect.arrayContaining(all))
    expect([exampleEnv.PRIVATE_KEY, exampleEnv.LLM_GATEWAY_API_KEY]).toEqual(['', ''])
  })
})

test('no program has the address of a contract in its source', () => {
  const files = globSync('{apps/*,packages/{chain,client,index,operations,protocol,reads,serve}}/src/**/*.{ts,tsx}', {
    cwd: root,
  })
    .filter((file) => !/\/abis\/|\.(?:test|arbitrary)\.tsx?$|contract\/examples\.ts$/.test(file))
    // What others deployed on a chain, such as USDC, is in its profile.
    .filter((file) => file !== 'packages/protocol/src/base/chains.ts')
  expect(files.length).toBeGreaterThan(300)
  // Multicall3 is the same on every chain and belongs to nobody.
  const multicall = '0xcA11bde05977b3631167028862bE2a173976CA11'
  const addresses = files.flatMap((file) => readFileSync(root + file, 'utf8').match(/\b0x[0-9a-fA-F]{40}\b/g) ?? [])
  expect(addresses.filter((each) => each !== multicall)).toEqual([])
})

test('the tool server has the twelve tools of the specification', () => {
  expect(specifiedTools.map(({ name }) => name)).toEqual([
    'svc_list_open_tasks',
    'svc_get_task',
    'svc_list_tasks_by_poster',
    'svc_list_tasks_by_worker',
    'svc_list_recent_tasks',
    'svc_task_next_steps',
    'svc_get_agent_reputation',
    'svc_onboarding_checklist',
    'svc_build_task_terms',
    'svc_build_xmtp_proposal',
    'svc_build_xmtp_acceptance_template',
    'svc_verify_settlement_digest',
  ])
})

test('the prepare command has the 25 actions of the specification', () => {
  const reading = 'read onboarding hash-criteria prepare-receipt build-task-terms'
  const deposits = 'approve-usdc-vault approve-tok-router top-up emergency-top-up'
  const tasks = 'post-task create-task fund-task claim-task start-work submit-proof accept-milestone complete-task'
  const leaving = 'leave-task dismiss-worker open-dispute'
  const disputes = 'register-arbitrator propose-arbitrator resolve-dispute resolve-timed-out escalate'
  const names = `${reading} ${deposits} ${tasks} ${leaving} ${disputes}`.split(' ')
  expect(names).toHaveLength(25)
  expect(specifiedCommands.toSorted()).toEqual(names.toSorted())
  expect(prepareCommands.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

test('the lifecycle has the operations of the specification, and claiming starts from POSTED', () => {
  const rows = lifecycle.map(({ operation, from, when }) => `${operation} ${from}${when ? `, ${when}` : ''}`)
  expect(rows).toEqual(
    expect.arrayContaining([
      'post NONE',
      'create NONE',
      'claim POSTED',
      'fund POSTED',
      'fund CLAIMED',
      'activate CLAIMED',
      'markDelivered ACTIVE, nothing is in review',
      'release ACTIVE, last milestone',
      'complete ACTIVE',
      'openDispute ACTIVE, silence pays',
      'leaveTask CLAIMED',
      'leaveTask ACTIVE, nothing is in review',
      'dismiss CLAIMED',
      'dismiss ACTIVE',
    ]),
  )
  expect(rows.filter((row) => row.startsWith('claim '))).toEqual(['claim POSTED'])
})

test('there is a message for each kind of the specification', () => {
  expect([...messageTypes].sort()).toEqual([
    'AcceptDelivery',
    'ArbitratorProposal',
    'CapabilityProof',
    'DeliveryNotice',
    'DisputeEvidence',
    'IdentityLink',
    'MilestoneDefinition',
    'MutualCancel',
    'PaymentRequest',
    'ReplacementContext',
    'RevisionRequest',
    'SupervisorVeto',
    'TaskAcceptance',
    'TaskCounterOffer',
    'TaskProposal',
  ])
})

test('each error of the specification has its status', () => {
  expect({
    noAddress: statusOf('INVALID_ADDRESS'),
    noTask: statusOf('TASK_NOT_FOUND'),
    quota: statusOf('QUOTA_REACHED'),
    noChat: statusOf('CHAT_NOT_CONFIGURED'),
    noReceipt: statusOf('PAYMENT_REQUIRED'),
  }).toEqual({ noAddress: 400, noTask: 404, quota: 429, noChat: 503, noReceipt: 402 })
})
