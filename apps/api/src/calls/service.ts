import { operations } from '@svc/operations'
import { getChainProfile, postingPlans } from '@svc/protocol'
import { implementCalls } from '@svc/serve'
import { notifyPath, storePath } from '../serviceForward.ts'
import { formatCourtJson } from './court.ts'
import type { CallDeps } from './deps.ts'

const implement = implementCalls<CallDeps>()

export const getSiteConfig = implement(operations.getSiteConfig)(
  async ({ market }, { deployments, publicRpcUrl, store, notifierUrl, actions }) => {
    // The rest must be there when the chain is not.
    const court = await actions.courtKind().catch(() => null)
    const { chainId, startBlock, shared, markets } = deployments
    const { tokToken, usdOracle, pricingPolicy, usdc, timelock, treasury, finalCourt } = shared
    const { taskRegistry, depositVault, escrowVault, paymentGateway, stakingVault } = markets[market]
    const { taskScopeRegistry, agreements, arbitration, reputationRegistry, taskLens } = markets[market]
    return {
      chainId,
      chainName: getChainProfile(chainId).name,
      rpcUrl: publicRpcUrl,
      startBlock,
      market,
      contracts: {
        tokToken,
        taskRegistry,
        depositVault,
        escrowVault,
        paymentGateway,
        stakingVault,
        usdOracle,
        pricingPolicy,
        usdc,
        taskScopeRegistry,
        agreements,
        arbitration,
        reputationRegistry,
        taskLens,
        timelock,
        treasury,
        finalCourt,
      },
      postingPlans: postingPlans.map(({ id, dailyLimit }) => ({ id, dailyLimit })),
      court: court && formatCourtJson(court, market),
      store: store && { address: store.address, url: storePath },
      notifier: notifierUrl === null ? null : { url: notifyPath },
    }
  },
)

export const getDifferential = implement(operations.getDifferential)((_, { differential }) => differential())

export const chat = implement(operations.chat)(
  (question, { chat }, { client, signal }) => chat.ask(question, client, signal),
  ({ chat }, { client }) => chat.admit(client),
)
