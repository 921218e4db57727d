import { formatTaskId, type Receipt, receiptLifetime, receiptProblem, type TaskId } from '@svc/protocol'
import type { CheckJson, RequestJson } from '@svc/protocol/http'
import { explainPreparing, HttpError } from '@svc/serve'
import type { Address, Hex } from 'viem'
import { actionNamed, type Requests } from '../requests/requests.ts'
import type { Store } from '../requests/store.ts'
import { checkReadiness, digestFor, type ReadinessDeps } from './readiness.ts'
import { type ReceiptKey, receiptDigest } from './receiptKey.ts'

export interface ClaimsOptions extends ReadinessDeps {
  key: ReceiptKey
  store: Store
  requests: Requests
  baseUrl: string
  now?: () => number
}

export interface Claims {
  /** A receipt for a wallet that is ready to claim, or only the checks for one that is not. */
  issue: (
    taskId: TaskId,
    wallet: Address,
  ) => Promise<{ receipt: Receipt | null; expiresAt: string; checks: CheckJson[] }>
  /** The request that a receipt stands for, always the same; or why it stands for none. */
  grant: (taskId: TaskId, receipt: Receipt) => Promise<RequestJson | { problem: string }>
}

interface Verdict {
  digest: Hex
  problem: string | null
}

const maxVerdicts = 1_000

/** Issues readiness receipts, and takes each for one prepared claim. */
export function createClaims(options: ClaimsOptions): Claims {
  const { key, store, requests, baseUrl, deployments, now = Date.now } = options
  const preparing = new Map<string, Promise<RequestJson>>()
  let judged = { second: 0, verdicts: new Map<string, Promise<Verdict>>() }
  const seconds = () => Math.floor(now() / 1000)

  return {
    async issue(taskId, wallet) {
      const checks = await checkReadiness(options, taskId, wallet).catch(explainPreparing)
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
      const kept = store.ofReceipt(digest)
      if (kept) return requests.get(kept.id)
      const fresh = prepare(taskId, receipt.payload.payer, digest).finally(() => preparing.delete(digest))
      preparing.set(digest, fresh)
      return fresh
    },
  }

  /** Looks at a receipt once a second, however often it is shown: recovering who signed is the dear part of a claim. */
  function judgeOnce(taskId: TaskId, receipt: Receipt): Promise<Verdict> {
    if (judged.second !== seconds() || judged.verdicts.size >= maxVerdicts) {
      judged = { second: seconds(), verdicts: new Map() }
    }
    const words = `${formatTaskId(taskId)} ${JSON.stringify(receipt)}`
    const verdict = judged.verdicts.get(words) ?? judge(taskId, receipt)
    judged.verdicts.set(words, verdict)
    return verdict
  }

  async function judge(taskId: TaskId, receipt: Receipt): Promise<Verdict> {
    const digest = receiptDigest(receipt)
    const problem = await receiptProblem(receipt, {
      baseUrl,
      taskId,
      chainId: deployments.chainId,
      // A request outlives the key of the process that signed its receipt.
      signer: store.ofReceipt(digest)?.receipt?.signer ?? key.address,
      now: seconds(),
    })
    return { digest, problem }
  }

  async function prepare(taskId: TaskId, payer: Address, digest: Hex): Promise<RequestJson> {
    const terms = await digestFor(options, taskId, payer).catch(explainPreparing)
    if (!terms) throw noTask(taskId)
    const input = { taskId: formatTaskId(taskId), settlementDigest: terms }
    return requests.create(actionNamed('claim-task'), input, payer, { digest, signer: key.address })
  }
}

const noTask = (taskId: TaskId) => new HttpError(404, 'TASK_NOT_FOUND', `Task ${formatTaskId(taskId)} is not found.`)
