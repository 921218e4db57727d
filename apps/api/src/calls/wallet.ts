import { buildResponseMeta, findDepositLine, operations, parseTaskIdField, ServiceError } from '@svc/operations'
import { isMarket } from '@svc/protocol'
import { findAction } from '@svc/protocol/actions'
import { computeWithdrawableDeposit } from '@svc/protocol/internal/records'
import { computeReputationScore } from '@svc/protocol/records'
import { implementCalls } from '@svc/serve'
import { addQuota } from '../posting/assertQuota.ts'
import type { CallDeps } from './deps.ts'

const implement = implementCalls<CallDeps>()

export const getWallet = implement(operations.getWallet)(async ({ address, market }, { actions }) => {
  const { agent, arbitrator, tok, usdc, credits, rewards, block } = await actions.wallet(market, address)
  const { bond, locked, openCases, resolved, timedOut, overturned, unbondAt } = arbitrator
  const { completedAsPoster, completedAsWorker, distinctCounterparties } = agent
  const { disputesWon, disputesLost, leaves, dismissals, lapses } = agent
  return {
    address,
    market,
    tokWei: String(tok),
    usdcUnits: String(usdc),
    deposit: {
      usdcUnits: String(agent.deposit),
      reservedUnits: String(agent.reserved),
      freeUnits: String(agent.deposit - agent.reserved),
      withdrawableUnits: String(computeWithdrawableDeposit(agent)),
      line: findDepositLine(agent.deposit),
    },
    creditsWei: String(credits),
    stakedTokWei: String(agent.staked),
    rewardsTokWei: String(rewards),
    payoutsTokWei: String(agent.payouts),
    awardsTokWei: String(agent.awards),
    reputation: {
      score: computeReputationScore(agent),
      completedAsPoster,
      completedAsWorker,
      distinctCounterparties,
      disputesWon,
      disputesLost,
      leaves,
      dismissals,
      lapses,
    },
    arbitrator:
      bond + BigInt(openCases + resolved + timedOut) === 0n
        ? null
        : {
            bondTokWei: String(bond),
            lockedTokWei: String(locked),
            openCases,
            resolved,
            timedOut,
            overturned,
            unbondAt: unbondAt || null,
          },
    meta: buildResponseMeta(market, block),
  }
})

export const listSteps = implement(operations.listSteps)(async ({ id, address }, { actions }) => {
  const { steps, blocked, block } = await actions.steps(id, address)
  return { steps, blocked, meta: buildResponseMeta(id.market, block) }
})

export const prepareAction = implement(operations.prepareAction)(
  async ({ action: name, input, from, payFrom }, deps) => {
    const action = findAction(name)
    if (!action) throw new ServiceError('INVALID_REQUEST', `There is no action ${name}.`)
    if ('taskId' in action.input.shape) parseTaskIdField(input.taskId)
    else if (!isMarket(input.market)) throw new ServiceError('INVALID_MARKET', 'input.market must be given.')
    return addQuota(await deps.actions.prepare(action, input, from, payFrom), deps)
  },
)
