import { Readable } from 'node:stream'
import { actionList, encodeActionInput } from '@svc/protocol/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../../apps/tools/src/exitCodes.ts'
import { prepareCommands, specifiedCommands } from '../../apps/tools/src/prepare/commands.ts'
import { fieldDescriptions } from '../../apps/tools/src/prepare/fieldDescriptions.ts'
import { listActionFields } from '../../apps/tools/src/prepare/listActionFields.ts'
import { errorAnswer } from '../../apps/tools/src/prepare/prepareError.ts'
import { readFields } from '../../apps/tools/src/prepare/readFields.ts'
import { sampleInputs } from '../../packages/protocol/src/actions/actions.arbitrary.ts'
import { buildArgv, createPrepareRunner, type Preparing } from './preparing.ts'

// No chain and no gateway: invalid arguments are rejected before any request.
let preparing: Preparing
beforeAll(async () => {
  preparing = await createPrepareRunner({
    rpcUrl: 'http://127.0.0.1:3',
    deployments: null,
    gatewayUrl: 'http://127.0.0.1:3',
  })
})
afterAll(() => preparing?.stop())

const from = ['--from', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
const taskId = ['--task-id', 'v2:standard:1']

test.each([
  ['no action', [], 'The command is missing.'],
  ['an unknown action', ['steal-task'], 'Unknown command'],
  ['a misspelt action, with the right one', ['claim-tsk'], 'claim-task'],
  ['an unknown argument', ['top-up', '--sum', '3', ...from], '--sum'],
  ['an argument of another action', ['cancel-task', ...taskId, '--amount', '3TOK', ...from], '--amount'],
  ['an argument given twice', ['top-up', '--amount', '1USDC', '--amount', '2USDC', ...from], 'twice'],
  ['an argument without its value', ['top-up', '--amount'], '--amount'],
  ['a missing amount', ['top-up', ...from], '--amount (or --amount-usdc-units)'],
  ['everything that is missing, at once', ['create-task', ...from], '--terms, --worker, --poster-acceptance'],
  ['a missing wallet', ['cancel-task', ...taskId], '--from'],
  ['terms without a poster', ['build-task-terms'], '--poster or --from'],
  ['a wallet that is none', ['cancel-task', ...taskId, '--from', 'bruno'], '--from'],
  [
    'a wallet with a typing error',
    ['cancel-task', ...taskId, '--from', '0x70997970C51812dc3A010C7d01b50e0d17dc79c8'],
    'checksum',
  ],
  ['a plain number for a task', ['cancel-task', '--task-id', '7', ...from], 'v2:<market>:<number>'],
  ['a task of no market', ['cancel-task', '--task-id', 'v2:big:7', ...from], 'standard or micro'],
  ['a market that there is not', ['top-up', '--market', 'big', '--amount', '1USDC', ...from], 'standard, micro'],
  ['an amount without its unit', ['top-up', '--amount', '25', ...from], 'unit'],
  ['an amount of another token', ['top-up', '--amount', '25TOK', ...from], 'not in TOK'],
  ['a negative amount', ['top-up', '--amount', '-25USDC', ...from], 'Not an amount of USDC'],
  ['a negative amount in the smallest unit', ['top-up', '--amount-usdc-units', '-25', ...from], 'whole number'],
  ['a fraction of the smallest unit', ['stake', '--amount-tok-wei', '0.5', ...from], 'whole number'],
  ['more decimals than the token has', ['top-up', '--amount', '0.0000001USDC', ...from], 'at most 6 decimals'],
  ['a comma for a point', ['top-up', '--amount', '1,5USDC', ...from], 'Not an amount'],
  ['more than the contracts can count', ['stake', '--amount-tok-wei', String(2n ** 128n), ...from], 'not an amount'],
  ['one amount in two ways', ['stake', '--amount', '1TOK', '--amount-tok-wei', '1', ...from], 'twice'],
  [
    'a plan paid in one token and bounded in another',
    ['buy-plan', '--tier', 'pro', '--pay-with', 'usdc', '--max-amount', '9TOK', ...from],
    'not in TOK',
  ],
  [
    'a share beyond the whole',
    ['submit-evidence', ...taskId, '--share-bps', '10001', '--evidence-hash', `0x${'1'.repeat(64)}`, ...from],
    '--share-bps',
  ],
  ['a share with a sign', ['submit-evidence', ...taskId, '--share-bps', '-1', ...from], 'whole number'],
  [
    'a ruling for neither side',
    ['resolve-dispute', ...taskId, '--for-worker', 'half', '--reason-hash', `0x${'1'.repeat(64)}`, ...from],
    'must be true or false',
  ],
  [
    'the hash of nothing',
    ['submit-proof', ...taskId, '--proof-hash', `0x${'0'.repeat(64)}`, ...from],
    'must not be zero',
  ],
  [
    'the zero address as the one who is paid',
    ['withdraw-deposit', '--amount', '1USDC', '--to', `0x${'0'.repeat(40)}`, ...from],
    'zero address is not allowed',
  ],
  ['a file that is not there', ['post-task', '--terms', '/nowhere/terms.json', ...from], 'ENOENT'],
  ['a folder for a file', ['post-task', '--terms', '/', ...from], 'folder'],
  ['an input that is no JSON', ['top-up', '--input', '-', ...from], 'not JSON'],
  [
    'the standard input for two things',
    ['mutual-cancel', '--poster-signature', '-', '--worker-signature', '-', ...from],
    'standard input',
  ],
  ['no time at all', ['cancel-task', ...taskId, '--timeout', '0', ...from], '--timeout'],
  ['an id that is no request', ['status', 'req_short'], 'request id'],
  ['a shell that there is not', ['completion', 'csh'], 'fish'],
  ['neither text nor words', ['hash-criteria'], '--text'],
])('%s is rejected with a message, a hint and exit code 2', async (_, argv, words) => {
  const people = await preparing.run(argv, { stdin: '{]' })
  expect([people.exit, people.out]).toEqual([2, ''])
  expect(people.err).toContain(words)
  const { exit, err, json } = await preparing.run([...argv, '--json'], { stdin: '{]' })
  expect([exit, err]).toEqual([2, ''])
  expect(errorAnswer.parse(json)).toMatchObject({ code: 'USAGE', exit: 2 })
  expect(json.error).toMatch(/[.?)]$/)
})

test('an input with an unknown field or a huge file is rejected', async () => {
  const unknown = await preparing.run(['top-up', '--input', '-', ...from], { stdin: '{"sum":"1"}' })
  expect([unknown.exit, unknown.err]).toEqual([2, expect.stringContaining('market, amountUsdc')])
  const large = await preparing.run(['top-up', '--input', '-', ...from], { stdin: ' '.repeat(1_048_577) })
  expect([large.exit, large.err]).toEqual([2, expect.stringContaining('1 MiB')])
})

test('all missing variables are reported at once', async () => {
  const { exit, err } = await preparing.run(['cancel-task', ...taskId, ...from], {
    env: { CHAIN_RPC_URL: 'ftp://x', SVC_DEPLOYMENTS: '' },
  })
  expect(exit).toBe(2)
  expect(err).toContain('CHAIN_RPC_URL')
  expect(err).toContain('SVC_DEPLOYMENTS')
})

test('the help marks the commands that we added', async () => {
  const { out } = await preparing.run(['--help'])
  const [specified = '', added = ''] = out.split('Commands that we added:')
  for (const { name } of prepareCommands) {
    expect(specifiedCommands.includes(name) ? specified : added).toContain(`\n  ${name} `)
  }
})

describe.each(actionList.map((action) => [action.name, action] as const))('%s', (name, action) => {
  const fields = listActionFields(action)

  test('the help lists every argument and every exit code', async () => {
    const { exit, out } = await preparing.run([name, '--help'])
    expect(exit).toBe(0)
    const help = out.replaceAll(/\s+/g, ' ')
    expect(fields.map((field) => field.name)).toEqual(Object.keys(action.input.shape))
    for (const field of fields) {
      expect(help).toContain(` --${field.flag} <`)
      if (field.unitFlag) expect(help).toContain(` --${field.unitFlag} <`)
      expect(fieldDescriptions[field.name]).toBeDefined()
      expect(help).toContain(field.description)
    }
    expect(new Set(fields.flatMap(({ flag, unitFlag }) => [flag, unitFlag ?? flag])).size).toBeGreaterThanOrEqual(
      fields.length,
    )
    for (const { code, description } of Object.values(exitCodes)) expect(help).toContain(`${code} ${description}`)
  })

  test('reads the same input from JSON, from arguments, and in either unit', async () => {
    for (const [index, input] of sampleInputs(action, 20).entries()) {
      const json = encodeActionInput(action, input)
      const stdin = Readable.from([Buffer.from(JSON.stringify(json))])
      expect(await readFields(fields, { input: '-' }, stdin)).toEqual(json)
      const argv = await buildArgv(fields, json, preparing.file, index % 2 === 0)
      const pairs = argv.flatMap((flag, at) => (at % 2 === 0 ? [[flag.slice(2), argv[at + 1] ?? '']] : []))
      expect(await readFields(fields, Object.fromEntries(pairs), Readable.from([]))).toEqual(json)
    }
  })
})

test('the 25 actions of the specification are there', () => {
  const names = prepareCommands.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(
      'read onboarding approve-usdc-vault approve-tok-router top-up claim-task post-task create-task fund-task start-work submit-proof accept-milestone complete-task open-dispute leave-task dismiss-worker emergency-top-up register-arbitrator propose-arbitrator resolve-dispute resolve-timed-out escalate hash-criteria prepare-receipt build-task-terms'.split(
        ' ',
      ),
    ),
  )
  expect(new Set(names).size).toBe(names.length)
})
