import type { TaskDetailJson } from '@svc/client'
import type { ExpectedBundle } from '@svc/protocol/work'
import type { DeviceKeys } from '@svc/work'
import { getAddress } from 'viem'
import { locateTask } from '../work/briefBundles.ts'
import type { StoreInfo } from '../work/useStore.ts'
import { getProvider } from '../work/useWorkKeys.ts'

/** Tells the worker in the conversation of the task which bundles hold the files, each once. */
export async function announceBundles(
  task: TaskDetailJson,
  briefs: readonly ExpectedBundle[],
  store: StoreInfo,
  keys: DeviceKeys,
): Promise<void> {
  if (!task.worker || briefs.length === 0) return
  const [{ openTalk, compareSides }, provider] = await Promise.all([import('./talkEngine.ts'), getProvider()])
  const talk = openTalk(task, store, keys, provider)
  const { chainId, registry } = locateTask(task)
  const [poster, other] = [getAddress(task.poster), getAddress(task.worker)]
  const subject = { chainId, taskRegistry: getAddress(registry), taskId: task.id, poster, other }
  await talk.mailbox.sync()
  const { thread } = await talk.readThread(subject)
  const announced = thread.messages.flatMap(({ message }) => (message.type === 'Brief' ? [message.payload.hash] : []))
  for (const { hash } of briefs) {
    if (!announced.includes(hash)) await talk.write(subject, 'Brief', { hash }, compareSides(task, subject))
  }
}
