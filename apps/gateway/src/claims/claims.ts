import { type CheckJson, type RequestJson, ServiceError } from '@svc/operations'
import { findReceiptProblem, formatTaskId, type Receipt, type TaskId } from '@svc/protocol'
import { receiptLifetime } from '@svc/protocol/internal/money'
import { rethrowPrepareError } from '@svc/serve'
import type { Address, Hex } from 'viem'
import { type Requests, requireAction } from '../requests/requests.ts'
import type { Store } from '../requests/store.ts'
import { checkReadiness, computeClaimDigest, type ReadinessDeps } from './readiness.ts'
import { type ReceiptKey, receiptDigest } from './receiptKey.ts'

export interface ClaimsOptions extends ReadinessDeps {
  key: ReceiptKey
  store: Store
  requests: Requests
  baseUrl: string
  now?: () => number
}

export interface Claims {
  /** A receipt if the wallet is ready to claim, otherwise only the checks. */
  issue: (
    taskId: TaskId,
    wallet: Address,
  ) => Promise<{ receipt: Receipt | null; expiresAt: string; checks: CheckJson[] }>
  /** The request for a receipt, always the same one; or the reason why the receipt is not accepted. */
  grant: (taskId: TaskId, receipt: Receipt) => Promise<RequestJson | { problem: string }>
}

interface Verdict {
  digest: Hex
  problem: string | null
}

const maxVerdicts = 1_000

/** Issues readiness receipts, and accepts each for one prepared claim. */
export function createClaims(options: ClaimsOptions): Claims {
  const { key, store, requests, baseUrl, deployments, now = Date.now } = options
  const preparing = new Map<string, Promise<RequestJson>>()
  let judged = { second: 0, verdicts: new Map<string, Promise<Verdict>>() }
  const seconds = () => Math.floor(now() / 1000)

  return {
    async issue(taskId, wallet) {
      const checks = await checkReadiness(options, taskId, wallet).catch(rethrowPrepareError)
      if (!checks) throw noTask(taskId)
      const issuedAt = seconds()
      const expiresAt = new Date((issuedAt + receiptLifetime) * 1000).toISOString()
      const isReady = checks.every(({ ok }) => ok)
      return { receipt: isReady ? await key.issue(taskId, wallet, issuedAt) : null, expiresAt, checks }
    },

    async grant(taskId, receipt) {
      const { digest, problem } = await judgeOnce(taskId, receipt)
      if (problem) return { problem }
      const made = preparing.get(digest)
      if (made) return made
      const stored = store.ofReceipt(digest)
      if (stored) return requests.get(stored.id)
      const fresh = prepare(taskId, receipt.payload.payer, digest).finally(() => preparing.delete(digest))
      preparing.set(digest, fresh)
      return fresh
    },
  }

  /** Checks a receipt at most once a second: recovering the signer is the expensive part of a claim. */
  function judgeOnce(taskId: TaskId, receipt: Receipt): Promise<Verdict> {
    if (judged.second !== seconds() || judged.verdicts.size >= maxVerdicts) {
      judged = { second: seconds(), verdicts: new Map() }
    }
    const cacheKey = `${formatTaskId(taskId)} ${JSON.stringify(receipt)}`
    const verdict = judged.verdicts.get(cacheKey) ?? judge(taskId, receipt)
    judged.verdicts.set(cacheKey, verdict)
    return verdict
  }

  async function judge(taskId: TaskId, receipt: Receipt): Promise<Verdict> {
    const digest = receiptDigest(receipt)
    const problem = await findReceiptProblem(receipt, {
      baseUrl,
      taskId,
      chainId: deployments.chainId,
      // A request can outlive the process key that signed its receipt.
      signer: store.ofReceipt(digest)?.receipt?.signer ?? key.address,
      now: seconds(),
    })
    return { digest, problem }
  }

  async function prepare(taskId: TaskId, payer: Address, digest: Hex): Promise<RequestJson> {
    const terms = await computeClaimDigest(options, taskId, payer).catch(rethrowPrepareError)
    if (!terms) throw noTask(taskId)
    const input = { taskId: formatTaskId(taskId), settlementDigest: terms }
    const payFrom = options.places.markets[taskId.market].swap ? 'usdc' : undefined
    const receipt = { digest, signer: key.address }
    return requests.create(requireAction('claim-task'), input, payer, { receipt, payFrom })
  }
}

const noTask = (taskId: TaskId) => new ServiceError('TASK_NOT_FOUND', `Task ${formatTaskId(taskId)} is not found.`)
