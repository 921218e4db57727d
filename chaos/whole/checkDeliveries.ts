import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExpectedBundle, listBundleReferences, listParts } from '@svc/protocol/work'
import type { FinalState } from './finalState.ts'
import type { TaskRun } from './taskRun.ts'

/** A delivery on the final chain, of a task whose terms name a store. */
interface FinalDelivery {
  run: TaskRun
  expected: ExpectedBundle
}

/**
 * Checks that every delivery on chain of a task with a store opens for its poster and is what its worker sent, that no hash of
 * nothing has a receipt, and that silence paid only with one. Then removes a part of one, which this check must notice.
 */
export async function checkDeliveries(final: FinalState): Promise<void> {
  const { tally, services } = final
  const found = await listDeliveries(final)
  for (const delivery of found) {
    const problem = await findDeliveryProblem(final, delivery)
    if (problem) tally.fail(problem)
    tally.count('compared', 'deliveries')
  }
  const lost = found.find(({ expected }) => final.deliveries?.stored.has(expected.hash))
  const sealed = lost && final.deliveries?.stored.get(lost.expected.hash)?.sealed
  const [part] = sealed ? listParts(sealed.descriptor) : []
  if (!lost || !part) return
  const { market, number } = lost.expected.taskId
  await rm(join(services.store.folder, market, String(number), part.sha256))
  if ((await findDeliveryProblem(final, lost)) === null) {
    tally.fail(`The store lost a part of ${lost.expected.hash}, and nobody noticed.`)
  }
}

/** Lists the deliveries of tasks with a store, and checks their receipts and payments on the way. */
async function listDeliveries(final: FinalState): Promise<FinalDelivery[]> {
  const { runs, direct, chain, tally } = final
  const found: FinalDelivery[] = []
  for (const run of runs) {
    if (run.number === null || run.terms.store === null) continue
    const taskId = { market: run.market, number: run.number }
    const { detail } = await direct.getTask(run.market, run.number)
    const { chainId, markets, shared } = chain.deployments
    const context = { chainId, registry: markets[run.market].taskRegistry, taskId, finalCourt: shared.finalCourt }
    const timeline = detail?.timeline ?? []
    let isReceipted = false
    for (const { name, args } of timeline) {
      if (name === 'MilestoneDelivered') isReceipted = false
      if (name === 'DeliveryReceipted') isReceipted = true
      const isSilence = name === 'MilestoneReleased' && 'lapsed' in args && args.lapsed === true
      if (isSilence) tally.count('compared', 'payments by silence')
      if (isSilence && !isReceipted) tally.fail(`Silence paid for run ${run.index} without a receipt.`)
      if (isReceipted && run.deliversNothing) tally.fail(`Run ${run.index} delivered nothing, but has a receipt.`)
    }
    if (run.deliversNothing) continue
    const references = listBundleReferences(context, timeline)
    found.push(...references.filter(({ kind }) => kind === 'delivery').map((expected) => ({ run, expected })))
  }
  return found
}

/** Says why the poster cannot read what the worker delivered; null if all is well. */
async function findDeliveryProblem(final: FinalState, { run, expected }: FinalDelivery): Promise<string | null> {
  const sent = final.deliveries?.stored.get(expected.hash)
  const name = `The delivery ${expected.hash} of run ${run.index}`
  if (!sent) return `${name} was never sent to the store.`
  // A reorganisation gave the task's number to another task of the same worker.
  if (sent.poster !== run.poster) return null
  try {
    const opened = await final.deliveries?.open(run.poster, expected)
    return opened?.content.equals(sent.content) ? null : `${name} has another content.`
  } catch (error) {
    return `${name} does not open for its poster: ${String(error)}`
  }
}
